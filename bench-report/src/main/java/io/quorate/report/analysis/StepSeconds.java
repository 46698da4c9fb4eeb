package io.quorate.report.analysis;

import io.quorate.run.ClientResults;
import io.quorate.run.ClientResults.Second;
import io.quorate.run.DatabaseRun;
import io.quorate.run.RunStatus;
import io.quorate.run.StepRow;
import io.quorate.scenario.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Assigns rows of the time series to steps. */
public final class StepSeconds {
  private StepSeconds() {}

  /**
   * Returns the rows of each step that was asked for, in their order; of a step that did not begin,
   * or if the files do not tell, none.
   */
  public static List<List<Second>> of(DatabaseRun run) {
    List<Step> asked = run.manifest().load().steps();
    List<List<Second>> parts = run.clients().map(StepSeconds::parts).orElse(List.of());
    boolean complete = run.manifest().status() == RunStatus.COMPLETE;
    if (complete ? parts.size() != asked.size() : parts.size() > asked.size()) {
      return Collections.nCopies(asked.size(), List.of());
    }
    List<List<Second>> rows = new ArrayList<>(parts);
    rows.addAll(Collections.nCopies(asked.size() - parts.size(), List.of()));
    return rows;
  }

  private static List<List<Second>> parts(ClientResults results) {
    if (results.steps().isEmpty()) {
      return split(results.seconds());
    }
    List<List<Second>> parts = new ArrayList<>();
    int from = 0;
    for (StepRow step : results.steps()) {
      int to = from + (int) step.timeSeriesRows();
      parts.add(results.seconds().subList(from, to));
      from = to;
    }
    return parts;
  }

  /**
   * Splits the rows into steps: a step begins where the number of clients changes, where a second
   * is there again, and after a pause. Within a step no second is missing.
   */
  public static List<List<Second>> split(List<Second> rows) {
    List<List<Second>> parts = new ArrayList<>();
    for (int from = 0; from < rows.size(); ) {
      int to = from + 1;
      while (to < rows.size()
          && rows.get(to).clients() == rows.get(from).clients()
          && rows.get(to).unixSecond() == rows.get(to - 1).unixSecond() + 1) {
        to++;
      }
      parts.add(rows.subList(from, to));
      from = to;
    }
    return parts;
  }
}
