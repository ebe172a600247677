/// Charts as SVG, the same in web pages and in PDF.
@NullMarked
package io.tidemill.processor.chart;

import org.jspecify.annotations.NullMarked;
