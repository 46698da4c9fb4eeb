// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.page.Page.Table;
import io.quorate.scenario.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The section of a page about what requests cost the servers; without rows if nothing is known. */
record CostTable(RunFigures figures) {
  /** Returns a row for each database or, with several steps, for each of its steps. */
  Table table() {
    Map<String, Map<Metric, Double>> costs = new LinkedHashMap<>();
    for (DatabaseFigures each : figures.compared()) {
      if (each.steps().size() > 1) {
        for (StepFigures step : each.steps()) {
          String load = step.asked().load();
          boolean known = costs.containsKey(each.name() + ", " + load);
          costs.put(
              each.name() + ", " + (known ? "step " + step.number() + ": " : "") + load,
              each.costsOfSteps().getOrDefault(step.number(), Map.of()));
        }
      }
      costs.put(each.name() + (each.steps().size() > 1 ? ", all steps" : ""), each.costs());
    }
    TreeSet<Metric> known = new TreeSet<>();
    costs.values().forEach(each -> known.addAll(each.keySet()));
    List<Map<String, String>> rows = new ArrayList<>();
    costs.forEach(
        (name, values) -> {
          Map<String, String> cells = new LinkedHashMap<>();
          cells.put("", name);
          known.forEach(
              metric ->
                  cells.put(
                      metric.wholeTitle(),
                      Optional.ofNullable(values.get(metric)).map(metric::text).orElse("-")));
          rows.add(cells);
        });
    return known.isEmpty() ? Table.of(List.of()) : Table.of(rows);
  }
}
