// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.report.compare.RunValues.Row;
import io.quorate.report.judge.Sample;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.scenario.Metric;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The runs of one database, or of one cell of a matrix, on a side of a comparison.
 *
 * @param key what the same series has on the other side: the id of the database or the label of the
 *     cell
 * @param runs runs in the order of their start
 */
public record Series(String key, List<RunValues> runs) {
  public Series {
    runs = runs.stream().sorted(Comparator.comparing(RunValues::start)).toList();
  }

  /**
   * Returns the store with its version and its settings: {@code etcd 3.7.3, snapshot-count 1000}.
   */
  public String title() {
    return String.join(" / ", titles());
  }

  /** Returns the titles of its runs, which are one unless it mixes versions or settings. */
  Set<String> titles() {
    return runs.stream()
        .map(each -> each.manifest().store())
        .map(
            store ->
                Stream.concat(Stream.of(store.titleAndVersion()), store.settingTexts().stream())
                    .collect(Collectors.joining(", ")))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Returns the titles with the beginnings of the SHA-256 of own programs. */
  Set<String> programs() {
    return runs.stream()
        .map(each -> each.manifest().store())
        .map(
            store ->
                store.titleAndVersion()
                    + store
                        .servers()
                        .programSha256()
                        .map(hash -> " (SHA-256 %.12s...)".formatted(hash))
                        .orElse(""))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Returns the id of the store, without its version. */
  Set<String> stores() {
    return runs.stream().map(each -> each.manifest().store().baseId()).collect(Collectors.toSet());
  }

  /** Returns the runs that are not among others. */
  Series without(Series others) {
    return new Series(
        key, runs.stream().filter(run -> others.runs.stream().noneMatch(run::isSameRun)).toList());
  }

  /** Returns every second run: the odd ones, or the even ones. */
  Series half(boolean odd) {
    return new Series(
        key,
        IntStream.range(0, runs.size())
            .filter(i -> i % 2 == (odd ? 0 : 1))
            .mapToObj(runs::get)
            .toList());
  }

  Set<String> conditions(String name) {
    return runs.stream()
        .map(each -> each.conditions().getOrDefault(name, ""))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Returns the runs that are not in some pairs of a sequential comparison. */
  Series withoutPairs(Set<Integer> pairs) {
    return new Series(key, runs.stream().filter(run -> !pairs.contains(run.pair())).toList());
  }

  /** Returns values of the runs, all or without the load generator's delay. */
  Sample sample(Row row, Function<RunValues, Map<Row, Double>> values) {
    return new Sample(
        Kind.of(row.metric()),
        runs.stream().anyMatch(each -> each.bounds().contains(row)),
        values(row, values));
  }

  /** Returns the values of the runs that have one, in the order of their start. */
  double[] values(Row row, Function<RunValues, Map<Row, Double>> values) {
    return runs.stream()
        .flatMap(each -> Stream.ofNullable(values.apply(each).get(row)))
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  /** Returns the values by the numbers of their pairs, of a sequential comparison. */
  Map<Integer, Double> byPair(Row row, Function<RunValues, Map<Row, Double>> values) {
    Map<Integer, Double> all = new TreeMap<>();
    runs.stream()
        .filter(each -> each.pair() > 0)
        .forEach(
            each ->
                Optional.ofNullable(values.apply(each).get(row))
                    .ifPresent(value -> all.put(each.pair(), value)));
    return all;
  }

  /** Returns the directory of the run whose throughput is the median. */
  Path typical() {
    return runs.stream()
        .sorted(Comparator.comparingDouble(Series::throughput))
        .skip((runs.size() - 1) / 2)
        .findFirst()
        .orElseThrow()
        .directory();
  }

  /** Returns the mean throughput of the steps of a run. */
  static double throughput(RunValues run) {
    return run.values().entrySet().stream()
        .filter(each -> each.getKey().metric() == Metric.THROUGHPUT)
        .mapToDouble(Map.Entry::getValue)
        .average()
        .orElse(0);
  }
}
