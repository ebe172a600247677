package io.tidemill.processor.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.testing.Corpora;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class SvgChartsTest {
  private static final List<Function<List<ChartPoint>, String>> KINDS =
      List.of(
          points -> SvgCharts.columns("c", points, SvgCharts.HALF),
          points -> SvgCharts.rows("r", points, SvgCharts.HALF),
          points -> SvgCharts.line("l", points, SvgCharts.HALF),
          points -> SvgCharts.ring("d", points, SvgCharts.HALF));

  @Test
  void drawsWhateverTheNumbersAre() throws Exception {
    for (var values :
        List.of(
            List.<Double>of(),
            List.of(0.0),
            List.of(0.0, 0.0),
            List.of(1.0),
            List.of(-1.0),
            List.of(-3.0, 2.0, 0.0),
            List.of(Double.MAX_VALUE, -Double.MAX_VALUE, Double.MIN_VALUE),
            List.of(Double.NaN, Double.POSITIVE_INFINITY, 5.0),
            List.of(1e-9, 2e-9),
            IntStream.range(0, 5_000).mapToObj(i -> (double) i).toList())) {
      for (var kind : KINDS) assertAllInside(parse(kind.apply(points(values))));
    }
  }

  private static List<ChartPoint> points(List<Double> values) {
    var points = new ArrayList<ChartPoint>();
    for (var value : values) points.add(new ChartPoint("p" + points.size(), value));
    return points;
  }

  private static void assertAllInside(Document chart) {
    var svg = (Element) chart.getElementsByTagName("svg").item(0);
    var width = Double.parseDouble(svg.getAttribute("width"));
    var height = Double.parseDouble(svg.getAttribute("height"));
    var bars = chart.getElementsByTagName("rect");
    for (int i = 0; i < bars.getLength(); i++) {
      var bar = (Element) bars.item(i);
      assertThat(number(bar, "x") + number(bar, "width")).isBetween(0.0, width + 0.1);
      assertThat(number(bar, "y") + number(bar, "height")).isBetween(0.0, height + 0.1);
      assertThat(number(bar, "height")).isGreaterThanOrEqualTo(0);
      assertThat(number(bar, "width")).isGreaterThanOrEqualTo(0);
    }
    var paths = chart.getElementsByTagName("path");
    for (int i = 0; i < paths.getLength(); i++) {
      assertThat(((Element) paths.item(i)).getAttribute("d")).matches("[MLAZ0-9. -]+");
    }
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  @Test
  void barsAreAsLongAsTheirNumbers() throws Exception {
    var chart =
        parse(
            SvgCharts.rows(
                "r",
                List.of(new ChartPoint("a", 100), new ChartPoint("b", 50), new ChartPoint("c", 0)),
                400));
    var bars = chart.getElementsByTagName("rect");

    var whole = number((Element) bars.item(0), "width");
    assertThat(number((Element) bars.item(1), "width"))
        .isCloseTo(whole / 2, org.assertj.core.data.Offset.offset(0.1));
    assertThat(number((Element) bars.item(2), "width")).isZero();
  }

  @Test
  void littleIsNotNothing() throws Exception {
    var chart =
        parse(SvgCharts.rows("r", List.of(new ChartPoint("a", 1e6), new ChartPoint("b", 1)), 400));

    assertThat(number((Element) chart.getElementsByTagName("rect").item(1), "width")).isPositive();
  }

  @Test
  void aRingTakesSmallSharesTogether() throws Exception {
    var points =
        IntStream.range(0, 30).mapToObj(i -> new ChartPoint("part " + i, 100 - i)).toList();

    var chart = parse(SvgCharts.ring("d", points, SvgCharts.HALF));

    assertThat(chart.getElementsByTagName("path").getLength()).isEqualTo(7);
    assertThat(chart.getDocumentElement().getTextContent()).contains("other");
  }

  @Test
  void aRingCountsWhatHasNoCountOfItsOwn() throws Exception {
    var tally = new ValueTally();
    for (int i = 0; i < 10_000; i++) tally.add("part " + i, 1);
    for (int i = 0; i < 5_000; i++) tally.add("more " + i, 1);

    var chart = parse(SvgCharts.ring("d", tally, SvgCharts.HALF));

    assertThat(chart.getDocumentElement().getTextContent()).contains("other: 14,994", "15k");
  }

  @Test
  void saysSoWhenThereIsNothing() throws Exception {
    for (var kind : KINDS) {
      assertThat(parse(kind.apply(List.of())).getDocumentElement().getTextContent())
          .contains("No data");
    }
  }

  @Test
  void hostileLabelsStayText() throws Exception {
    for (var line : Corpora.lines("hostile/xss-strings.jsonl").subList(0, 150)) {
      var hostile = line.path("payload").asString();
      for (var kind : KINDS) {
        var chart =
            parse(kind.apply(List.of(new ChartPoint(hostile, 1), new ChartPoint("calm", 2))));
        var calm =
            parse(kind.apply(List.of(new ChartPoint("hostile", 1), new ChartPoint("calm", 2))));

        assertThat(count(chart)).as(hostile).isEqualTo(count(calm));
      }
    }
  }

  private static int count(Document chart) {
    return chart.getElementsByTagName("*").getLength();
  }

  private static Document parse(String chart) throws Exception {
    var factory = DocumentBuilderFactory.newInstance();
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(chart)));
  }
}
