package io.quorate.report.figures;

import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.requests.ClientResults.Second;
import io.quorate.results.requests.StepRow;
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
    List<List<Second>> parts =
        run.clients().stream()
            .flatMap(results -> results.steps().stream().map(StepRow::seconds))
            .toList();
    boolean complete = run.manifest().status() == RunStatus.COMPLETE;
    if (complete ? parts.size() != asked.size() : parts.size() > asked.size()) {
      return Collections.nCopies(asked.size(), List.of());
    }
    List<List<Second>> rows = new ArrayList<>(parts);
    rows.addAll(Collections.nCopies(asked.size() - parts.size(), List.of()));
    return rows;
  }
}
