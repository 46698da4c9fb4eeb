// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import static io.quorate.format.NumberFormats.milliseconds;

import io.quorate.VisibleText;
import io.quorate.report.doctor.CheckResult;
import io.quorate.report.doctor.Diagnosis;
import io.quorate.report.doctor.LatencyParts;
import io.quorate.report.doctor.ResourceUse;
import io.quorate.report.page.Page.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the page says about the diagnosis of a database. All texts are plain. */
public record DoctorTables(Diagnosis diagnosis) {
  public String name() {
    return diagnosis.name();
  }

  /** Returns an id for elements of the page. */
  public String id() {
    return diagnosis.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }

  /** Returns why the database was slow, if it was. */
  public List<String> verdict() {
    return diagnosis.verdict().stream().map(VisibleText::of).toList();
  }

  /** Returns the sentences about stalls. */
  public List<String> sentences() {
    List<String> sentences = diagnosis.sentences();
    return sentences.isEmpty()
        ? List.of("No stalls.")
        : sentences.stream().map(VisibleText::of).toList();
  }

  /** Returns the use of resources, a row for each resource and step. */
  public Table resources() {
    List<Map<String, String>> rows = new ArrayList<>();
    for (ResourceUse use : diagnosis.resources()) {
      Map<String, String> cells = new LinkedHashMap<>();
      cells.put(
          "",
          "%s of %s %s"
              .formatted(
                  use.resource().words(), VisibleText.of(use.host()), diagnosis.load(use.step())));
      cells.put("utilization", use.utilizationText());
      cells.put("saturation (time with waiting tasks)", use.saturationText());
      cells.put("errors", use.errors());
      cells.put(
          "limit",
          (use.saturated() ? "saturated" : "")
              + (use.saturated() && !use.note().isEmpty() ? "; " : "")
              + VisibleText.of(use.note()));
      rows.add(cells);
    }
    return Table.of(rows);
  }

  /** Returns the parts of the latency of writes, a row for each step. */
  public Table latency() {
    List<Map<String, String>> rows = new ArrayList<>();
    // not every step has every part
    List<String> names =
        diagnosis.latency().stream()
            .flatMap(each -> each.parts().stream())
            .map(LatencyParts.Part::name)
            .distinct()
            .sorted()
            .toList();
    for (LatencyParts parts : diagnosis.latency()) {
      Map<String, String> cells = new LinkedHashMap<>();
      cells.put("", parts.load());
      cells.put("measured mean", milliseconds(parts.measuredMs()));
      names.forEach(name -> cells.put(name, "-"));
      parts.parts().forEach(part -> cells.put(part.name(), milliseconds(part.ms())));
      cells.put("rest: way to the leader, service, queues", milliseconds(parts.restMs()));
      cells.put("largest part", parts.largest().map(LatencyParts.Part::name).orElse("-"));
      rows.add(cells);
    }
    return Table.of(rows);
  }

  /** Returns the checks that are not in order. */
  public Table problems() {
    return table(diagnosis.problems());
  }

  /** Returns all checks. */
  public Table checks() {
    return table(diagnosis.checks());
  }

  private static Table table(List<CheckResult> results) {
    Map<String, List<CheckResult>> byCheck = new LinkedHashMap<>();
    results.forEach(
        result ->
            byCheck.computeIfAbsent(result.check().id(), any -> new ArrayList<>()).add(result));
    return Table.of(byCheck.values().stream().map(DoctorTables::row).toList());
  }

  /** Returns a row with the results of a check, those of other members after the worst one. */
  private static Map<String, String> row(List<CheckResult> results) {
    CheckResult worst = Collections.max(results, Comparator.comparing(CheckResult::status));
    Map<String, String> measured = new LinkedHashMap<>();
    Stream.concat(Stream.of(worst), results.stream())
        .forEach(
            result ->
                measured.merge(
                    result.measured(),
                    result.subject(),
                    (one, other) ->
                        (", " + one + ",").contains(", " + other + ",")
                            ? one
                            : one + ", " + other));
    Map<String, String> cells = new LinkedHashMap<>();
    cells.put("", worst.check().id());
    cells.put("result", worst.status().word());
    cells.put(
        "measured",
        measured.entrySet().stream()
            .map(each -> VisibleText.of(each.getKey() + " (" + each.getValue() + ")"))
            .collect(Collectors.joining("; ")));
    cells.put("recommended", worst.check().limit());
    cells.put("what to do", worst.check().action());
    return cells;
  }
}
