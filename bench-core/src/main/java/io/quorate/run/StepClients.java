package io.quorate.run;

import io.quorate.scenario.Step;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The numbers of clients of the steps of a run, by which its files name a step.
 *
 * @param timesByClients how many steps have so many clients
 */
record StepClients(Map<Long, Integer> timesByClients) {
  static StepClients of(List<Step> steps) {
    Map<Long, Integer> times = new TreeMap<>();
    steps.forEach(step -> times.merge((long) step.clients(), 1, Integer::sum));
    return new StepClients(times);
  }

  /** Fails if no step has the number of clients in this column. */
  void check(CsvTable.Row row, int column) {
    if (!timesByClients.containsKey(row.integer(column))) {
      String known =
          String.join(" or ", timesByClients.keySet().stream().map(Object::toString).toList());
      throw row.wrong(row.text(column) + " clients", known + " as the steps in manifest.json");
    }
  }

  /** Returns the number of steps with so many clients. */
  int times(long clients) {
    return timesByClients.getOrDefault(clients, 0);
  }
}
