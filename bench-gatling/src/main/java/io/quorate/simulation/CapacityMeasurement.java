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
import io.quorate.scenario.PreloadSizes;
import io.quorate.scenario.RequestLimit;
import io.quorate.scenario.Step;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Searches the capacity of one database, whose clients have probed it, and once more for each size
 * of the store that is asked for: makes the trials, tells how each of them ended, and keeps the
 * journal.
 */
final class CapacityMeasurement {
  private static final double NANOS_PER_SECOND = 1e9;

  /** A load this many times below the first one is the lowest that is tried. */
  private static final long LOWEST_PART = 64;

  /** Time for which the load of the first trial is made before. */
  private static final int WARM_UP_SECONDS = 20;

  private static final int QUICK_WARM_UP_SECONDS = 15;

  private static final long HIGHEST_RATE = 1_000_000;
  private static final long MOST_CLIENTS = 100_000;

  /** Longest time that a trial waits for other processes to leave enough of the processors. */
  private static final Duration QUIET_LIMIT = Duration.ofSeconds(30);

  private final OpenExperiment experiment;
  private final CapacityOptions options;
  private final CapacityGoal goal;
  private long preloadedKeys;

  CapacityMeasurement(OpenExperiment experiment, CapacityGoal goal) {
    this.experiment = experiment;
    this.options = experiment.of().settings().capacity();
    this.goal = goal;
  }

  /**
   * Searches, until it is over or the process is being ended.
   *
   * @throws QuorateException if a server has ended meanwhile, or the search that should go on is
   *     another one
   */
  void run() {
    List<SearchRecord> earlier = options.continued().map(this::earlier).orElse(List.of());
    long[] sizes =
        LongStream.concat(LongStream.of(0), goal.preloadBytes().stream().mapToLong(bytes -> bytes))
            .toArray();
    try (LoadTrials trials = experiment.of().load().trials()) {
      OneTrial maker = new OneTrial(experiment, trials, goal);
      long start = firstStart();
      int seconds = goal.quick() ? QUICK_WARM_UP_SECONDS : WARM_UP_SECONDS;
      experiment.of().say("warming up for %d s with the first load".formatted(seconds));
      maker.warmUp(start, seconds);
      for (long bytes : sizes) {
        preload(bytes);
        Optional<Conclusion> found = search(bytes, start, earlier, maker, trials);
        if (found.isEmpty()) {
          return; // the process is being ended
        }
        start = found.get().holds().map(bound -> bound.load()).orElse(start);
      }
    }
  }

  /** Searches with so much in the store; returns empty if the process is being ended. */
  private Optional<Conclusion> search(
      long preloadBytes,
      long startIfNew,
      List<SearchRecord> earlier,
      OneTrial maker,
      LoadTrials trials) {
    Optional<SearchRecord> begun =
        earlier.stream().filter(each -> each.header().preloadBytes() == preloadBytes).findFirst();
    long start = begun.map(each -> each.header().start()).orElse(startIfNew);
    SearchRecord.Header header = header(start, preloadBytes);
    begun.ifPresent(each -> requireSame(each.header(), header));
    Deque<TrialRow> known = new ArrayDeque<>(begun.map(SearchRecord::trials).orElse(List.of()));
    TrialsJournal journal = TrialsJournal.begin(experiment.record().directory(), header);
    CapacityText text = new CapacityText(goal, experiment.of()::say);
    text.begins(start, known.size());
    long beginNanos = System.nanoTime();
    CapacitySearch search = new CapacitySearch(plan(start), start);
    while (search.next().isPresent()) {
      Trial trial = search.next().get();
      Optional<TrialRow> row =
          known.isEmpty() ? maker.make(trial) : Optional.of(checked(known.remove(), trial));
      if (row.isEmpty()) {
        return Optional.empty();
      }
      journal.add(row.get());
      text.ended(row.get());
      TrialResult result = result(row.get());
      search.add(result, row.get().wholeSeconds());
      if (known.isEmpty() && result.verdict() == TrialVerdict.SPOILED) {
        new QuietMachine(experiment).await(QUIET_LIMIT);
      }
    }
    Conclusion conclusion = search.conclusion();
    journal.add(conclusion);
    text.concluded(conclusion, (System.nanoTime() - beginNanos) / NANOS_PER_SECOND);
    boolean whole =
        new CapacityCurve(experiment, goal, maker, trials, journal, text).make(conclusion, begun);
    return whole ? Optional.of(conclusion) : Optional.empty();
  }

  private void preload(long bytes) {
    int each =
        experiment.of().scenario().keys().sizeBytes() + experiment.of().scenario().valueBytes();
    long keys = bytes / Math.max(1, each);
    if (keys > preloadedKeys) {
      experiment
          .of()
          .say("making the store larger by %s in all".formatted(PreloadSizes.text(bytes)));
      experiment.of().load().preload(preloadedKeys, keys);
      preloadedKeys = keys;
    }
  }

  private SearchPlan plan(long start) {
    SearchPlan rules = goal.quick() ? SearchPlan.QUICK : SearchPlan.FULL;
    boolean rate = goal.load() == CapacityGoal.Load.RATE;
    return rules.between(
        rate ? Math.max(1, start / LOWEST_PART) : 1, rate ? HIGHEST_RATE : MOST_CLIENTS);
  }

  /** Returns half of what the clients of the probe did or, of clients, as many. */
  private long firstStart() {
    Step asked = experiment.of().load().steps().get(0).step();
    if (goal.load() == CapacityGoal.Load.CLIENTS) {
      return asked.clients();
    }
    StepMeasurement probe = experiment.of().load().steps().get(0).recorder().measurement();
    double perSecond = probe.successes().count() / (probe.elapsedNanos() / NANOS_PER_SECOND);
    return Math.max(1, Math.round(perSecond / 2));
  }

  private SearchRecord.Header header(long start, long preloadBytes) {
    return new SearchRecord.Header(
        experiment.of().scenario().name(),
        goal.limits().stream().map(RequestLimit::limit).map(Limit::toString).toList(),
        goal.quick() ? CapacityOptions.QUICK : CapacityOptions.FULL,
        start,
        goal.load().id(),
        preloadBytes);
  }

  /** Returns the searches of an earlier run; none if it had not come to this database. */
  private List<SearchRecord> earlier(Path run) {
    Path name = experiment.record().directory().path().getFileName();
    return TrialsReader.read(new DatabaseDirectory(run.resolve(name)));
  }

  private void requireSame(SearchRecord.Header found, SearchRecord.Header asked) {
    if (!found.equals(asked)) {
      throw new QuorateException(
          "the search of the earlier run cannot go on: found %s, expected %s: give the same scenario, limits and search"
              .formatted(found, asked));
    }
  }

  private static TrialRow checked(TrialRow row, Trial trial) {
    if (row.load() != trial.load()) {
      throw new QuorateException(
          "the search cannot go on: trial %d of the earlier run was of %d, expected %d: begin a new one"
              .formatted(row.number(), row.load(), trial.load()));
    }
    return row;
  }

  private static TrialResult result(TrialRow row) {
    TrialVerdict verdict = TrialVerdict.valueOf(row.verdict().toUpperCase(Locale.ROOT));
    double unknown = verdict == TrialVerdict.PASS ? 0 : Double.POSITIVE_INFINITY;
    return new TrialResult(verdict, row.usedPart().orElse(unknown), row.violatingPart());
  }
}
