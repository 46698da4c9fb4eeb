// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import static io.quorate.format.NumberFormats.threeDigits;

import io.quorate.VisibleText;
import io.quorate.report.doctor.CheckResult;
import io.quorate.report.doctor.Diagnosis;
import io.quorate.report.doctor.LatencyParts;
import io.quorate.report.doctor.ResourceUse;
import io.quorate.report.page.Page.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the page says about the diagnosis of a database. All texts are plain. */
public record DoctorTables(Diagnosis diagnosis) {
  public String name() {
    return diagnosis.name();
  }

  /** Returns an id for elements of the page. */
  public String id() {
    return diagnosis.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
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
          "%s of %s, step %d"
              .formatted(use.resource().words(), VisibleText.of(use.host()), use.step()));
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
    for (LatencyParts parts : diagnosis.latency()) {
      Map<String, String> cells = new LinkedHashMap<>();
      cells.put("", "step " + parts.step() + ", " + parts.load());
      cells.put("measured mean", ms(parts.measuredMs()));
      parts.parts().stream()
          .sorted((one, other) -> one.name().compareTo(other.name()))
          .forEach(part -> cells.put(part.name(), ms(part.ms())));
      cells.put("rest: way to the leader, service, queues", ms(parts.restMs()));
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
    List<Map<String, String>> rows = new ArrayList<>();
    for (CheckResult result : results) {
      Map<String, String> cells = new LinkedHashMap<>();
      cells.put("", result.check().id());
      cells.put("of", VisibleText.of(result.subject()));
      cells.put("result", result.status().word());
      cells.put("measured", VisibleText.of(result.measured()));
      cells.put("limit", result.check().limit());
      cells.put("what to do", result.check().action());
      rows.add(cells);
    }
    return Table.of(rows);
  }

  private static String ms(double value) {
    return threeDigits(value) + " ms";
  }
}
