/// Reports for people, as a web page and as a PDF with the same charts (C2.9).
@NullMarked
package io.tidemill.processor.report;

import org.jspecify.annotations.NullMarked;
