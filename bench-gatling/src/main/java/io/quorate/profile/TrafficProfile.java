// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import io.quorate.ByteSize;
import io.quorate.QuorateException;
import io.quorate.format.NumberFormats;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.ValueSizes;
import io.quorate.scenario.WatchLoad;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Operation;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Requests of existing traffic, as a scenario expresses them.
 *
 * @param store database of the traffic
 * @param title heading of the scenario; it names no host, key or path
 * @param findings comments at the beginning of the scenario: limits of what could be measured, and
 *     requests that a scenario cannot express
 * @param requests number of requests of each operation in the observed time
 * @param basis where these numbers come from
 * @param observed time in which they were sent, above 0
 * @param length duration of the scenario
 * @param members number of members: 1, 3 or 5; empty if unknown
 * @param keys number of keys
 * @param keyBytes length of a key
 * @param order order of keys
 * @param hot keys that get most of the requests, used only with that order
 * @param range keys that a range reads, used only if there are ranges
 * @param puts keys that a transaction writes, used only if there are transactions
 * @param kept revisions that a compaction keeps, used only if there are compactions
 * @param connections number of connections
 * @param watch watchers; empty for none, or if a scenario cannot have them with these requests
 */
record TrafficProfile(
    Store store,
    String title,
    List<String> findings,
    Map<Operation, Long> requests,
    String basis,
    Duration observed,
    Duration length,
    Optional<Integer> members,
    Known<Long> keys,
    Known<Integer> keyBytes,
    Known<ValueSizes> values,
    Known<KeySpace.Order> order,
    KeySpace.HotSet hot,
    Known<Long> range,
    Known<Integer> puts,
    Known<Long> kept,
    Known<OperationMix.Leases> leases,
    Known<Integer> connections,
    Optional<Known<WatchLoad>> watch) {
  private static final int MAX_WEIGHT = 1_000_000;
  private static final long MAX_RATE = 1_000_000;
  private static final int WIDTH = 96;

  /** A value, and a phrase for its comment that says where it comes from. */
  record Known<T>(T value, String basis) {}

  /** Returns the number of requests per second of the scenario. */
  long rate() {
    double seconds = observed.toNanos() / 1e9;
    return Math.round(total() / seconds);
  }

  private long total() {
    return requests.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Returns the text of the scenario, which the reader accepts.
   *
   * @throws QuorateException if there is too little traffic, or too much
   */
  String scenario() {
    if (rate() < 1) {
      throw new QuorateException(
          "found %s in %s, expected at least one in a second that a scenario can express. Observe a longer or a busier time."
              .formatted(NumberFormats.count(total(), "request"), text(observed)));
    }
    if (rate() > MAX_RATE) {
      throw new QuorateException(
          "found %s requests per second, expected at most %s"
              .formatted(NumberFormats.commas(rate()), NumberFormats.commas(MAX_RATE)));
    }
    List<String> lines = new ArrayList<>();
    findings.forEach(finding -> comment(lines, finding));
    lines.add("title: '" + title.replace("'", "''") + "'");
    addOperations(lines);
    line(lines, "duration: " + text(length), "chosen; the observed time was " + text(observed));
    if (has(Operation.PUT, Operation.GET, Operation.RANGE, Operation.TXN, Operation.COMPACT)) {
      addKeys(lines);
    }
    watch.ifPresent(
        known ->
            line(
                lines,
                "watch: {watchers: %d, streams: %d}"
                    .formatted(known.value().watchers(), known.value().streams()),
                known.basis()));
    lines.add("load:");
    line(lines, "  rate: " + rate() + "/s", basis);
    line(lines, "  arrivals: poisson", "assumed: clients are independent of each other");
    line(lines, "  connections: " + connections.value(), connections.basis());
    members.ifPresent(count -> lines.add("members: " + count));
    lines.add("databases: [" + store.id() + "]");
    String text = String.join("\n", lines) + "\n";
    Scenario read = ScenarioReader.read("profile.yaml", text, 1);
    if (read.databases().size() != 1) {
      throw new IllegalStateException("a profile of one database");
    }
    return text;
  }

  /** Returns whether a scenario can express it within its limits. */
  boolean isAccepted() {
    try {
      return !scenario().isEmpty();
    } catch (QuorateException refused) {
      return false;
    }
  }

  private boolean has(Operation... any) {
    return List.of(any).stream().anyMatch(requests::containsKey);
  }

  private void addOperations(List<String> lines) {
    if (requests.size() == 1) {
      line(lines, "operation: " + requests.keySet().iterator().next().id(), basis);
    } else {
      line(lines, "mix:", basis);
      long most = requests.values().stream().mapToLong(Long::longValue).max().orElse(1);
      double factor = Math.min(1, MAX_WEIGHT / (double) most);
      requests.forEach(
          (operation, count) ->
              lines.add(
                  "  %s: %d".formatted(operation.id(), Math.max(1, Math.round(count * factor)))));
    }
    if (has(Operation.RANGE)) {
      line(lines, "range: {keys: " + range.value() + "}", range.basis());
    }
    if (has(Operation.TXN)) {
      line(lines, "txn: {puts: " + puts.value() + "}", puts.basis());
    }
    if (has(Operation.COMPACT)) {
      line(lines, "compact: {keep: " + kept.value() + "}", kept.basis());
    }
    if (has(Operation.LEASE_KEEPALIVE, Operation.LEASE_GRANT)) {
      line(
          lines,
          "leases: {count: %d, ttl: %ds}"
              .formatted(leases.value().count(), leases.value().ttlSeconds()),
          leases.basis());
    }
  }

  private void addKeys(List<String> lines) {
    lines.add("keys:");
    line(lines, "  size: " + keyBytes.value(), keyBytes.basis());
    if (watch.isEmpty()) {
      line(lines, "  distribution: " + order.value().id(), order.basis());
      if (order.value() == KeySpace.Order.HOTSPOT) {
        lines.add(
            "  hotspot: {keys: %d, requests: %d}"
                .formatted(hot.keysPercent(), hot.requestsPercent()));
      }
      line(lines, "  count: " + keys.value(), keys.basis());
    } else {
      comment(lines, "Each put creates a key, so that the watchers can recognize it.");
    }
    ValueSizes sizes = values.value();
    if (sizes.isFixed()) {
      lines.add("values:");
      line(lines, "  size: " + sizes.leastBytes(), values.basis());
      return;
    }
    line(lines, "values:", values.basis());
    lines.add(
        sizes.shares().stream()
            .map(each -> "    " + ByteSize.text(each.bytes()) + ": " + each.weight())
            .collect(Collectors.joining("\n", "  sizes:\n", "")));
  }

  private static void line(List<String> lines, String text, String comment) {
    lines.add(text + " # " + comment);
  }

  /** Adds a comment, with lines of at most {@value #WIDTH} characters. */
  private static void comment(List<String> lines, String text) {
    StringBuilder line = new StringBuilder("#");
    for (String word : text.split(" ")) {
      if (line.length() + word.length() >= WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder("#  ");
      }
      line.append(' ').append(word);
    }
    lines.add(line.toString());
  }

  /** Returns a duration as in scenarios, in whole seconds, at least one. */
  static String text(Duration time) {
    return Math.max(1, Math.round(time.toMillis() / 1e3)) + "s";
  }
}
