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
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads {@code /v1/agent/metrics} of Consul. Servers that Quorate starts support Prometheus'
 * format. Others support it only if they are configured to keep values for it; otherwise JSON is
 * requested, which Consul 1.22.7 cannot return while one of its values is NaN. In JSON, counters
 * and samples cover the last ten complete seconds.
 *
 * <p>Names may begin with a configured prefix, and those of gauges may contain the name of the
 * host, which is Consul's default. In Prometheus' format there is then a second gauge without the
 * host, which is always 0, and metrics that a filter excludes are 0, too. Such placeholders are
 * left out.
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

  private static final Set<String> GAUGE_NAMES =
      GAUGES.stream().map(ConsulInternals::prometheusName).collect(Collectors.toUnmodifiableSet());

  private static final String METRICS = "/v1/agent/metrics";

  private static final String PREFIX = "consul";

  private static final Pattern QUANTILE = Pattern.compile("[{,](quantile=\"[^\"]*\")}$");

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

  /** Returns the name with the quantile, but without other labels. */
  private static String key(Figure.Line line) {
    Matcher quantile = QUANTILE.matcher(line.labels());
    return quantile.find() ? line.name() + "{" + quantile.group(1) + "}" : line.name();
  }

  /** The values of metrics by our names: of a metric as a whole, and of its parts with labels. */
  private static final class Values {
    private final Map<String, Double> whole = new TreeMap<>();
    private final Map<String, Double> parts = new TreeMap<>();

    void take(String name, boolean isPart, double value, BinaryOperator<Double> together) {
      (isPart ? parts : whole).merge(name, value, together);
    }

    /**
     * Returns the values of the metrics as a whole; of those that only exist in parts their sum.
     */
    Map<String, Double> together() {
      Map<String, Double> all = new TreeMap<>(whole);
      parts.forEach(
          (name, value) -> all.merge(name, value, (known, sum) -> known == 0 ? sum : known));
      return all;
    }
  }

  /**
   * Parses Prometheus' format, with counters and sums since the start, and the names that a server
   * with the default prefix and without its host uses.
   */
  public static Map<String, Double> parsedPrometheus(String metrics) {
    List<Figure.Line> lines = metrics.lines().flatMap(Figure.Line::of).toList();
    Naming naming = Naming.of(lines.stream().map(Figure.Line::name).distinct().toList(), "_");
    Map<String, String> names = naming.prometheus();
    Values values = new Values();
    Set<String> groups = new HashSet<>();
    for (Figure.Line line : lines) {
      String key = key(line);
      String name = names.get(key);
      if (name != null) {
        boolean isPart = !key.equals(line.name() + line.labels());
        values.take(name, isPart, line.value(), together(name));
      }
      if (line.value() != 0) {
        groups.add(naming.group(line.name()));
      }
    }
    Map<String, Double> figures = values.together();
    boolean hasGauges = GAUGE_NAMES.stream().anyMatch(each -> figures.getOrDefault(each, 0.0) != 0);
    figures
        .entrySet()
        .removeIf(
            each ->
                each.getValue() == 0
                    && !(GAUGE_NAMES.contains(each.getKey())
                        ? hasGauges
                        : groups.contains(Naming.DEFAULT.group(each.getKey()))));
    return figures;
  }

  /** Returns how parts of a metric become one value. */
  private static BinaryOperator<Double> together(String name) {
    return name.endsWith("_p50") || name.endsWith("_p99") || GAUGE_NAMES.contains(name)
        ? Math::max
        : Double::sum;
  }

  private static String prometheusName(String name) {
    return PREFIX + "_" + name.replace('.', '_');
  }

  /**
   * How a server names its metrics.
   *
   * @param prefix beginning of all names
   * @param host part of the names of gauges after the prefix; may be empty
   */
  private record Naming(String prefix, String host, String separator) {
    static final Naming DEFAULT = new Naming(PREFIX, "", "_");

    /** Finds the prefix and the host that most known metrics have. */
    static Naming of(Collection<String> names, String separator) {
      String prefix =
          mostFrequent(
              Stream.concat(COUNTERS.stream(), SAMPLES.stream()),
              metric -> before(names, separator + written(metric, separator)),
              PREFIX);
      String host =
          mostFrequent(
              GAUGES.stream(),
              metric ->
                  before(names, separator + written(metric, separator))
                      .filter(beginning -> beginning.startsWith(prefix + separator))
                      .map(beginning -> beginning.substring(prefix.length() + separator.length())),
              "");
      return new Naming(prefix, host, separator);
    }

    private static Stream<String> before(Collection<String> names, String ending) {
      return names.stream()
          .filter(name -> name.length() > ending.length() && name.endsWith(ending))
          .map(name -> name.substring(0, name.length() - ending.length()));
    }

    private static String mostFrequent(
        Stream<String> metrics, Function<String, Stream<String>> found, String otherwise) {
      return metrics
          .flatMap(found)
          .collect(Collectors.groupingBy(each -> each, Collectors.counting()))
          .entrySet()
          .stream()
          .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
          .map(Map.Entry::getKey)
          .orElse(otherwise);
    }

    private static String written(String metric, String separator) {
      return metric.replace(".", separator);
    }

    String gauge(String metric) {
      return host.isEmpty()
          ? other(metric)
          : prefix + separator + host + separator + written(metric, separator);
    }

    String other(String metric) {
      return prefix + separator + written(metric, separator);
    }

    /** Returns the first word after the prefix; empty for other names. */
    String group(String name) {
      return name.startsWith(prefix + separator)
          ? name.substring(prefix.length() + 1).replaceFirst("[._].*", "")
          : "";
    }

    /** Returns our names of metrics in Prometheus' format by those of the server. */
    Map<String, String> prometheus() {
      Map<String, String> names = new HashMap<>();
      GAUGES.forEach(each -> names.put(gauge(each), prometheusName(each)));
      COUNTERS.forEach(each -> names.put(other(each), prometheusName(each)));
      for (String sample : SAMPLES) {
        String name = other(sample);
        String ours = prometheusName(sample);
        names.put(name + "_count", ours + "_count");
        names.put(name + "_sum", ours + "_sum");
        names.put(name + "{quantile=\"0.5\"}", ours + "_p50");
        names.put(name + "{quantile=\"0.99\"}", ours + "_p99");
      }
      return names;
    }
  }

  /**
   * Parses JSON, with the names that a server with the default prefix and without its host uses.
   */
  public Map<String, Double> parsed(String answer) throws IOException {
    JsonNode metrics = json.readTree(answer);
    Naming naming =
        Naming.of(
            Stream.of("Gauges", "Counters", "Samples")
                .flatMap(kind -> metrics.path(kind).findValuesAsText("Name").stream())
                .distinct()
                .toList(),
            ".");
    Values values = new Values();
    each(metrics.path("Gauges"), GAUGES, naming::gauge)
        .forEach((node, name) -> take(node, "Value", name, values, Math::max));
    each(metrics.path("Counters"), COUNTERS, naming::other)
        .forEach((node, name) -> take(node, "Sum", name + ".sum", values, Double::sum));
    each(metrics.path("Samples"), SAMPLES, naming::other)
        .forEach(
            (node, name) -> {
              take(node, "Count", name + ".count", values, Double::sum);
              take(node, "Mean", name + ".mean", values, Math::max);
              take(node, "Max", name + ".max", values, Math::max);
            });
    return values.together();
  }

  /** Returns the known metrics with our names. */
  private static Map<JsonNode, String> each(
      JsonNode metrics, List<String> known, UnaryOperator<String> naming) {
    Map<String, String> names =
        known.stream().collect(Collectors.toMap(naming, each -> PREFIX + "." + each));
    Map<JsonNode, String> found = new IdentityHashMap<>();
    for (JsonNode metric : metrics) {
      String name = names.get(metric.path("Name").asText());
      if (name != null) {
        found.put(metric, name);
      }
    }
    return found;
  }

  private static void take(
      JsonNode metric, String field, String name, Values values, BinaryOperator<Double> together) {
    if (metric.path(field).isNumber()) {
      Figure.known(metric.path(field).asDouble())
          .ifPresent(value -> values.take(name, !metric.path("Labels").isEmpty(), value, together));
    }
  }
}
