package io.quorate.capacity;

import io.quorate.capacity.Trial.Stage;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Searches the highest load that is within limits: told how one trial ended, it says which one is
 * next. A state machine without a clock, threads or chance, so the same results lead to the same
 * trials.
 *
 * <p>It raises or lowers the load until one passes and one fails. Between these it tries where the
 * limit should be after what the trials used of it, or else the geometric mean, until there is a
 * trial close to that, or the bounds are close to each other. A bound that all trials together make
 * unlikely, as a standstill in a short trial makes one, is left again. Then it tries a bound a
 * little below and one a little above in turn, longer. Two of three such trials decide (most of
 * {@link SearchPlan#repeats}): a lower bound that fails becomes the upper one, an upper one that
 * passes the lower one, and the search goes on. If no load is known to hold when there is time for
 * only one or two more, these are of one that is likely to. A trial that the load generator spoiled
 * is repeated; a load that it spoils {@value TriedLoad#MOST_SPOILED} times counts as one that it
 * cannot make. For one thread.
 */
public final class CapacitySearch {
  /** Number of bounds that may turn out wrong before the search gives up. */
  private static final int MOST_TURNS = 4;

  /** The trials with which to show that a load holds, if none is known to. */
  private static final int LAST_TRIALS = 2;

  /** Probability that the capacity is below, or beyond, where a trial is made. */
  private static final double QUARTER = 0.25;

  /** Probability that the capacity is below the last load that is tried. */
  private static final double LAST = 0.3;

  /** If the next of the last loads is so much lower, the store becomes slower and slower. */
  private static final double FAR_BELOW = 1.1;

  private final SearchPlan plan;
  private final long start;
  private final TriedLoads tried = new TriedLoads();
  private final TrialBudget budget;
  private final Bounds bounds = new Bounds(tried);
  private int narrowed;
  private int turns;
  private int raisesSinceTurn;
  private Optional<TriedLoad> lastTried = Optional.empty();
  private Optional<Trial> next;
  private Optional<Conclusion> conclusion = Optional.empty();

  /**
   * @param start the first load that is tried, unless it is below the lowest or above the highest
   */
  public CapacitySearch(SearchPlan plan, long start) {
    this.plan = plan;
    this.budget = new TrialBudget(plan);
    this.start = Math.min(plan.highest(), Math.max(plan.lowest(), TriedLoad.rounded(start)));
    this.next = Optional.of(trial(Stage.BRACKET, this.start));
  }

  /** Returns the next trial; empty when the search is over. */
  public Optional<Trial> next() {
    return next;
  }

  /**
   * Returns the outcome.
   *
   * @throws IllegalStateException if the search is not over
   */
  public Conclusion conclusion() {
    return conclusion.orElseThrow(() -> new IllegalStateException("the search is not over"));
  }

  /**
   * Returns the highest load that is within the limits, as far as is known now; empty if none is.
   */
  public Optional<Long> lowerBound() {
    return bounds.lower().map(TriedLoad::load);
  }

  /** Returns the lowest load above it that is not, as far as is known now; empty if none is. */
  public Optional<Long> upperBound() {
    return bounds.upper().map(TriedLoad::load);
  }

  /**
   * Tells how the {@link #next} trial ended.
   *
   * @param seconds that it took
   * @throws IllegalStateException if the search is over
   */
  public void add(TrialResult result, double seconds) {
    Trial trial = next.orElseThrow(() -> new IllegalStateException("the search is over"));
    budget.spend(seconds);
    TriedLoad load = tried.at(trial.load());
    load.add(result, trial);
    if (result.verdict() != TrialVerdict.SPOILED) {
      if (result.verdict() == TrialVerdict.UNDECIDED) {
        load.lean(tried.likelihood().isAtLeast(load.load()));
      }
      learn(load, trial.stage());
    } else if (load.isUnmakeable()) {
      bounds.limitTo(load);
    }
    next =
        result.verdict() == TrialVerdict.SPOILED && !load.isUnmakeable() ? again(trial) : decide();
  }

  private void learn(TriedLoad load, Stage stage) {
    if (stage != Stage.CONFIRM) {
      bounds.narrowTo(load);
      if (isBracketed()) {
        bounds.leaveUnlikely();
      }
    } else if (is(bounds.lower(), load) && load.failsFor(plan.repeats())) {
      turned();
      bounds.lowerTo(load);
    } else if (is(bounds.upper(), load) && load.holdsFor(plan.repeats())) {
      turned();
      bounds.raiseTo(load);
    } else if (is(lastTried, load) && load.isWithin()) {
      bounds.raiseTo(load);
    }
  }

  /** Returns whether the servers passed one load and not another. */
  private boolean isBracketed() {
    return tried.anyPassed() && tried.lowestTooMuch().isPresent() && tried.unmakeable() == 0;
  }

  private static boolean is(Optional<TriedLoad> bound, TriedLoad load) {
    return bound.filter(known -> known == load).isPresent();
  }

  private void turned() {
    turns++;
    raisesSinceTurn = 0;
  }

  private Optional<Trial> again(Trial trial) {
    return budget.allows(1) ? Optional.of(trial(trial.stage(), trial.load())) : end();
  }

  private Optional<Trial> decide() {
    Optional<TriedLoad> lower = bounds.lower();
    Optional<TriedLoad> upper = bounds.upper();
    if (budget.isEnough() && isEnough()) {
      return end();
    }
    if (turns >= MOST_TURNS) {
      return endUnstable();
    }
    if (!budget.allows(1)) {
      return end();
    }
    if (lower.isEmpty() && tried.unmakeable() > 1) {
      return end(); // less load does not help the load generator
    }
    Optional<TriedLoad> only = lower.isEmpty() ? upper : upper.isEmpty() ? lower : Optional.empty();
    if (!budget.allows(LAST_TRIALS + 1)
        && only.filter(load -> !load.isUnmakeable() && !load.isSettledFor(plan.repeats()))
            .isPresent()) {
      return only.map(load -> trial(Stage.CONFIRM, load.load()));
    }
    if (lower.isEmpty() && upper.orElseThrow().load() > plan.lowest()) {
      return bracket(Math.max(plan.lowest(), (long) (upper.get().load() / upper.get().step())));
    }
    if (upper.isEmpty() && lower.orElseThrow().load() < plan.highest()) {
      long load = lower.get().load();
      return bracket(
          Math.min(plan.highest(), Math.max(load + 1, TriedLoad.rounded((long) (load * raise())))));
    }
    Optional<TriedLoad> last = isLastChance() ? lastLoad() : Optional.empty();
    if (last.isPresent()) {
      return tryLast(last.get());
    }
    return isTooWide() ? narrow() : confirm();
  }

  private Optional<Trial> narrow() {
    long low = bounds.lower().orElseThrow().load();
    long high = bounds.upper().orElseThrow().load();
    narrowed++;
    OptionalDouble estimate = LoadEstimate.of(tried.all());
    if (estimate.isPresent()) {
      CapacityLikelihood likely = tried.likelihood();
      double limit =
          within(
              low,
              within(
                  likely.quantile(QUARTER), estimate.getAsDouble(), likely.quantile(1 - QUARTER)),
              high);
      if (LoadEstimate.isFromNear(tried.all(), limit) && bounds.choose(limit, plan.width())) {
        return confirm();
      }
      // a line through points that are far from it may come closer from one side only
      if (narrowed % 3 > 0 && limit > low && limit < high) {
        return Optional.of(trial(Stage.NARROW, inside(Math.round(limit), low, high)));
      }
    }
    return Optional.of(
        trial(Stage.NARROW, inside(Math.round(Math.sqrt((double) low * high)), low, high)));
  }

  private static double within(double least, double value, double most) {
    return Math.min(most, Math.max(least, value));
  }

  /** Returns whether the trials that are left have to show that a load holds at all. */
  private boolean isLastChance() {
    boolean holds =
        bounds
            .lower()
            .filter(
                load -> load.decided() > 0 && !load.hasFailed() || load.holdsFor(plan.repeats()))
            .isPresent();
    return !holds && isBracketed() && turns < MOST_TURNS - 1 && !budget.allows(LAST_TRIALS + 1);
  }

  /** Returns a load that is likely to hold, unless all from the lowest on failed. */
  private Optional<TriedLoad> lastLoad() {
    double probability = budget.allows(LAST_TRIALS) ? LAST : LAST / 2;
    return Optional.of(tried.likelyToHold(probability, plan.lowest()))
        .filter(load -> !load.isSettledFor(plan.repeats()));
  }

  private Optional<Trial> tryLast(TriedLoad load) {
    if (lastTried.filter(last -> last.load() > load.load() * FAR_BELOW).isPresent()) {
      return endUnstable();
    }
    lastTried = Optional.of(load);
    return Optional.of(trial(Stage.CONFIRM, load.load()));
  }

  /** Returns the factor of the next load above all that held: small steps first after a turn. */
  private double raise() {
    double step = bounds.lower().orElseThrow().step();
    return turns == 0 ? step : Math.min(step, Math.pow(plan.width(), 1L << raisesSinceTurn++));
  }

  private Optional<Trial> bracket(long load) {
    return Optional.of(trial(Stage.BRACKET, load));
  }

  /** Returns whether a load is known to hold, and one a little above it was seen not to. */
  private boolean isEnough() {
    return bounds.lower().filter(load -> load.holdsFor(plan.repeats())).isPresent()
        && bounds.upper().filter(TriedLoad::isTooMuch).isPresent()
        && !bounds.areWiderThan(plan.width());
  }

  private static long inside(long load, long low, long high) {
    return Math.min(high - 1, Math.max(low + 1, TriedLoad.rounded(load)));
  }

  /** Tries the bound of which fewer trials are known; the lower one first. */
  private Optional<Trial> confirm() {
    Optional<TriedLoad> low = bounds.lower().filter(load -> !load.isSettledFor(plan.repeats()));
    Optional<TriedLoad> high =
        bounds.upper().filter(load -> !load.isUnmakeable() && !load.isSettledFor(plan.repeats()));
    if (low.isPresent() && (high.isEmpty() || low.get().decided() <= high.get().decided())) {
      return low.map(load -> trial(Stage.CONFIRM, load.load()));
    }
    if (high.isPresent()) {
      return high.map(load -> trial(Stage.CONFIRM, load.load()));
    }
    return moveToLikely() ? decide() : end();
  }

  /** Moves the bounds where undecided trials of one are explained better by the other side. */
  private boolean moveToLikely() {
    CapacityLikelihood likely = tried.likelihood();
    Optional<TriedLoad> low = bounds.lower().filter(load -> load.fails(likely));
    Optional<TriedLoad> high = bounds.upper().filter(load -> load.holds(likely));
    low.ifPresent(
        load -> {
          load.lean(false);
          bounds.lowerTo(load);
        });
    high.filter(load -> low.isEmpty())
        .ifPresent(
            load -> {
              load.lean(true);
              bounds.raiseTo(load);
            });
    return low.isPresent() || high.isPresent();
  }

  /**
   * Returns whether the bounds are wide; less strictly once the last trials are needed to decide.
   */
  private boolean isTooWide() {
    return bounds.areWiderThan(budget.allows(plan.repeats() + 1) ? plan.width() : plan.promised());
  }

  private Optional<Trial> end() {
    conclusion = Optional.of(Conclusion.of(tried, plan, budget.trials()));
    return Optional.empty();
  }

  private Optional<Trial> endUnstable() {
    Conclusion known = Conclusion.of(tried, plan, budget.trials());
    conclusion =
        Optional.of(new Conclusion(Outcome.UNSTABLE, known.holds(), known.fails(), known.trials()));
    return Optional.empty();
  }

  /** Returns the next trial. The last one has the final length, as only such trials decide. */
  private Trial trial(Stage stage, long load) {
    boolean last = stage == Stage.CONFIRM || !budget.allows(2);
    int seconds = last ? plan.finalSeconds() : plan.measureSeconds();
    int most = last ? seconds : seconds * plan.longest();
    return new Trial(
        budget.trials() + 1,
        load,
        last ? Stage.CONFIRM : stage,
        plan.settleSeconds(),
        seconds,
        most);
  }
}
