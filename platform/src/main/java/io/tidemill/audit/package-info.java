/// The audit log: who changed what.
@NullMarked
package io.tidemill.audit;

import org.jspecify.annotations.NullMarked;
