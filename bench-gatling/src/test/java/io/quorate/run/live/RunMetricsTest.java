// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.quorate.QuorateException;
import io.quorate.cluster.TestServers;
import io.quorate.load.Load;
import io.quorate.measure.RunClock;
import io.quorate.results.latency.LatencyTag;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Endpoint;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunMetricsTest {
  private static final Pattern BUCKET =
      Pattern.compile(
          "quorate_response_time_seconds_bucket\\{database=\"memory\",operation=\"put\",step=\"1\",le=\"([^\"]+)\"}"
              + " (\\d+)");

  private final Endpoint address = new Endpoint("127.0.0.1", TestServers.freePort("127.0.0.1"));
  private final RunMetrics metrics = new RunMetrics("memory", load());

  private static Load load() {
    Scenario scenario =
        ScenarioReader.read(
            "test.yaml",
            """
            title: Writes
            operation: put
            requests: 10
            cold-start: true
            keys: {size: 16}
            values: {size: 16}
            load: {clients: 1}
            databases: [memory]
            """,
            1);
    return new Load(LoadShare.whole(scenario, scenario.databases().get(0)), RunClock.start());
  }

  @Test
  void an_address_that_other_machines_reach_has_a_warning() {
    assertThat(RunMetrics.location(new Endpoint("127.0.0.1", 9464)))
        .isEqualTo("metrics at http://127.0.0.1:9464/metrics");
    assertThat(RunMetrics.location(new Endpoint("0.0.0.0", 9464)))
        .isEqualTo(
            "metrics at http://0.0.0.0:9464/metrics, without authentication, for everyone who can"
                + " reach this address");
  }

  private HttpResponse<String> scrape() throws Exception {
    try (HTTPServer server = metrics.serve(address)) {
      assertThat(server.getPort()).isEqualTo(address.port());
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create("http://" + address + "/metrics")).build(),
              HttpResponse.BodyHandlers.ofString());
    }
  }

  private void record(long... nanos) {
    Histogram interval = new Histogram(3);
    for (long each : nanos) {
      interval.recordValue(each);
    }
    metrics.add(LatencyTag.response(1, "put"), interval);
  }

  @Test
  void metrics_are_served_in_the_text_format() throws Exception {
    record(1_500_000, 2_000_000);
    record(3_000_000, 200_000_000_000L);
    HttpResponse<String> answer = scrape();
    assertThat(answer.headers().firstValue("Content-Type"))
        .contains("text/plain; version=0.0.4; charset=utf-8");
    String labels = "{database=\"memory\",operation=\"put\",step=\"1\"";
    assertThat(answer.body().lines())
        .contains(
            "# TYPE quorate_response_time_seconds histogram",
            "quorate_steps{database=\"memory\"} 1.0",
            "quorate_step{database=\"memory\"} 0.0",
            "quorate_response_time_seconds_bucket" + labels + ",le=\"1.0E-5\"} 0",
            "quorate_response_time_seconds_bucket" + labels + ",le=\"0.00158\"} 1",
            "quorate_response_time_seconds_bucket" + labels + ",le=\"100.0\"} 3",
            "quorate_response_time_seconds_bucket" + labels + ",le=\"+Inf\"} 4",
            "quorate_response_time_seconds_count" + labels + "} 4");
    assertThat(answer.body().lines())
        .anyMatch(
            line -> line.startsWith("quorate_response_time_seconds_sum" + labels + "} 199.99"))
        .filteredOn(BUCKET.asPredicate())
        .hasSize(177);
  }

  /** 100 requests: 98 that are fast, and two of the given time, which is the 99th percentile. */
  @ParameterizedTest
  @ValueSource(
      longs = {11_000, 250_000, 1_000_001, 1_096_478, 4_999_999, 47_123_456, 9_000_000_000L})
  void the_p99_that_grafana_computes_is_off_by_at_most_ten_percent(long nanos) throws Exception {
    long[] times = new long[100];
    java.util.Arrays.fill(times, 10_000);
    times[40] = nanos;
    times[90] = nanos;
    record(times);
    assertThat(quantile(0.99, scrape().body())).isCloseTo(nanos / 1e9, within(nanos / 1e10));
  }

  @Test
  void the_p99_of_an_even_distribution_is_off_by_at_most_ten_percent() throws Exception {
    for (long nanos = 100_000; nanos <= 100_000_000; nanos += 100_000) {
      record(nanos);
    }
    String text = scrape().body();
    assertThat(quantile(0.5, text)).isCloseTo(0.050, within(0.005));
    assertThat(quantile(0.99, text)).isCloseTo(0.099, within(0.0099));
  }

  /** Computes what Prometheus' histogram_quantile does: it interpolates within a bucket. */
  private static double quantile(double part, String text) {
    List<MatchResult> buckets = BUCKET.matcher(text).results().toList();
    double rank = part * Double.parseDouble(buckets.get(buckets.size() - 1).group(2));
    double lower = 0;
    double below = 0;
    for (MatchResult bucket : buckets) {
      double count = Double.parseDouble(bucket.group(2));
      double upper = Double.parseDouble(bucket.group(1).replace("+Inf", "Infinity"));
      if (count >= rank) {
        return lower + (upper - lower) * (rank - below) / (count - below);
      }
      lower = upper;
      below = count;
    }
    throw new AssertionError("no bucket has rank " + rank);
  }

  @Test
  void the_error_about_a_taken_port_says_how_to_choose_another() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Endpoint taken = new Endpoint("127.0.0.1", other.getLocalPort());
      String end = ": choose another address with --metrics HOST:PORT, or leave it out";
      assertThatThrownBy(() -> RunMetrics.requireFree("metrics", taken))
          .isInstanceOf(QuorateException.class)
          .hasMessageStartingWith("metrics: cannot listen on " + taken + ": ")
          .hasMessageEndingWith(end);
      assertThatThrownBy(() -> metrics.serve(taken))
          .isInstanceOf(QuorateException.class)
          .hasMessageStartingWith("metrics: cannot listen on " + taken + ": ")
          .hasMessageEndingWith(end);
    }
  }

  @Test
  void an_address_can_be_used_after_it_was_checked() throws Exception {
    RunMetrics.requireFree("metrics", address);
    assertThat(scrape().statusCode()).isEqualTo(200);
  }
}
