// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import io.quorate.VisibleText;
import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.report.compare.Condition;
import io.quorate.report.compare.RunValues;
import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.compare.Series;
import io.quorate.report.export.Decimals;
import io.quorate.scenario.Metric;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A line of {@code history.ndjson}: the values of a database, or of a cell of a matrix, in one run.
 *
 * @param run scenario and directories of the run, for display: {@code quick/20261120T083224Z}
 * @param runStart when the first database of the run began, or the matrix
 * @param start when the run of this database began
 * @param commit commit that was built and measured
 * @param build number of the build of a CI server
 * @param scenario name of the scenario or of the matrix
 * @param database id of the database or label of the cell
 * @param title the store with its version and its settings
 * @param conditions conditions of a comparison, by their names
 */
@FormatVersion(1)
record HistoryEntry(
    String run,
    Instant runStart,
    Instant start,
    Optional<String> commit,
    Optional<String> build,
    String scenario,
    String database,
    String title,
    Map<String, String> conditions,
    List<Group> values) {
  /** Largest number of characters of a text, except a condition. */
  static final int MAX_TEXT = 300;

  private static final int MAX_CONDITION = 20_000;
  private static final double MAX_VALUE = 1e15;

  HistoryEntry {
    checkText("run", run);
    checkText("scenario", scenario);
    checkText("database", database);
    checkText("title", title);
    commit.ifPresent(text -> checkText("commit", text));
    build.ifPresent(text -> checkText("build", text));
    conditions.forEach(
        (name, value) -> {
          if (name.length() > MAX_TEXT || value.length() > MAX_CONDITION) {
            throw new IllegalArgumentException(
                "conditions: found a text that is longer than %d characters"
                    .formatted(MAX_CONDITION));
          }
        });
    conditions = Collections.unmodifiableMap(new LinkedHashMap<>(conditions));
    values = List.copyOf(values);
  }

  /**
   * What identifies a line. Runs in directories of the same name differ, and copies of a run do
   * not.
   *
   * @param start start in the manifest of the database
   */
  record Identity(String scenario, Instant start, String database) {}

  /** A run of several databases, or a repeat of a cell. */
  record RunKey(Instant start, String run) {}

  /**
   * Values of a step and operation, or of the machines.
   *
   * @param metrics values in the units of their metrics, by id, with 6 significant digits
   */
  record Group(
      String group, OptionalInt step, Optional<String> operation, Map<String, BigDecimal> metrics) {
    Group {
      checkText("group", group);
      operation.ifPresent(text -> checkText("operation", text));
      metrics.forEach(Group::checkValue);
      Map<String, BigDecimal> shortest = new LinkedHashMap<>();
      metrics.forEach((id, value) -> shortest.put(id, value.stripTrailingZeros()));
      metrics = Collections.unmodifiableMap(shortest);
    }

    private static void checkValue(String id, BigDecimal value) {
      if (Metric.of(id).isEmpty()) {
        throw new IllegalArgumentException(
            "found the metric %s, expected one that this version of Quorate knows"
                .formatted(VisibleText.quoted(id)));
      }
      double number = value.doubleValue();
      if (!(number >= 0 && number <= MAX_VALUE)) {
        throw new IllegalArgumentException(
            "%s: found %s, expected a number from 0 to 1e15"
                .formatted(id, VisibleText.line(value.toString())));
      }
    }
  }

  private static void checkText(String name, String text) {
    if (text.isBlank() || text.length() > MAX_TEXT) {
      throw new IllegalArgumentException(
          "%s: found %d characters, expected 1 to %d".formatted(name, text.length(), MAX_TEXT));
    }
  }

  /** Creates the line of a database of a run. */
  static HistoryEntry of(
      RunOrigin origin, RunValues run, Optional<String> commit, Optional<String> build) {
    Identity identity = origin.identity(run.manifest());
    return new HistoryEntry(
        cut(origin.label()),
        origin.start(),
        identity.start(),
        commit,
        build,
        identity.scenario(),
        identity.database(),
        cut(new Series(identity.database(), List.of(run)).title()),
        conditions(run),
        groups(run));
  }

  private static List<Group> groups(RunValues run) {
    Map<Row, Map<String, BigDecimal>> groups = new LinkedHashMap<>();
    run.values()
        .forEach(
            (row, value) -> {
              if (Double.isFinite(value) && !run.bounds().contains(row)) {
                groups
                    .computeIfAbsent(withoutMetric(row), any -> new LinkedHashMap<>())
                    .put(row.metric().id(), Decimals.significant(value));
              }
            });
    List<Group> values = new ArrayList<>();
    groups.forEach(
        (row, metrics) ->
            values.add(new Group(cut(row.group()), row.step(), row.operation(), metrics)));
    return values;
  }

  private static Row withoutMetric(Row row) {
    return new Row(row.group(), row.step(), row.operation(), Metric.THROUGHPUT);
  }

  private static Map<String, String> conditions(RunValues run) {
    Map<String, String> conditions = new LinkedHashMap<>();
    run.conditions().forEach((name, value) -> conditions.put(name, cut(value, MAX_CONDITION)));
    return conditions;
  }

  private static String cut(String text) {
    return cut(text, MAX_TEXT);
  }

  /** Returns the first characters of a text, none of which is half. */
  static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
  }

  Identity identity() {
    return new Identity(scenario, start, database);
  }

  RunKey runKey() {
    return new RunKey(runStart, run);
  }

  /** Returns the conditions that are the load. */
  Map<String, String> load() {
    Map<String, String> load = new LinkedHashMap<>(conditions);
    load.keySet().retainAll(Condition.ofLoad());
    return load;
  }

  /** Returns the conditions that are not the load, and the store. */
  Map<String, String> surroundings() {
    Map<String, String> others = new LinkedHashMap<>();
    others.put("database", title);
    others.putAll(conditions);
    others.keySet().removeAll(Condition.ofLoad());
    return others;
  }

  /** Returns the values by rows, in their order. */
  Map<Row, Double> rows() {
    Map<Row, Double> rows = new LinkedHashMap<>();
    for (Group each : values) {
      each.metrics()
          .forEach(
              (id, value) ->
                  rows.put(
                      new Row(
                          each.group(), each.step(), each.operation(), Metric.of(id).orElseThrow()),
                      value.doubleValue()));
    }
    return rows;
  }
}
