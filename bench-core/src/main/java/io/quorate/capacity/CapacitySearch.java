// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import io.quorate.capacity.Trial.Stage;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * Searches the highest load that is within limits: it receives the result of a trial and returns
 * the next trial. A state machine without a clock, threads or randomness: the same results lead to
 * the same trials.
 *
 * <p>Each trial follows from {@link CapacityLikelihood}, the likelihood over all trials so far. The
 * search tries its median, in larger steps until one load passed and one failed. Once it is narrow,
 * longer trials confirm a load a little below the median and one a little above, in turn. Most of
 * {@link SearchPlan#repeats} trials decide about a load, and the pair changes only if the median
 * moves away from it. A trial that the load generator spoiled is repeated. After {@value
 * LoadPoint#MAX_SPOILED} spoiled trials, the load counts as one that it cannot generate. For one
 * thread.
 */
public final class CapacitySearch {
  private static final double HALF = 0.5;

  /** Probability of a capacity below the central interval of the likelihood, or above it. */
  private static final double TAIL = 0.1;

  /** Width of that interval below which it is narrow, as a multiple of the plan's width. */
  private static final double NARROW = 8;

  /** Least factor between loads until one passed and one failed. */
  private static final double STEP = 1.4;

  /** Loads from this one on are rounded to three digits, for readers. */
  private static final long ROUNDED_FROM = 1_000;

  private final SearchPlan plan;
  private final long lowest;
  private final long highest;
  private final LoadPoints tried = new LoadPoints();
  private int trials;
  private double spentSeconds;
  private Optional<Trial> next;

  /** Starts a search at this load, limited to the loads from the lowest to the highest one. */
  public CapacitySearch(SearchPlan plan, long lowest, long highest, long start) {
    this.plan = plan;
    this.lowest = lowest;
    this.highest = highest;
    this.next = Optional.of(trial(Stage.BRACKET, allowed(start)));
  }

  /** Returns the next trial; empty when the search is over. */
  public Optional<Trial> next() {
    return next;
  }

  public SearchResult conclusion() {
    if (next.isPresent()) {
      throw new IllegalStateException("the search is not over");
    }
    return SearchResult.of(tried, plan, trials);
  }

  /** Reports how the {@link #next} trial ended, and how many seconds it took. */
  public void add(TrialResult result, double seconds) {
    Trial trial = next.orElseThrow(() -> new IllegalStateException("the search is over"));
    trials++;
    spentSeconds += seconds;
    tried.add(result, trial);
    boolean again =
        result.verdict() == TrialVerdict.SPOILED && !tried.at(trial.load()).isUnmakeable();
    if (!allows(1)) {
      next = Optional.empty();
    } else {
      next = again ? Optional.of(trial(trial.stage(), trial.load())) : decide();
    }
  }

  private boolean allows(int more) {
    int each = plan.settleSeconds() + plan.finalSeconds();
    return trials + more <= plan.mostTrials() && spentSeconds + more * each <= plan.mostSeconds();
  }

  private Optional<Trial> decide() {
    if (!tried.anyPassed() && tried.unmakeable() > 1) {
      return Optional.empty(); // even less load does not help the load generator
    }
    CapacityLikelihood likely = tried.likelihood();
    double median = Math.min(likely.quantile(HALF), tried.lowestUnmakeable());
    Stage stage = Stage.BRACKET;
    long load;
    if (!tried.anyTooMuch()) {
      load = allowed(Math.max(median, tried.highest() * STEP));
    } else if (!tried.anyPassed()) {
      load = allowed(Math.min(median, tried.lowest() / STEP));
    } else {
      load = allowed(median);
      stage = Stage.NARROW;
    }
    boolean decides = isNarrow(likely) || tried.contains(load) || !allows(plan.repeats() + 1);
    return decides ? confirm(likely, median) : Optional.of(trial(stage, load));
  }

  private boolean isNarrow(CapacityLikelihood likely) {
    double low = Math.max(lowest, likely.quantile(TAIL));
    double high = Math.min(highest, likely.quantile(1 - TAIL));
    return high <= low * (1 + NARROW * (plan.width() - 1));
  }

  /** Tries the load of the pair with fewer trials; if both have as many, the lower one. */
  private Optional<Trial> confirm(CapacityLikelihood likely, double median) {
    double near = plan.width();
    double margin = Math.sqrt(near);
    Predicate<LoadPoint> open = load -> !load.isSettled(likely, plan.repeats());
    long low =
        tried
            .confirmed(median / near, median)
            .filter(open.or(load -> load.holds(likely)))
            .mapToLong(load -> load.load)
            .max()
            .orElse(allowed(Math.min(median / margin, Math.ceil(median) - 1)));
    long high =
        tried
            .confirmed(median, Math.min(median * near, low * plan.promised()))
            .filter(open.or(load -> !load.holds(likely)))
            .mapToLong(load -> load.load)
            .min()
            .orElse(
                Math.min(
                    highestAbove(low), allowed(Math.max(median * margin, Math.floor(median) + 1))));
    return LongStream.of(low, high)
        .mapToObj(tried::at)
        .filter(open)
        .min(Comparator.comparing(LoadPoint::confirmed))
        .map(load -> trial(Stage.CONFIRM, load.load));
  }

  /** Returns the highest load that may be tried above one, so that the pair is not too wide. */
  private long highestAbove(long low) {
    double most = Math.max(low + 1, Math.floor(low * plan.promised()));
    return (long) Math.min(most, tried.lowestUnmakeable());
  }

  private long allowed(double load) {
    long unit = 1;
    while (load / unit >= ROUNDED_FROM) {
      unit *= 10;
    }
    return Math.min(highest, Math.max(lowest, Math.round(load / unit) * unit));
  }

  /** Returns the next trial. The last one has the final length, as only such trials decide. */
  private Trial trial(Stage stage, long load) {
    boolean last = stage == Stage.CONFIRM || !allows(2);
    int seconds = last ? plan.finalSeconds() : plan.measureSeconds();
    int most = last ? seconds : seconds * plan.longest();
    return new Trial(
        trials + 1, load, last ? Stage.CONFIRM : stage, plan.settleSeconds(), seconds, most);
  }
}
