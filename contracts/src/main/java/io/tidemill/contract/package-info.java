/// What goes over the wire: records, codecs and names of the five contracts; no behaviour.
@NullMarked
package io.tidemill.contract;

import org.jspecify.annotations.NullMarked;
