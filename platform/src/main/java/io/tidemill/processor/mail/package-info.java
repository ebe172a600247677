/// Notifications: mail by SMTP (C2.9) and webhooks (C2.8).
@NullMarked
package io.tidemill.processor.mail;

import org.jspecify.annotations.NullMarked;
