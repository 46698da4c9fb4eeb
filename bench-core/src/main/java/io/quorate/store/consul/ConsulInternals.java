// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.driver.HttpResponseText;
import io.quorate.store.server.Figure;
import io.quorate.store.server.ServerInternals;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads {@code /v1/agent/metrics} of Consul. Servers that Quorate starts support Prometheus'
 * format. Others support it only if they are configured to keep values for it; otherwise JSON is
 * requested, which Consul 1.22.7 cannot return while one of its values is NaN. In JSON, counters
 * and samples cover the last ten complete seconds, and the names of gauges do not contain the name
 * of the host.
 */
public final class ConsulInternals implements ServerInternals {
  private static final List<String> GAUGES =
      List.of(
          "raft.applied_index",
          "raft.fsm.lastRestoreDuration",
          "raft.last_index",
          "raft.leader.oldestLogAge",
          "runtime.alloc_bytes",
          "runtime.heap_objects",
          "runtime.num_goroutines",
          "runtime.sys_bytes",
          "runtime.total_gc_pause_ns",
          "runtime.total_gc_runs",
          "server.isLeader",
          "state.kv_entries");
  private static final List<String> COUNTERS =
      List.of(
          "client.rpc.exceeded",
          "client.rpc.failed",
          "raft.apply",
          "raft.state.candidate",
          "raft.state.leader",
          "raft.wal.log_appends",
          "raft.wal.log_entry_bytes_written",
          "rpc.query",
          "rpc.rate_limit.exceeded",
          "rpc.request");
  private static final List<String> SAMPLES =
      List.of(
          "fsm.kvs",
          "kvs.apply",
          "raft.commitTime",
          "raft.fsm.apply",
          "raft.leader.dispatchLog",
          "raft.leader.lastContact",
          "raft.boltdb.storeLogs",
          "raft.boltdb.writeCapacity",
          "raft.fsm.restore",
          "raft.replication.appendEntries.rpc",
          "raft.replication.heartbeat",
          "raft.rpc.appendEntries.storeLogs",
          "raft.rpc.installSnapshot",
          "raft.snapshot.create",
          "raft.snapshot.persist",
          "raft.snapshot.takeSnapshot",
          "raft.thread.main.saturation",
          "raft.thread.fsm.saturation",
          "runtime.gc_pause_ns");

  /**
   * Metrics that only exist with labels, one for each peer or limit. Their counts and sums are
   * added up, and other values are the greatest.
   */
  private static final Set<String> LABELED =
      Set.of(
          "raft.replication.appendEntries.rpc",
          "raft.replication.heartbeat",
          "rpc.rate_limit.exceeded");

  private static final Set<String> LABELED_PROMETHEUS =
      LABELED.stream()
          .flatMap(each -> Stream.of("", "_sum", "_count").map(end -> prometheusName(each) + end))
          .collect(Collectors.toUnmodifiableSet());

  private static final Pattern QUANTILE = Pattern.compile("[{,](quantile=\"[^\"]*\")}$");

  private static final String METRICS = "/v1/agent/metrics";

  private static final Map<String, String> PROMETHEUS = prometheusNames();

  private final ObjectMapper json = new ObjectMapper();

  @Override
  public Map<String, Double> ask(Endpoint endpoint, Access access, Duration limit)
      throws IOException {
    Map<String, String> token = ConsulRequest.headers(access);
    HttpResponseText answer =
        HttpResponseText.to(
            "GET", endpoint, access, METRICS + "?format=prometheus", "", token, limit);
    return answer.isOk()
        ? parsedPrometheus(answer.body())
        : parsed(HttpResponseText.content(endpoint, access, METRICS, token, limit));
  }

  @Override
  public List<Wait> waits() {
    return List.of(
        new Wait(prometheusName("raft.commitTime") + "_p99", "Raft's commit", 1),
        new Wait(prometheusName("raft.leader.dispatchLog") + "_p99", "writing Raft's log", 1));
  }

  /** Parses Prometheus' format, with unchanged names, and counters and sums since the start. */
  public static Map<String, Double> parsedPrometheus(String metrics) {
    Map<String, Double> figures = new TreeMap<>();
    metrics
        .lines()
        .filter(line -> line.startsWith("consul_"))
        .forEach(
            line -> {
              int blank = line.lastIndexOf(' ');
              String name = PROMETHEUS.get(withoutLabels(line.substring(0, Math.max(0, blank))));
              if (name != null) {
                Figure.parse(line.substring(blank + 1))
                    .ifPresent(value -> figures.merge(name, value, together(name)));
              }
            });
    return figures;
  }

  /** Returns the name of a metric without the labels that its parts have, but with its quantile. */
  private static String withoutLabels(String name) {
    int brace = name.indexOf('{');
    if (brace < 0 || !LABELED_PROMETHEUS.contains(name.substring(0, brace))) {
      return name;
    }
    Matcher quantile = QUANTILE.matcher(name);
    return name.substring(0, brace) + (quantile.find() ? "{" + quantile.group(1) + "}" : "");
  }

  /** Returns how parts of a metric become one value. */
  private static BinaryOperator<Double> together(String name) {
    return name.endsWith("_p50") || name.endsWith("_p99") ? Math::max : Double::sum;
  }

  private static Map<String, String> prometheusNames() {
    Map<String, String> names = new HashMap<>();
    Stream.concat(GAUGES.stream(), COUNTERS.stream())
        .map(ConsulInternals::prometheusName)
        .forEach(name -> names.put(name, name));
    for (String sample : SAMPLES) {
      String name = prometheusName(sample);
      names.put(name + "_count", name + "_count");
      names.put(name + "_sum", name + "_sum");
      names.put(name + "{quantile=\"0.5\"}", name + "_p50");
      names.put(name + "{quantile=\"0.99\"}", name + "_p99");
    }
    return Map.copyOf(names);
  }

  private static String prometheusName(String name) {
    return "consul_" + name.replace('.', '_');
  }

  /** Parses JSON. Counters and samples with labels are parts of others, except {@link #LABELED}. */
  public Map<String, Double> parsed(String answer) throws IOException {
    JsonNode metrics = json.readTree(answer);
    Map<String, Double> figures = new TreeMap<>();
    for (JsonNode gauge : metrics.path("Gauges")) {
      String name = gauge.path("Name").asText();
      GAUGES.stream()
          .filter(suffix -> name.startsWith("consul.") && name.endsWith("." + suffix))
          .forEach(suffix -> take(gauge, "Value", "consul." + suffix, figures, Math::max));
    }
    for (JsonNode counter : metrics.path("Counters")) {
      if (isOneOf(COUNTERS, counter)) {
        take(counter, "Sum", counter.path("Name").asText() + ".sum", figures, Double::sum);
      }
    }
    for (JsonNode sample : metrics.path("Samples")) {
      if (isOneOf(SAMPLES, sample)) {
        String name = sample.path("Name").asText();
        take(sample, "Count", name + ".count", figures, Double::sum);
        take(sample, "Mean", name + ".mean", figures, Math::max);
        take(sample, "Max", name + ".max", figures, Math::max);
      }
    }
    return figures;
  }

  private static boolean isOneOf(List<String> names, JsonNode metric) {
    String name = metric.path("Name").asText();
    if (!name.startsWith("consul.")) {
      return false;
    }
    String own = name.substring("consul.".length());
    return names.contains(own) && (metric.path("Labels").isEmpty() || LABELED.contains(own));
  }

  private static void take(
      JsonNode metric,
      String field,
      String name,
      Map<String, Double> figures,
      BinaryOperator<Double> together) {
    if (metric.path(field).isNumber()) {
      Figure.known(metric.path(field).asDouble())
          .ifPresent(value -> figures.merge(name, value, together));
    }
  }
}
