package io.quorate.results.requests;

import io.quorate.format.CsvTable;
import io.quorate.format.GoText;
import io.quorate.results.manifest.LoadFacts;
import io.quorate.scenario.Step;
import io.quorate.store.Operation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The load that the manifest of a run asks for, against which its files are checked. */
public final class AskedLoad {
  private final List<Step> steps;
  private final List<String> operations;
  private final Map<Long, Integer> stepsByClients = new TreeMap<>();

  /**
   * @param operations in the order of the manifest
   */
  AskedLoad(List<Step> steps, List<String> operations) {
    this.steps = List.copyOf(steps);
    this.operations = List.copyOf(operations);
    steps.forEach(step -> stepsByClients.merge((long) step.clients(), 1, Integer::sum));
  }

  public static AskedLoad of(LoadFacts load) {
    return new AskedLoad(
        load.steps(), load.mix().operations().stream().map(Operation::id).toList());
  }

  List<Step> steps() {
    return steps;
  }

  /** Returns the names of the operations, in the order of the manifest. */
  List<String> operations() {
    return operations;
  }

  /** Fails if no step has the number of clients in this column. */
  void checkClients(CsvTable.Row row, int column) {
    if (times(row.integer(column)) == 0) {
      String known =
          String.join(" or ", stepsByClients.keySet().stream().map(Object::toString).toList());
      throw row.wrong(row.text(column) + " clients", known + " as the steps in manifest.json");
    }
  }

  /** Returns the number of steps with so many clients. */
  int times(long clients) {
    return stepsByClients.getOrDefault(clients, 0);
  }

  /** Returns the number of a step; fails if the manifest has no such step. */
  int step(CsvTable.Row row, int column) {
    long step = row.integer(column);
    if (step < 1 || step > steps.size()) {
      throw row.wrong("step " + step, "1 to " + steps.size() + " as in manifest.json");
    }
    return (int) step;
  }

  /** Returns an operation; fails if the manifest has no such operation. */
  String operation(CsvTable.Row row, int column) {
    if (!operations.contains(row.text(column))) {
      throw row.wrong(
          GoText.quoted(row.text(column)),
          String.join(" or ", operations) + " as the operations in manifest.json");
    }
    return row.text(column);
  }

  /** Fails if a row of this step has another number of clients. */
  void checkClientsOf(int step, CsvTable.Row row, int column) {
    int clients = steps.get(step - 1).clients();
    if (row.integer(column) != clients) {
      throw row.wrong(
          row.text(column) + " clients", clients + " as step " + step + " in manifest.json");
    }
  }

  /**
   * Returns the place of a row whose first columns are step and operation, among all steps and
   * operations.
   *
   * @param before the place of the row before; negative if there is none
   */
  int place(CsvTable.Row row, int before) {
    int place = (step(row, 0) - 1) * operations.size() + operations.indexOf(operation(row, 1));
    if (place < before) {
      throw row.wrong(
          "step " + row.text(0) + ", " + row.text(1),
          "rows by step and operation, in the order of manifest.json");
    }
    return place;
  }
}
