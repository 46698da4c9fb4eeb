// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot;

import static io.quorate.report.plot.Plots.database;
import static io.quorate.report.plot.Plots.files;
import static io.quorate.report.plot.Plots.run;
import static io.quorate.report.plot.Plots.svgs;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.figures.Frame;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.plot.draw.AltText;
import io.quorate.report.plot.draw.DatabaseSeries;
import io.quorate.report.plot.draw.DatabaseSeries.Distribution;
import io.quorate.report.plot.draw.Line;
import io.quorate.report.plot.draw.LineStyle;
import io.quorate.results.requests.Golden;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Step;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class RunPlotsTest {
  private static final String ETCD_BLUE = "rgb(0,114,178)";
  private static final String ZOOKEEPER_VERMILLION = "rgb(213,94,0)";

  private final DatabaseSeries etcd = database("etcd", "etcd-v3.6.16", 1);
  private final DatabaseSeries zookeeper = database("zookeeper", "zookeeper-v3.9.5", 2);

  @Test
  void whatCanBeDrawnIsDrawnInTheOrderOfThePageAndTheRestIsSaidToBeMissing() {
    RunPlots plots = RunPlots.draw(run(etcd, zookeeper), false, (name, content) -> {});
    assertThat(plots.drawn())
        .extracting(Plot::name)
        .containsExactly(
            "AVG-THROUGHPUT",
            "AVG-LATENCY-MS",
            "LATENCY-DISTRIBUTION-MS",
            "THROUGHPUT-BY-CLIENTS",
            "LATENCY-BY-CLIENTS",
            "AVG-LATENCY-MS-BY-KEY",
            "AVG-LATENCY-MS-BY-KEY-ERROR-POINTS",
            "AVG-CPU");
    assertThat(plots.drawn()).extracting(Plot::section).isSorted();
    assertThat(plots.absent())
        .contains(
            "No FAILED-REQUESTS: no request failed.",
            "No LATENCY-P99-MS, LATENCY-PERCENTILES-MS, LATENCY-HEAT-MAP: latency.hlog has no latencies in the time of"
                + " the requests.")
        .anySatisfy(
            reason ->
                assertThat(reason)
                    .startsWith("No AVG-VMRSS-MB-BY-KEY, AVG-VMRSS-MB-BY-KEY-ERROR-POINTS, ")
                    .contains(", MAX-CPU, ")
                    .endsWith(": there are no metrics of the servers."));
  }

  @Test
  void aPlotIsSaidInWordsWithoutThoseThatAreNotShown() {
    PlotData partly = new PlotData(List.of(etcd, zookeeper), List.of("consul (failed)"));
    Plot plot = RunPlots.draw(partly, false, (name, content) -> {}).drawn().get(0);
    assertThat(plot.title()).isEqualTo("Throughput (requests/s)");
    assertThat(plot.description())
        .isEqualTo(
            "By second. etcd-v3.6.16: median 4, from 1 to 6."
                + " zookeeper-v3.9.5: median 8, from 2 to 12. Not shown: consul (failed).");
    assertThat(plot.svg()).contains("Not shown: consul (failed).</desc>");
  }

  /** Tests what a page with a strict Content-Security-Policy and several plots needs. */
  @Test
  void anSvgNeedsNothingFromElsewhereAndSharesNoIdWithAnother() throws Exception {
    Set<String> ids = new HashSet<>();
    Map<String, String> svgs = svgs(run(etcd, zookeeper));
    assertThat(svgs).hasSize(8);
    for (Map.Entry<String, String> svg : svgs.entrySet()) {
      Document document = parsed(svg.getValue());
      Element root = document.getDocumentElement();
      assertThat(root.getAttribute("role")).isEqualTo("img");
      assertThat(root.getAttribute("viewBox")).isEqualTo("0 0 760 430");
      assertThat(root.hasAttribute("width") || root.hasAttribute("height")).isFalse();
      assertThat(root.getAttribute("aria-labelledby"))
          .isEqualTo(svg.getKey() + "-title " + svg.getKey() + "-desc");
      NodeList elements = document.getElementsByTagName("*");
      for (int i = 0; i < elements.getLength(); i++) {
        Element element = (Element) elements.item(i);
        assertThat(element.getTagName())
            .isIn(
                "svg",
                "title",
                "desc",
                "g",
                "defs",
                "clipPath",
                "path",
                "rect",
                "line",
                "text",
                "circle",
                "polygon",
                "polyline",
                "ellipse");
        check(element, svg.getKey(), ids);
      }
    }
  }

  private static void check(Element element, String name, Set<String> ids) {
    NamedNodeMap attributes = element.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      String attribute = attributes.item(i).getNodeName();
      String value = attributes.item(i).getNodeValue();
      assertThat(attribute).isNotIn("style", "class", "href", "xlink:href").doesNotStartWith("on");
      if (attribute.equals("id")) {
        assertThat(value).startsWith(name + "-");
        assertThat(ids.add(value)).as(value).isTrue();
      }
      if (value.contains("url(")) {
        assertThat(value).startsWith("url(#" + name + "-");
      }
    }
  }

  @Test
  void hostileTextStaysText() throws Exception {
    String hostile = "</text><script>alert('1')</script>&amp;\"\uD83D\uDE00";
    DatabaseSeries named = database("../<b>", hostile, 1);
    RunPlots plots = RunPlots.draw(run(named), false, (name, content) -> {});
    assertThat(plots.drawn()).isNotEmpty();
    for (Plot plot : plots.drawn()) {
      Document document = parsed(plot.svg());
      assertThat(document.getElementsByTagName("script").getLength()).isZero();
      assertThat(document.getElementsByTagName("desc").item(0).getTextContent()).contains(hostile);
    }
  }

  @Test
  void theSameInputGivesTheSameBytesInEveryLocale() {
    SortedMap<String, byte[]> first = files(run(etcd, zookeeper));
    assertThat(first).hasSize(16);
    for (String locale : List.of("en", "de", "ru", "ar")) {
      Golden.inLocale(
          locale,
          () -> {
            SortedMap<String, byte[]> again = files(run(etcd, zookeeper));
            assertThat(again.keySet()).isEqualTo(first.keySet());
            first.forEach((name, bytes) -> assertThat(again.get(name)).as(name).isEqualTo(bytes));
          });
    }
  }

  /** Tests that no two threads measure text at the same time, which Java does not allow. */
  @Test
  void oneThreadDrawsAllPlots() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    RunPlots.draw(
        run(etcd, zookeeper), false, (name, content) -> threads.add(Thread.currentThread()));
    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  void aDatabaseHasTheSameColorInEveryPlotAndRun() {
    assertThat(svgs(run(etcd, zookeeper)).values())
        .hasSize(8)
        .allMatch(svg -> svg.contains(ETCD_BLUE) && svg.contains(ZOOKEEPER_VERMILLION));
    assertThat(svgs(run(zookeeper)).values())
        .hasSize(8)
        .allMatch(svg -> svg.contains(ZOOKEEPER_VERMILLION) && !svg.contains(ETCD_BLUE));
    assertThat(svgs(run(zookeeper, etcd)).values())
        .allMatch(svg -> svg.contains(ETCD_BLUE) && svg.contains(ZOOKEEPER_VERMILLION));
  }

  @Test
  void columnsOfTheSameDatabaseAreToldApartByShadeAndDashes() {
    List<LineStyle> inks =
        LineStyle.of(List.of("etcd__v3_2", "consul", "etcd__v3_3", "etcd", "other", "etcd"));
    assertThat(inks.get(0).color()).isEqualTo(LineStyle.of(List.of("etcd")).get(0).color());
    assertThat(inks.get(0).dash()).isEmpty();
    assertThat(inks.get(1).dash()).isEmpty();
    assertThat(inks.get(2).dash()).containsExactly(6f, 2f);
    assertThat(inks.get(3).dash()).containsExactly(2f, 2f);
    assertThat(inks).doesNotHaveDuplicates();
    assertThat(inks.get(5).dash()).isNotEqualTo(inks.get(2).dash());
  }

  @Test
  void stepsAreMarkedWithTheirNumbersOfLoad() {
    String svg = svgs(run(etcd)).get("AVG-THROUGHPUT");
    assertThat(svg).contains(">clients<", ">1<", ">50<");
  }

  @Test
  void stepsOfAnOpenLoopAreNamedByTheirRates() {
    Histogram nanos = new Histogram(3);
    nanos.recordValueWithCount(2_000_000, 1000);
    DatabaseSeries open =
        new DatabaseSeries(
            "etcd",
            "etcd",
            "etcd",
            List.of(),
            1,
            List.of(),
            List.of(step(1, 1000), step(4, 2000)),
            new Frame(6).add("AVG-THROUGHPUT", new double[] {990, 990, 990, 1500, 1500, 1500}, 0),
            new Frame(0),
            new Frame(0),
            List.of(),
            List.of(
                new Distribution(Optional.of("put"), 0, false, nanos),
                new Distribution(Optional.of("put"), 0, true, nanos)),
            List.of(),
            List.of());
    Map<String, String> svgs = svgs(run(open));
    assertThat(svgs)
        .containsOnlyKeys(
            "AVG-THROUGHPUT", "LATENCY-DISTRIBUTION-MS", "THROUGHPUT-BY-RATE", "LATENCY-BY-RATE");
    assertThat(svgs.get("AVG-THROUGHPUT")).contains(">offered/s<", ">2000<");
    assertThat(svgs.get("THROUGHPUT-BY-RATE"))
        .contains(">requests/s offered<", "etcd: 1,000 at 1,000, 1,000 at 2,000.</desc>");
    assertThat(svgs.get("LATENCY-DISTRIBUTION-MS"))
        .contains(
            "Response time by percentile of the requests (ms)</title>",
            ">etcd put<",
            ">etcd put, service time<",
            " etcd put: 2 for half of them, 2 for 99%, 2 for the slowest.",
            "stroke-dasharray=\"4,3\"");
    assertThat(svgs(run(etcd)).get("LATENCY-DISTRIBUTION-MS"))
        .contains("etcd-v3.6.16: 2.5 for half of them, 4.95 for 99%, 5 for the slowest.</desc>");
  }

  private static StepFigures step(long firstSecond, long rate) {
    LoadModel open = new LoadModel.Open(rate, LoadModel.Arrivals.CONSTANT, 5);
    return Plots.step(
        new Step(open, 5, 3000, Optional.empty()),
        firstSecond,
        new double[] {1, 2, 3},
        1000,
        1000,
        1000);
  }

  @Test
  void aRunOfOneSecondIsPoints() {
    Frame second = new Frame(1).add("AVG-THROUGHPUT", new double[] {17}, 0);
    DatabaseSeries brief =
        new DatabaseSeries(
            "consul",
            "consul",
            "consul",
            List.of(),
            1,
            List.of(),
            List.of(),
            second,
            new Frame(0),
            new Frame(0),
            List.of(),
            List.of(),
            List.of(),
            List.of());
    assertThat(svgs(run(brief))).containsOnlyKeys("AVG-THROUGHPUT");
    assertThat(svgs(run(brief)).get("AVG-THROUGHPUT"))
        .contains("<circle ", "consul: 17.</desc>")
        .doesNotContain(">clients<");
  }

  @Test
  void aPercentileIsDescribedByItsPercentAndAPointByItsClients() {
    assertThat(AltText.ofPercentiles("etcd", 5.58, 164.2, 281))
        .isEqualTo("etcd: 5.58 for half of them, 164 for 99%, 281 for the slowest.");
    assertThat(
            AltText.ofPoints(
                new Line(
                    "etcd",
                    new LineStyle(java.awt.Color.BLACK, List.of()),
                    new double[] {1, 100},
                    new double[] {1019, 4711})))
        .isEqualTo("etcd: 1,019 at 1, 4,711 at 100.");
  }

  @Test
  void aRunOfNothingHasNoPlots() {
    RunPlots plots = RunPlots.draw(run(), false, (name, content) -> {});
    assertThat(plots.drawn()).isEmpty();
    assertThat(plots.absent())
        .containsExactly(
            "No plots: no database has a complete, readable run with a successful request.");
  }

  @Test
  void aPngIsTwiceAsLargeAndShowsTheSame() throws IOException {
    var image = ImageIO.read(new ByteArrayInputStream(files(run(etcd)).get("AVG-THROUGHPUT.png")));
    assertThat(image.getWidth()).isEqualTo(1520);
    assertThat(image.getHeight()).isEqualTo(860);
    Set<Integer> colors = new HashSet<>();
    for (int x = 0; x < image.getWidth(); x++) {
      for (int y = 0; y < image.getHeight(); y++) {
        colors.add(image.getRGB(x, y) & 0xffffff);
      }
    }
    assertThat(colors).contains(0xffffff, 0x0072b2);
  }

  @Test
  void theReferencesPlotsAreThoseOfItsListAndThoseByKey() {
    RunPlots plots =
        RunPlots.draw(
            run(etcd), List.of("AVG-CPU", "AVG-CPU", "AVG-LATENCY-MS"), (name, content) -> {});
    assertThat(plots.drawn())
        .extracting(Plot::name)
        .containsExactly(
            "AVG-CPU",
            "AVG-LATENCY-MS",
            "AVG-LATENCY-MS-BY-KEY",
            "AVG-LATENCY-MS-BY-KEY-ERROR-POINTS");
    assertThat(RunPlots.columns())
        .hasSize(15)
        .contains("AVG-THROUGHPUT", "MAX-CPU", "AVG-TRANSMIT-BYTES-NUM-DELTA")
        .doesNotContain("FAILED-REQUESTS");
  }

  private static Document parsed(String svg) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
  }
}
