/// What a site allows: robots.txt (RFC 9309), and the rules that a page gives for itself.
@NullMarked
package io.tidemill.content.robots;

import org.jspecify.annotations.NullMarked;
