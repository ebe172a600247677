/// Where the records of workflows and exports come from, named in their `input`.
@NullMarked
package io.tidemill.processor.input;

import org.jspecify.annotations.NullMarked;
