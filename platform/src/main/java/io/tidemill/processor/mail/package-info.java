/// Tells people and programs outside that something happened: mail by SMTP (C2.9), and calls to
/// their own addresses (C2.8).
@NullMarked
package io.tidemill.processor.mail;

import org.jspecify.annotations.NullMarked;
