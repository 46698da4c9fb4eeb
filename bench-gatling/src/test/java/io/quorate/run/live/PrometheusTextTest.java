package io.quorate.run.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
  @Test
  void a_family_has_its_head_and_what_is_special_is_escaped() {
    PrometheusText text = new PrometheusText();
    text.family("quorate_a_total", PrometheusText.Type.COUNTER, "A back\\slash and\na line.");
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("store", "etcd");
    labels.put("kind", "a \"quoted\"\n\\word");
    text.sample("quorate_a_total", labels, 12_345_678L);
    text.family("quorate_b", PrometheusText.Type.GAUGE, "Without labels.");
    text.sample("quorate_b", Map.of(), 0.25);

    assertThat(text)
        .hasToString(
            """
            # HELP quorate_a_total A back\\\\slash and\\na line.
            # TYPE quorate_a_total counter
            quorate_a_total{store="etcd",kind="a \\"quoted\\"\\n\\\\word"} 12345678
            # HELP quorate_b Without labels.
            # TYPE quorate_b gauge
            quorate_b 0.25
            """);
  }

  @Test
  void the_buckets_of_a_histogram_add_up_to_its_count() {
    Histogram times = new Histogram(4);
    times.recordValue(100_000); // on the bound of the first bucket
    times.recordValueWithCount(2_000_000, 3);
    times.recordValue(20_000_000_000L);
    LatencyBuckets buckets = new LatencyBuckets();
    buckets.add(times);
    buckets.add(times);
    PrometheusText text = new PrometheusText();
    buckets.write(text, "quorate_t_seconds", Map.of("store", "etcd"));

    assertThat(text.toString().lines())
        .contains(
            "quorate_t_seconds_bucket{store=\"etcd\",le=\"0.0001\"} 2",
            "quorate_t_seconds_bucket{store=\"etcd\",le=\"0.001\"} 2",
            "quorate_t_seconds_bucket{store=\"etcd\",le=\"0.0025\"} 8",
            "quorate_t_seconds_bucket{store=\"etcd\",le=\"10\"} 8",
            "quorate_t_seconds_bucket{store=\"etcd\",le=\"+Inf\"} 10",
            "quorate_t_seconds_count{store=\"etcd\"} 10")
        .anyMatch(line -> line.startsWith("quorate_t_seconds_sum{store=\"etcd\"} 40.01"))
        .hasSize(19);
  }
}
