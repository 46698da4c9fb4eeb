// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import static io.quorate.report.PartsInOrder.partsInOrder;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cli.Colors;
import io.quorate.report.GoldenRun;
import io.quorate.report.plot.Plot;
import io.quorate.report.plot.PlotSection;
import io.quorate.report.plot.RunPlots;
import io.quorate.results.RunPlan;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.manifest.Verifications;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code index.html}. */
class RunPageTest {
  private static final String HOSTILE = "<script>document.title='x'</script>\"'&\u202e\u0007`|";

  private static final Pattern PLOT =
      Pattern.compile("<div class=\"plot\".*? aria-label=\"([^\"]*)\"");

  private static final Pattern CHART =
      Pattern.compile(
          "\"title\":\"([^\"]*)\",\"across\":\\{[^}]*},\"up\":\\{\"label\":\"([^\"]*)\",\"unit\":\"([^\"]*)\"");

  @TempDir static Path unchanged;
  private static GoldenRun golden;

  @TempDir Path results;

  @Test
  void thePageSaysWhatTheFiguresSay() {
    assertThat(goldenPage())
        .contains("<h1>Quick look</h1>")
        .contains(
            "<p class=\"verdict\">Highest throughput: etcd, 412/s with 10 clients (ZooKeeper 255/s"
                + " with 7, Consul 194/s with 5). Unequal loads: this compares them, not the"
                + " databases. Not all requests succeeded: ZooKeeper (22 failed of 5,000).</p>")
        .contains("<li>Requests were measured for less than a minute (etcd for 12.1\u00a0s,")
        .contains(
            "<tr><th scope=\"row\" align=\"left\">Latency p50</th><td align=\"right\">21.987327"
                + " ms</td><td align=\"right\">19.972095 ms</td><td align=\"right\">23.281663"
                + " ms</td></tr>")
        .contains("<a href=\"etcd/manifest.json\">manifest.json</a>");
  }

  @Test
  void theFirstScreenIsATableAPictureAtMostThreeSentencesAndTheirLimits() {
    assertThat(goldenPage())
        .is(
            partsInOrder(
                "<nav ",
                "<h1>Quick look</h1>",
                "<p class=\"verdict\">Highest throughput: etcd, 412/s with 10 clients ",
                "<th scope=\"col\">throughput /s</th><th scope=\"col\">p50 ms</th>",
                "#0072b2\"></i>etcd, 10 clients</th><td align=\"right\">412 <small"
                    + " class=\"ratio\">1.00</small></td>",
                "</i>ZooKeeper, 7 clients</th><td align=\"right\" class=\"worse\">255"
                    + " <small class=\"ratio\">0.62</small></td>",
                "<td align=\"right\">22</td><td align=\"right\">270</td></tr>",
                "id=\"LATENCY-DISTRIBUTION-MS-title\"",
                "<p class=\"limitation\">",
                " more limitations</summary>",
                "./quorate run ",
                "<h2 id=\"plots-title\" class=\"unseen\">Plots</h2>",
                "<summary><h2>All plots (",
                "<summary><h2>Table in dbtester&#39;s format</h2></summary>"));
  }

  @Test
  void theBestOfARowIsMarkedWithAWord() {
    GoldenRun run = new GoldenRun(results, "etcd", "zookeeper", "consul").withEqualClients();
    run.writeWithoutPlots();
    assertThat(run.read("index.html"))
        .contains(
            "<th scope=\"row\" align=\"left\">AVG-THROUGHPUT</th><td"
                + " align=\"right\"><small>best</small> <b>411 req/sec</b></td><td"
                + " align=\"right\">254 req/sec</td><td align=\"right\">193 req/sec</td>")
        .as("a column with errors wins nothing")
        .contains("<th scope=\"row\" align=\"left\">Latency p90</th><td align=\"right\">")
        .doesNotContainPattern(
            "Latency p10</th><td align=\"right\">[^<]*</td><td align=\"right\"><small>best")
        .as("who does less needs less")
        .doesNotContainPattern("MAX-CPU-USAGE</th>.*<small>best");
  }

  @Test
  void aPercentileOfAHandfulOfRequestsHasNoBest() {
    GoldenRun run = new GoldenRun(results, "etcd", "zookeeper");
    run.writeWithoutPlots();
    assertThat(run.read("index.html"))
        .contains(
            "Latency p99.9</th><td align=\"right\">82.051071 ms</td>"
                + "<td align=\"right\">3808.428031 ms</td>");
  }

  @Test
  void plotsStandInTheirSectionsAndLeadToTheirFiles() {
    GoldenRun run = new GoldenRun(results, "etcd");
    run.write("plots/P-LATENCY.svg", "");
    run.write("plots/P-LATENCY.csv", "");
    run.writePage(
        new RunPlots(
            List.of(plot("P-LATENCY", PlotSection.LATENCY), plot("P-RATE", PlotSection.THROUGHPUT)),
            List.of("P-KEYS: no <keys> were written"),
            Optional.empty()));
    String page = run.read("index.html");
    assertThat(page)
        .is(
            partsInOrder(
                "<h3 id=\"plots-throughput\">Throughput</h3>",
                "aria-label=\"P-RATE title\">",
                "<h3 id=\"plots-latency\">Latency</h3>",
                "id=\"P-LATENCY\" aria-label=\"P-LATENCY title\">",
                "<div class=\"picture\"><svg viewBox=\"0 0 60 30\" id=\"P-LATENCY-picture\"/></div>",
                "<p class=\"caption\">It &lt;shows&gt;.",
                "<a href=\"plots/P-LATENCY.svg\">SVG</a> <a href=\"plots/P-LATENCY.csv\">CSV</a>",
                "<h3>Not drawn</h3>",
                "<li>P-KEYS: no &lt;keys&gt; were written</li>"))
        .doesNotContain("P-RATE.svg", "P-LATENCY.png");
  }

  @Test
  void everyPlotHasTheUnitOfItsAxis() {
    assertThat(PLOT.matcher(goldenPage()).results().map(plot -> plot.group(1)))
        .containsExactly(
            "Latency by percentile of the requests (ms)",
            "Throughput (requests/s)",
            "Server CPU, mean over the servers (% of one core)",
            "Bytes written by a server (bytes/s)",
            "Mean latency (ms)",
            "Latency by keys, minimum to maximum (ms)",
            "Server memory by keys, least to most over the servers (MB)",
            "Bytes read from disk by keys (bytes/s)",
            "Bytes written to disk by keys (bytes/s)",
            "Server CPU, of the busiest server (% of one core)",
            "Server memory, mean over the servers (MB)",
            "Voluntary context switches of a server (since it started)",
            "Non-voluntary context switches of a server (since it started)",
            "Disk reads of a server (reads/s)",
            "Sectors read by a server (sectors of 512 bytes/s)",
            "Bytes read by a server (bytes/s)",
            "Disk writes of a server (writes/s)",
            "Sectors written by a server (sectors of 512 bytes/s)",
            "Network, received by a server (bytes/s)",
            "Network, sent by a server (bytes/s)",
            "Requests that failed (errors/s)");
    assertThat(CHART.matcher(goldenPage()).results())
        .as("title, and label and unit of the axis")
        .hasSizeGreaterThan(18)
        .allMatch(
            chart ->
                chart.group(1).endsWith(" (" + chart.group(2) + ")")
                    && chart.group(2).equals(chart.group(3)));
  }

  @Test
  void whateverIsInTheFilesStaysText() {
    GoldenRun run = new GoldenRun(results, "etcd", "zookeeper");
    String json = HOSTILE.replace("\"", "\\\"").replace("\u0007", "\\u0007");
    run.replace("etcd/manifest.json", "Quick look", json);
    run.replace("etcd/manifest.json", "etcd-v3.3.0-go1.9.3", json);
    run.replace("etcd/manifest.json", "\"bench-1\"", "\"" + json + "\"");
    run.replace("zookeeper/errors.csv", "zk: connection closed", "<img src=x onerror=alert(1)>");
    run.write("etcd/<b onclick='x'>.csv", "");
    run.report().write();
    String page = run.read("index.html");
    assertThat(page)
        .doesNotContain("<script>document", "<img", "<b onclick", "\u202e", "\u0007")
        .contains(
            "<h1>&lt;script&gt;document.title=&#39;x&#39;&lt;/script&gt;&quot;&#39;&amp;\\u202e\\a`|</h1>")
        .contains("&lt;img src=x onerror=alert(1)&gt;")
        .contains("<a href=\"etcd/%3Cb%20onclick%3D%27x%27%3E.csv\">");
    assertThat(page.split("<script", -1)).as("its data and scripts").hasSize(1 + 4);
  }

  @Test
  void allPlotsAreAsManyAsTheirTitleSays() {
    String[] parts = goldenPage().split("<summary><h2>All plots \\(", 2);
    String fold = parts[1].substring(0, parts[1].indexOf("<summary>"));
    assertThat(fold).startsWith(PLOT.matcher(fold).results().count() + ")");
  }

  @Test
  void theFileOfErrorsOfMoreKindsIsNamedByItsDirectory() {
    GoldenRun run = new GoldenRun(results, "etcd", "zookeeper");
    List<String> lines = run.read("zookeeper/errors.csv").lines().toList();
    StringBuilder single = new StringBuilder(lines.get(0)).append('\n');
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",");
      for (int i = Integer.parseInt(cells[5]); i > 0; i--) {
        cells[4] = "kind " + single.length();
        cells[5] = "1";
        single.append(String.join(",", cells)).append('\n');
      }
    }
    run.write("zookeeper/errors.csv", single.toString());
    run.writeWithoutPlots();
    assertThat(run.read("index.html")).contains("2 more messages are in zookeeper/errors.csv.");
  }

  @Test
  void errorsAreCountedByKind() {
    assertThat(goldenPage())
        .contains(
            "<tr><td class=\"text\">connection</td>"
                + "<td class=\"text message\">zk: connection closed</td>"
                + "<td align=\"right\">17</td><td align=\"right\">0.34%</td></tr>");
  }

  @Test
  void aDatabaseThatFailedIsNamedAndNotCompared() {
    GoldenRun run = new GoldenRun(results, "etcd", "zookeeper");
    Manifests.of("consul", "consul", 1, 5000)
        .failed(Manifests.START, "no <leader>")
        .write(run.directory().createDatabase("consul"));
    run.writeWithoutPlots();
    assertThat(run.read("index.html"))
        .contains(
            "<p class=\"limitation\">Consul: failed before the first request was measured (no"
                + " &lt;leader&gt;), so it is not compared.</p>")
        .contains("<td align=\"left\">failed: no &lt;leader&gt;</td>")
        .contains(
            "<th scope=\"col\">etcd-v3.3.0-go1.9.3</th>"
                + "<th scope=\"col\">zookeeper-r3.5.3-beta-java8</th></tr>");
  }

  @Test
  void keysThatWereAcknowledgedAndAreLostStandBeforeEverythingElse() {
    GoldenRun run = new GoldenRun(results, "etcd", "zookeeper");
    Manifest.read(run.directory().createDatabase("zookeeper").manifest())
        .withVerification(Verifications.LOST)
        .failed(Manifests.START.plusSeconds(60), Verifications.LOST.reason())
        .write(run.directory().createDatabase("zookeeper"));
    run.writeWithoutPlots();
    String lost =
        "ZooKeeper does not have what it acknowledged: of 99,990 acknowledged keys verified, "
            + "1 is missing and 1 wrong; 00000017: it is missing; 00000042: the value that was "
            + "read is empty; the database counts 999,999 keys, 1 fewer than it acknowledged.";
    assertThat(run.read("index.html"))
        .is(
            partsInOrder(
                "</h1>", "<p class=\"lost\" role=\"alert\"><b>" + lost + "</b></p>\n</header>"));
    assertThat(run.read("all-aggregated.txt"))
        .contains("99,990 of 1,000,000 acknowledged keys verified, 1 missing and 1 wrong");
  }

  @Test
  void thatAllIsAsItWasWrittenStandsBelowTheTable() {
    GoldenRun run = new GoldenRun(results, "etcd");
    Manifest.read(run.directory().createDatabase("etcd").manifest())
        .withVerification(Verifications.INTACT)
        .write(run.directory().createDatabase("etcd"));
    run.writeWithoutPlots();
    assertThat(run.read("all-aggregated.txt").replaceAll("\\s+", " "))
        .contains(
            "etcd: 100,000 of 1,000,000 acknowledged keys verified, all correct, the database "
                + "counts 1,000,000 keys, 4.1 s");
    assertThat(run.read("index.html")).doesNotContain("class=\"lost\"");
  }

  @Test
  void aRunThatWasInterruptedHasItsValuesInTheFirstTable() {
    GoldenRun run = new GoldenRun(results, "etcd", "zookeeper");
    run.replace("zookeeper/manifest.json", "\"complete\"", "\"interrupted\"");
    run.writeWithoutPlots();
    assertThat(run.read("index.html"))
        .is(
            partsInOrder(
                "</i>etcd</th><td align=\"right\">412</td>",
                ">not complete, so not compared</th></tr>",
                ">ZooKeeper (interrupted)</th><td align=\"right\">25"))
        .contains("etcd completed 412 requests/s.");
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .anyMatch(line -> line.startsWith("\u2717 ZooKeeper: interrupted after "));
  }

  @Test
  void aRunThatEndedEarlyHasItsValuesInTheTableButIsNotCompared() {
    GoldenRun run = new GoldenRun(results, "etcd", "zookeeper");
    run.replace("zookeeper/manifest.json", "\"complete\"", "\"ended-early\"");
    run.writeWithoutPlots();
    assertThat(run.read("index.html"))
        .contains(
            "ZooKeeper: ended early after ",
            "\u00b6 The run ended early or goes on: its values cover the requests until then");
    assertThat(run.read("all-aggregated.txt")).contains("\u00b6", "zookeeper-");
    assertThat(run.report().consoleSummary(Colors.NONE).lines())
        .anyMatch(line -> line.startsWith("ZooKeeper: ended early after "))
        .anyMatch(line -> line.contains("\u00b6 what ended early, or goes on, covers a part"));
  }

  @Test
  void aRunWhoseProcessIsAliveIsCalledRunning() throws IOException {
    GoldenRun run = new GoldenRun(results, "etcd");
    Path file = run.directory().path().resolve("etcd/manifest.json");
    Manifest.read(file)
        .withHost(HostInfo.ofThisMachine())
        .write(run.directory().createDatabase("etcd"));
    run.replace("etcd/manifest.json", "\"complete\"", "\"interrupted\"");
    run.writeWithoutPlots();
    assertThat(run.read("index.html"))
        .contains("No verdict yet: the run is running.", "etcd: running after ")
        .doesNotContain("interrupted");

    String text = Files.readString(file);
    run.write("etcd/manifest.json", text.replaceFirst("\"pid\" : [0-9]+", "\"pid\" : 2147483647"));
    run.writeWithoutPlots();
    assertThat(run.read("index.html")).contains(">etcd (interrupted)</th>");
  }

  @Test
  void aRunWithoutAResultStillHasAPage() {
    GoldenRun run = new GoldenRun(results);
    Manifests.of("etcd", "etcd", 1, 5000).write(run.directory().createDatabase("etcd"));
    run.writeWithoutPlots();
    assertThat(run.read("index.html"))
        .contains("No verdict: no database completed its run.")
        .contains(
            "<p>There is no table of all values: no database has a complete, readable run.</p>")
        .contains(
            "<p class=\"limitation\">etcd: interrupted before the first request was measured, so it is not compared.")
        .contains("<p>No failed request was recorded.</p>");
    assertThat(run.read("all-aggregated.txt"))
        .contains("etcd: interrupted before the first request");
  }

  @Test
  void theCommandIsThatOfTheRun() {
    GoldenRun run = new GoldenRun(results, "etcd", "consul");
    run.replace("etcd/manifest.json", "\"scale\" : 1.0", "\"scale\" : 0.01");
    new RunPlan(
            "my file's.yaml",
            "title: t",
            Map.of(
                "scenario",
                "my file's.yaml",
                "agents",
                "10.0.0.1:7300",
                "agent.keys",
                "/home/me/keys",
                "tls.ca",
                "/home/me/ca.pem",
                "credentials",
                "/home/me/login",
                "maintain",
                "true",
                "clients",
                "1,10",
                "pods.per.node",
                "20"))
        .write(run.directory());
    run.writeWithoutPlots();
    assertThat(run.read("index.html"))
        .contains(
            """
            git checkout f9c4a351
            ./quorate run &#39;my file&#39;\\&#39;&#39;s.yaml&#39; --database etcd --scale 0.01 --clients 1,10 --pods-per-node 20 --agents 10.0.0.1:7300 --agent-keys YOUR_KEYS --tls-ca YOUR_CA --credentials YOUR_CREDENTIALS --maintain
            ./quorate run &#39;my file&#39;\\&#39;&#39;s.yaml&#39; --database consul --clients 1,10 --pods-per-node 20 --agents 10.0.0.1:7300 --agent-keys YOUR_KEYS --tls-ca YOUR_CA --credentials YOUR_CREDENTIALS --maintain
            """);
  }

  @Test
  void theSameFilesGiveTheSamePages() {
    String before = goldenPage();
    String result = golden.read("result.json");
    Golden.inLocale("ar-EG", () -> golden.report().write());
    assertThat(golden.read("index.html")).isEqualTo(before);
    assertThat(golden.read("result.json")).isEqualTo(result);
  }

  /** Returns the page of the run as it is, which is written once. */
  private static String goldenPage() {
    if (golden == null) {
      golden = new GoldenRun(unchanged, "etcd", "zookeeper", "consul");
      golden.report().write();
    }
    return golden.read("index.html");
  }

  private static Plot plot(String name, PlotSection section) {
    String svg = "<svg viewBox=\"0 0 60 30\" id=\"" + name + "-picture\"/>";
    return new Plot(name, section, name + " title", "It <shows>.", svg, Optional.empty());
  }
}
