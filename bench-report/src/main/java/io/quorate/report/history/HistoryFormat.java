// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quorate.Named;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.format.StrictJson;
import io.quorate.report.export.Decimals;
import io.quorate.scenario.Metric;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Formats of other programs in which a history can be written. */
enum HistoryFormat implements Named {
  /**
   * Go's benchmark format, for benchstat: a line for each step and operation of each run. Commits
   * are a part of the names if there are several.
   */
  GO {
    @Override
    Map<String, String> files(RunHistory history) {
      boolean commits = history.entries().stream().map(HistoryEntry::commit).distinct().count() > 1;
      StringBuilder text = new StringBuilder();
      history.series().stream()
          .map(RunSeries::metric)
          .distinct()
          .sorted()
          .forEach(
              metric ->
                  text.append(
                      "Unit %s better=%s assume=nothing\n"
                          .formatted(
                              goUnit(metric), metric.isHigherBetter() ? "higher" : "lower")));
      byPlace(history)
          .values()
          .forEach(
              metrics ->
                  entries(metrics)
                      .forEach(
                          entry ->
                              text.append(
                                  goLine(
                                      metrics.get(0), entry, valuesOf(metrics, entry), commits))));
      return Map.of("history.txt", text.toString());
    }
  },
  /**
   * JSON and CSV of Apache Otava and Nyrkio, a test for each scenario and database, with a
   * configuration of Otava for the CSV files.
   */
  OTAVA {
    @Override
    Map<String, String> files(RunHistory history) {
      Map<String, String> files = new LinkedHashMap<>();
      StringBuilder config = new StringBuilder("tests:\n");
      Map<List<String>, List<RunSeries>> tests = new LinkedHashMap<>();
      history
          .series()
          .forEach(
              each ->
                  tests
                      .computeIfAbsent(
                          List.of(each.scenario(), each.name()), any -> new ArrayList<>())
                      .add(each));
      tests.forEach(
          (names, series) -> {
            String name = slug(String.join("-", names));
            while (files.containsKey(name + ".json")) {
              name += "-2";
            }
            OtavaFiles.of(name, series).write(files, config);
          });
      files.put("otava.yaml", config.toString());
      return files;
    }
  },
  /** Two files of github-action-benchmark, with the newest run or matrix of each scenario. */
  GITHUB_ACTION {
    @Override
    Map<String, String> files(RunHistory history) {
      Map<Boolean, List<ActionEntry>> entries =
          NewestValues.of(history).stream()
              .collect(
                  Collectors.partitioningBy(
                      each -> each.series().metric().isHigherBetter(),
                      Collectors.mapping(ActionEntry::of, Collectors.toList())));
      return Map.of(
          "smaller-is-better.json", StrictJson.text(entries.getOrDefault(false, List.of())),
          "bigger-is-better.json", StrictJson.text(entries.getOrDefault(true, List.of())));
    }
  },
  /** Bencher Metric Format: the newest run or matrix of each scenario. */
  BMF {
    @Override
    Map<String, String> files(RunHistory history) {
      Map<String, Map<String, BmfMetric>> benchmarks = new LinkedHashMap<>();
      for (NewestValues each : NewestValues.of(history)) {
        benchmarks
            .computeIfAbsent(
                HistoryEntry.cut(place(each.series()), BMF_NAME), any -> new LinkedHashMap<>())
            .put(each.series().metric().id(), BmfMetric.of(each));
      }
      return Map.of("bmf.json", StrictJson.text(benchmarks));
    }
  };

  private static final int BMF_NAME = 1_024;
  private static final Pattern CLIENTS = Pattern.compile("([0-9,]+) clients?");

  /** A name that ends with a hyphen and digits has a number of CPUs in Go's format. */
  private static final Pattern CPUS = Pattern.compile("-([0-9]+)$");

  /** Returns the files by name. */
  abstract Map<String, String> files(RunHistory history);

  /** An entry of a file of github-action-benchmark. */
  private record ActionEntry(
      String name, String unit, BigDecimal value, Optional<String> range, String extra) {
    static ActionEntry of(NewestValues values) {
      RunSeries series = values.series();
      List<String> extra = new ArrayList<>(List.of(VisibleText.of(values.newest().title())));
      if (values.count() > 1) {
        extra.add("median of %d runs".formatted(values.count()));
      }
      extra.add(VisibleText.of(values.newest().run()));
      return new ActionEntry(
          place(series) + ": " + series.metric().title(),
          series.metric() == Metric.THROUGHPUT ? "requests/s" : HistoryFormat.unit(series.metric()),
          values.median(),
          values
              .lowest()
              .map(
                  lowest ->
                      "%s to %s"
                          .formatted(
                              lowest.toPlainString(),
                              values.highest().orElseThrow().toPlainString())),
          String.join("\n", extra));
    }
  }

  private record BmfMetric(
      BigDecimal value,
      @JsonProperty("lower_value") Optional<BigDecimal> lower,
      @JsonProperty("upper_value") Optional<BigDecimal> upper) {
    static BmfMetric of(NewestValues values) {
      return new BmfMetric(values.median(), values.lowest(), values.highest());
    }
  }

  /** Returns the series of the same step and operation of a database together. */
  private static Map<List<Object>, List<RunSeries>> byPlace(RunHistory history) {
    Map<List<Object>, List<RunSeries>> places = new LinkedHashMap<>();
    for (RunSeries each : history.series()) {
      places
          .computeIfAbsent(
              List.of(each.scenario(), each.name(), each.row().group()), any -> new ArrayList<>())
          .add(each);
    }
    return places;
  }

  /** Returns the runs of several series, in the order of their start. */
  static List<HistoryEntry> entries(List<RunSeries> series) {
    Map<HistoryEntry.Identity, HistoryEntry> entries = new LinkedHashMap<>();
    series.stream()
        .flatMap(each -> each.entries().stream())
        .forEach(entry -> entries.putIfAbsent(entry.identity(), entry));
    return entries.values().stream().sorted(Comparator.comparing(HistoryEntry::start)).toList();
  }

  private static Map<Metric, Double> valuesOf(List<RunSeries> metrics, HistoryEntry entry) {
    Map<Metric, Double> values = new LinkedHashMap<>();
    for (RunSeries each : metrics) {
      OptionalDouble value = each.valueOf(entry);
      value.ifPresent(known -> values.put(each.metric(), known));
    }
    return values;
  }

  private static String goLine(
      RunSeries series, HistoryEntry entry, Map<Metric, Double> values, boolean commits) {
    StringBuilder name = new StringBuilder("Benchmark");
    String group = series.row().group();
    String operation =
        series.row().operation().orElse(series.row().step().isPresent() ? lastPart(group) : group);
    for (String word : operation.split("[^A-Za-z0-9]+")) {
      if (!word.isEmpty()) {
        name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
      }
    }
    name.append("/scenario=").append(goText(series.scenario()));
    name.append("/database=").append(goText(series.name()));
    if (series.row().step().isPresent()) {
      String step = "step " + series.row().step().getAsInt() + ": ";
      String load = group.startsWith(step) ? group.substring(step.length()) : group;
      if (group.startsWith(step)) {
        name.append("/step=").append(series.row().step().getAsInt());
      }
      load = load.contains(", ") ? load.substring(0, load.lastIndexOf(", ")) : load;
      Matcher clients = CLIENTS.matcher(load);
      name.append(
          clients.matches()
              ? "/clients=" + clients.group(1).replace(",", "")
              : "/load=" + goText(load));
    }
    if (commits && entry.commit().isPresent()) {
      name.append("/commit=").append(goText(RunSeries.shortened(entry.commit().get())));
    }
    StringBuilder line = new StringBuilder(CPUS.matcher(name).replaceFirst("_$1"));
    line.append(" 1");
    values.forEach(
        (metric, value) ->
            line.append(' ')
                .append(
                    NumberFormats.shortest(
                        Decimals.significant(value * goFactor(metric)).doubleValue()))
                .append(' ')
                .append(goUnit(metric)));
    return line.append('\n').toString();
  }

  private static String lastPart(String group) {
    return group.substring(group.lastIndexOf(',') + 1);
  }

  private static String goText(String text) {
    return text.replaceAll("[^A-Za-z0-9._@+:-]+", "_");
  }

  /** Returns a unit from which benchstat knows seconds and bytes. */
  private static String goUnit(Metric metric) {
    return switch (metric.unit()) {
      case "/s" -> "op/s";
      case "ms" -> metric.id() + "-ns";
      case "MB" -> metric.id() + "-B";
      case "us per request" -> metric.id() + "-ns/op";
      default -> metric.id();
    };
  }

  private static double goFactor(Metric metric) {
    return switch (metric.unit()) {
      case "ms", "MB" -> 1e6;
      case "us per request" -> 1e3;
      default -> 1;
    };
  }

  private static String place(RunSeries series) {
    return VisibleText.of(series.scenario() + "/" + series.name() + "/" + series.row().group());
  }

  static String unit(Metric metric) {
    return metric.unit().isEmpty() ? "requests" : metric.unit();
  }

  static String slug(String text) {
    String slug = text.replaceAll("[^A-Za-z0-9@.]+", "-").replaceAll("^[-.]+|-+$", "");
    return slug.isEmpty() ? "test" : HistoryEntry.cut(slug, 100);
  }
}
