// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/** The values of result.json that sentences of a page are about, by the name of the database. */
record ResultFacts(JsonNode result) {
  private static final Map<String, String> TITLES =
      Map.of("etcd", "etcd", "zookeeper", "ZooKeeper", "consul", "Consul");

  List<JsonNode> databases() {
    return list(result.path("databases"));
  }

  /** Returns the database with this title, or with this title and version. */
  JsonNode database(String name) {
    return databases().stream()
        .filter(
            each -> {
              String title = TITLES.get(each.path("id").asText().replaceFirst("@.*", ""));
              return name.equals(title) || name.equals(title + " " + each.path("version").asText());
            })
        .findFirst()
        .orElseThrow(() -> new AssertionError("no database is called " + name));
  }

  /** Returns the requests per second with a load such as {@code 10 clients}, or of all steps. */
  OptionalDouble rate(String name, String load) {
    if (load.isEmpty()) {
      return number(database(name).path("figures").path("requestsPerSecondAverage"));
    }
    List<JsonNode> steps = steps(name, load);
    double succeeded = sum(steps, "requestsSucceeded");
    double seconds = sum(steps, "durationSeconds");
    return seconds > 0 ? OptionalDouble.of(succeeded / seconds) : OptionalDouble.empty();
  }

  /** Returns a percentile in milliseconds; empty where several steps have the load. */
  OptionalDouble latency(String name, String load, String percentile) {
    List<JsonNode> steps = load.isEmpty() ? List.of() : steps(name, load);
    return steps.size() > 1
        ? OptionalDouble.empty()
        : number(
            (load.isEmpty() ? database(name).path("figures") : steps.get(0))
                .path("latencyMs")
                .path(percentile));
  }

  /** Returns the steps with a load. */
  List<JsonNode> steps(String name, String load) {
    Predicate<JsonNode> has =
        step ->
            number(load)
                == step.path("load")
                    .path(load.endsWith("/s") ? "ratePerSecond" : "clients")
                    .asDouble();
    return list(database(name).path("steps")).stream()
        .filter(load.isEmpty() ? any -> true : has)
        .toList();
  }

  /** Returns a number of requests with a load: intended, dropped, succeeded or failed ones. */
  long requests(String name, String load, String column) {
    return (long)
        steps(name, load).stream()
            .flatMap(step -> list(step.path("operations")).stream())
            .mapToDouble(each -> each.path(column).asDouble())
            .sum();
  }

  /** Returns the searches of a database. */
  List<JsonNode> searches(String name) {
    return list(database(name).path("capacity"));
  }

  static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  private static double sum(List<JsonNode> nodes, String field) {
    return nodes.stream().mapToDouble(each -> each.path(field).asDouble()).sum();
  }

  private static OptionalDouble number(JsonNode node) {
    return node.isNumber() ? OptionalDouble.of(node.asDouble()) : OptionalDouble.empty();
  }

  /** Returns the first number of a text, such as 1000 of {@code 1,000 clients}. */
  static double number(String text) {
    return Double.parseDouble(text.replace(",", "").replaceFirst("[^0-9.].*", ""));
  }

  /** Returns whether a text shows a value with as many digits as it has. */
  static boolean shows(String text, double value) {
    BigDecimal shown = new BigDecimal(text.replace(",", ""));
    double half = 0.5 * Math.pow(10, -shown.scale());
    return Math.abs(shown.doubleValue() - value) <= half * 1.001 + 1e-9;
  }
}
