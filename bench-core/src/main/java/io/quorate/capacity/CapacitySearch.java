// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import io.quorate.capacity.Trial.Stage;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Searches the highest load that is within limits: it receives the result of a trial and returns
 * the next trial. A state machine without a clock, threads or randomness: the same results lead to
 * the same trials.
 *
 * <p>Each trial follows from {@link CapacityLikelihood}, the likelihood over all trials so far. The
 * search tries its median, in larger steps until one load passed and one failed. Once it is narrow,
 * or a quarter of the time is over, longer trials confirm a load below the median and one above it,
 * in turn. The pair changes only if the likelihood moves away from it. A trial that the load
 * generator spoiled is repeated. After {@value LoadPoint#MAX_SPOILED} spoiled trials, the load
 * counts as one that it cannot generate. For one thread.
 */
public final class CapacitySearch {
  private static final double HALF = 0.5;

  /** Probability of a capacity below the central interval of the likelihood, or above it. */
  private static final double TAIL = 0.1;

  /** Probability of a capacity below the lower load of the pair, or above the upper one. */
  private static final double UNSURE = 0.15;

  /** The same for a bound that is still missing near the end. */
  private static final double UNLIKELY = 0.05;

  /** Part of the time after which only trials of the final length follow. */
  private static final double SHORT_TRIALS = 0.25;

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
    } else if (!tried.anyPassed() && likely.isBelow(tried.lowest())) {
      load = allowed(Math.min(median, tried.lowest() / STEP));
    } else {
      load = allowed(median);
      stage = Stage.NARROW;
    }
    boolean late = stage == Stage.NARROW && spentSeconds > SHORT_TRIALS * plan.mostSeconds();
    boolean decides = late || isNarrow(likely) || tried.contains(load) || isNearEnd();
    return decides ? confirm(likely, median) : Optional.of(trial(stage, load));
  }

  private boolean isNearEnd() {
    return !allows(plan.repeats() + 1);
  }

  private boolean isNarrow(CapacityLikelihood likely) {
    double low = Math.max(lowest, likely.quantile(TAIL));
    double high = Math.min(highest, likely.quantile(1 - TAIL));
    return high <= low * (1 + NARROW * (plan.width() - 1));
  }

  /**
   * Tries the load of the pair with fewer trials; if both have as many, the lower one. The pair is
   * as wide as the likelihood is unsure. Until its bounds are precise, the search uses its time.
   */
  private Optional<Trial> confirm(CapacityLikelihood likely, double median) {
    SearchResult now = SearchResult.of(tried, plan, trials);
    double margin = Math.sqrt(plan.width());
    double most = Math.sqrt(plan.widest());
    double lower = likely.quantile(missing(now.holds()));
    double upper = likely.quantile(1 - missing(now.fails()));
    double below = Math.max(median / most, Math.min(median / margin, lower));
    double above = Math.min(median * most, Math.max(median * margin, upper));
    double near = Math.max(margin, Math.sqrt(Math.sqrt(above / below)));
    double widest = Math.max(plan.promised(), above / below * near);
    long low =
        tried
            .confirmed(below / near, Math.min(median, below * near))
            .filter(load -> load.isOpen(true) || load.holds(likely))
            .min(Comparator.comparing(load -> Math.abs(load.load - below)))
            .map(load -> load.load)
            .orElse(allowed(Math.min(below, Math.ceil(median) - 1)));
    long high =
        tried
            .confirmed(Math.max(median, above / near), Math.min(above * near, low * widest))
            .filter(load -> load.isOpen(false) || load.fails(likely) || load.isUnmakeable())
            .min(Comparator.comparing(load -> Math.abs(load.load - above)))
            .map(load -> load.load)
            .orElse(
                Math.min(
                    highestAbove(low, widest), allowed(Math.max(above, Math.floor(median) + 1))));
    return LongStream.of(low, high)
        .mapToObj(tried::at)
        .filter(load -> !load.isSettled(likely, plan.repeats()) || !now.isPrecise(plan))
        .filter(load -> !load.isUnmakeable())
        .min(Comparator.comparing(LoadPoint::confirmed))
        .map(load -> trial(Stage.CONFIRM, load.load));
  }

  /** Returns how unlikely a capacity beyond the next trial for this bound has to be. */
  private double missing(Optional<Bound> bound) {
    return bound.isEmpty() && isNearEnd() ? UNLIKELY : UNSURE;
  }

  /** Returns the highest load that may be tried above one, so that the pair is not too wide. */
  private long highestAbove(long low, double widest) {
    double most = Math.max(low + 1, Math.floor(low * widest));
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
