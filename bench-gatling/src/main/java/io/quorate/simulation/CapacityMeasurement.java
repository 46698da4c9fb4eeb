package io.quorate.simulation;

import io.quorate.QuorateException;
import io.quorate.capacity.CapacitySearch;
import io.quorate.capacity.Conclusion;
import io.quorate.capacity.SearchPlan;
import io.quorate.capacity.Trial;
import io.quorate.capacity.TrialResult;
import io.quorate.capacity.TrialVerdict;
import io.quorate.load.LoadTrials;
import io.quorate.measure.StepMeasurement;
import io.quorate.run.DatabaseDirectory;
import io.quorate.run.SearchRecord;
import io.quorate.run.TrialRow;
import io.quorate.run.TrialsJournal;
import io.quorate.run.TrialsReader;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.Limit;
import io.quorate.scenario.RequestLimit;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Searches the capacity of one database, whose clients have probed it: makes the trials, tells how
 * each of them ended, and keeps the journal.
 */
final class CapacityMeasurement {
  private static final double NANOS_PER_SECOND = 1e9;

  /** A load this many times below that of the clients is the lowest that is tried. */
  private static final long LOWEST_PART = 128;

  private static final long HIGHEST_RATE = 1_000_000;

  private final OpenExperiment experiment;
  private final CapacityOptions options;
  private final CapacityGoal goal;
  private final List<RequestLimit> limits;

  CapacityMeasurement(OpenExperiment experiment, CapacityGoal goal) {
    this.experiment = experiment;
    this.options = experiment.of().settings().capacity();
    this.goal = goal;
    this.limits = goal.limits();
  }

  /**
   * Searches, until it is over or the process is being ended.
   *
   * @throws QuorateException if a server has ended meanwhile, or the search that should go on is
   *     another one
   */
  void run() {
    Optional<SearchRecord> earlier = options.continued().flatMap(this::earlier);
    long start = earlier.map(found -> found.header().start()).orElseGet(this::start);
    Deque<TrialRow> known =
        new ArrayDeque<>(earlier.map(found -> found.trials()).orElse(List.of()));
    TrialsJournal journal = TrialsJournal.begin(experiment.record().directory(), header(start));
    CapacitySearch search = new CapacitySearch(plan(start), start);
    CapacityText text = new CapacityText(limits, experiment.of()::say);
    text.begins(start, known.size());
    long beginNanos = System.nanoTime();
    try (LoadTrials trials = experiment.of().load().trials()) {
      OneTrial maker = new OneTrial(experiment, trials, limits);
      while (search.next().isPresent()) {
        Trial trial = search.next().get();
        Optional<TrialRow> row =
            known.isEmpty() ? maker.make(trial) : Optional.of(checked(known.remove(), trial));
        if (row.isEmpty()) {
          return; // the process is being ended
        }
        journal.add(row.get());
        text.ended(row.get());
        search.add(result(row.get()));
      }
    }
    Conclusion conclusion = search.conclusion();
    journal.add(conclusion);
    text.concluded(conclusion, (System.nanoTime() - beginNanos) / NANOS_PER_SECOND);
  }

  private SearchPlan plan(long start) {
    SearchPlan rules = goal.quick() ? SearchPlan.QUICK : SearchPlan.FULL;
    return rules.between(Math.max(1, start / LOWEST_PART), HIGHEST_RATE);
  }

  /** Returns half of what the clients of the probe did. */
  private long start() {
    StepMeasurement probe = experiment.of().load().steps().get(0).recorder().measurement();
    double perSecond = probe.successes().count() / (probe.elapsedNanos() / NANOS_PER_SECOND);
    return Math.max(1, Math.round(perSecond / 2));
  }

  private SearchRecord.Header header(long start) {
    return new SearchRecord.Header(
        experiment.of().scenario().name(),
        limits.stream().map(RequestLimit::limit).map(Limit::toString).toList(),
        goal.quick() ? CapacityOptions.QUICK : CapacityOptions.FULL,
        start,
        SearchRecord.RATE,
        0);
  }

  /** Returns the trials of an earlier run; empty if its search had not come to this database. */
  private Optional<SearchRecord> earlier(Path run) {
    Path name = experiment.record().directory().path().getFileName();
    DatabaseDirectory directory = new DatabaseDirectory(run.resolve(name));
    List<SearchRecord> searches = TrialsReader.read(directory);
    if (searches.isEmpty()) {
      return Optional.empty();
    }
    SearchRecord found = searches.get(0);
    SearchRecord.Header asked = header(found.header().start());
    if (!found.header().equals(asked)) {
      throw new QuorateException(
          "%s: found a search of %s, expected one of %s: give the same scenario, limits and search"
              .formatted(TrialsJournal.file(directory), found.header(), asked));
    }
    return Optional.of(found);
  }

  private static TrialRow checked(TrialRow row, Trial trial) {
    if (row.load() != trial.load()) {
      throw new QuorateException(
          "the search cannot go on: trial %d of the earlier run was of %d/s, expected %d/s: begin a new one"
              .formatted(row.number(), row.load(), trial.load()));
    }
    return row;
  }

  private static TrialResult result(TrialRow row) {
    return new TrialResult(
        TrialVerdict.valueOf(row.verdict().toUpperCase(Locale.ROOT)),
        row.usedPart().orElse(Double.POSITIVE_INFINITY),
        row.violatingPart());
  }
}
