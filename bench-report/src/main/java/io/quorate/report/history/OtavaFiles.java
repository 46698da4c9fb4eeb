// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import io.quorate.VisibleText;
import io.quorate.format.CsvText;
import io.quorate.format.NumberFormats;
import io.quorate.format.StrictJson;
import io.quorate.report.export.Decimals;
import java.math.BigDecimal;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The files of a test of Apache Otava, which is the history of a database. They contain the metrics
 * that all its runs have, because Otava assumes that.
 */
record OtavaFiles(String name, List<RunSeries> series, List<HistoryEntry> entries) {
  private static final List<String> ATTRIBUTES = List.of("git_commit", "build", "run", "version");

  private record Result(long timestamp, List<Value> metrics, Map<String, String> attributes) {}

  private record Value(String name, String unit, BigDecimal value) {}

  static OtavaFiles of(String name, List<RunSeries> all) {
    List<HistoryEntry> entries = HistoryFormat.entries(all);
    return new OtavaFiles(
        name,
        all.stream().filter(each -> each.values().length == entries.size()).toList(),
        entries);
  }

  /** Adds JSON and CSV to the files, and the CSV to the configuration. */
  void write(Map<String, String> files, StringBuilder config) {
    List<Result> results = new ArrayList<>();
    CsvText csv = new CsvText();
    List<String> heading = new ArrayList<>(List.of("time"));
    heading.addAll(ATTRIBUTES);
    series.forEach(each -> heading.add(metric(each)));
    csv.row(heading.toArray(String[]::new));
    for (int i = 0; i < entries.size(); i++) {
      HistoryEntry entry = entries.get(i);
      int run = i;
      Map<String, String> facts = attributes(entry);
      List<String> row =
          new ArrayList<>(List.of(entry.start().truncatedTo(ChronoUnit.SECONDS).toString()));
      row.addAll(facts.values());
      series.forEach(each -> row.add(NumberFormats.shortest(each.values()[run])));
      csv.row(row.toArray(String[]::new));
      results.add(
          new Result(
              entry.start().getEpochSecond(),
              series.stream()
                  .map(
                      each ->
                          new Value(
                              metric(each),
                              HistoryFormat.unit(each.metric()),
                              Decimals.significant(each.values()[run])))
                  .toList(),
              facts));
    }
    files.put(
        name + ".json",
        results.stream()
            .map(each -> StrictJson.line(each).strip())
            .collect(Collectors.joining(",\n", "[\n", "\n]\n")));
    files.put(name + ".csv", csv.toString());
    config.append(
        "  %s:\n    type: csv\n    file: %s.csv\n    time_column: time\n    attributes: [%s]\n    metrics:\n"
            .formatted(name, name, String.join(", ", ATTRIBUTES)));
    series.forEach(
        each ->
            config.append(
                "      %s: {direction: %d, scale: 1}\n"
                    .formatted(metric(each), each.metric().isHigherBetter() ? 1 : -1)));
  }

  private static String metric(RunSeries series) {
    return HistoryFormat.slug(series.row().group()) + "." + series.metric().id();
  }

  private Map<String, String> attributes(HistoryEntry entry) {
    Map<String, String> facts = new LinkedHashMap<>();
    List<String> values =
        List.of(entry.commit().orElse(""), entry.build().orElse(""), entry.run(), entry.title());
    for (int i = 0; i < values.size(); i++) {
      facts.put(ATTRIBUTES.get(i), VisibleText.of(values.get(i)));
    }
    return facts;
  }
}
