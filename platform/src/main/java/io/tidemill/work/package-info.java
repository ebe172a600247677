/// How work ends and who may say so: outcomes, settlements, leases, back-off. Decisions without
/// input or output.
@NullMarked
package io.tidemill.work;

import org.jspecify.annotations.NullMarked;
