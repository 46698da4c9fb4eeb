package io.quorate.report.findings;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.StepFigures;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.StepRow;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Footnotes of a database's figures in an open loop: requests that were shed, a load generator that
 * was late, and a rate that the store did not take.
 */
public final class OpenLoopNotes {
  /** Part of a rate below which it was not reached. */
  private static final double REACHED = 0.95;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MS_PER_SECOND = 1000;

  private final String id;
  private final DatabaseRun run;

  private OpenLoopNotes(DatabaseRun run) {
    this.id = VisibleText.of(run.manifest().store().id());
    this.run = run;
  }

  /** Returns the notes of a run by step; none if all its steps are closed loops. */
  public static List<String> of(DatabaseRun run) {
    OpenLoopNotes notes = new OpenLoopNotes(run);
    List<Step> steps = run.manifest().load().steps();
    List<String> all = new ArrayList<>();
    for (StepRow row : run.clients().map(results -> results.steps()).orElse(List.of())) {
      if (row.number() <= steps.size()
          && steps.get(row.number() - 1).model() instanceof LoadModel.Open open) {
        notes.shed(row, open).ifPresent(all::add);
        Optional<String> late = notes.late(row);
        late.ifPresent(all::add);
        notes.notReached(row, open, late.isPresent()).ifPresent(all::add);
      }
    }
    return all;
  }

  private Optional<String> shed(StepRow row, LoadModel.Open open) {
    return row.shed() == 0
        ? Optional.empty()
        : Optional.of(
            "%s: of %s requests that were due, %s were not sent, because %s under way already (step %d)"
                .formatted(
                    id,
                    commas(row.intended()),
                    commas(row.shed()),
                    open.maxOutstanding() == 1 ? "1 was" : commas(open.maxOutstanding()) + " were",
                    row.number()));
  }

  private Optional<String> late(StepRow row) {
    SendingLag lag = SendingLag.of(run, row.number());
    return lag.isLate()
        ? Optional.of(
            "%s: the load generator sent requests late: 1 %% of them %s ms or more after they were due; p99 is %s ms from when a request was due and %s ms from when it was sent (step %d)"
                .formatted(
                    id,
                    fixed(lag.lagMs()),
                    fixed(lag.responseMs()),
                    fixed(lag.serviceMs()),
                    row.number()))
        : Optional.empty();
  }

  /**
   * Compares the rates over the time in which requests were due: the median response time, which
   * the last request takes besides, does not count.
   */
  private Optional<String> notReached(StepRow row, LoadModel.Open open, boolean late) {
    double medianMs =
        StepFigures.percentiles(run.latencies().ofStep(row.number()))
            .getOrDefault(Percentile.P50, 0.0);
    double seconds = row.durationNanos() / NANOS_PER_SECOND - medianMs / MS_PER_SECOND;
    double rate = seconds > 0 ? row.succeeded() / seconds : open.ratePerSecond();
    return rate >= REACHED * open.ratePerSecond()
        ? Optional.empty()
        : Optional.of(
            "%s: %s: of %s requests a second %s succeeded (step %d)"
                .formatted(
                    id,
                    late ? "the rate was not reached" : "more was offered than it can take",
                    commas(open.ratePerSecond()),
                    commas((long) rate),
                    row.number()));
  }

  private static String commas(long count) {
    return NumberFormats.commas(count);
  }

  private static String fixed(double ms) {
    return NumberFormats.fixed(ms, 2);
  }
}
