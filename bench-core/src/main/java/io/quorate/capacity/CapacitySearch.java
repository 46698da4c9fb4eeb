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
 * trial close to that, or the bounds are close to each other. Then it tries a bound a little below
 * and one a little above in turn, longer. Two of three such trials decide (most of {@link
 * SearchPlan#repeats}): a lower bound that fails becomes the upper one, an upper one that passes
 * the lower one, and the search goes on. A trial that the load generator spoiled is repeated; a
 * load that it spoils {@value TriedLoad#MOST_SPOILED} times counts as one that it cannot make. For
 * one thread.
 */
public final class CapacitySearch {
  /** Number of bounds that may turn out wrong before the search gives up. */
  private static final int MOST_TURNS = 4;

  /** Up to this part of what the limits allow is far within them. */
  private static final double FAR_WITHIN = 0.1;

  /** From this part of the requests on is far beyond the limits. */
  private static final double FAR_BEYOND = 0.5;

  /** A bound this near to the one that is wanted is as good. */
  private static final double CLOSE = 0.008;

  /** Part of the width by which a bound is below or above where the limit should be. */
  private static final double MARGIN = 0.6;

  /** The last trials decide about bounds that are up to this many widths apart. */
  private static final int LAST_WIDTHS = 3;

  private final SearchPlan plan;
  private final long start;
  private final TriedLoads tried = new TriedLoads();
  private final TrialBudget budget;
  private Optional<TriedLoad> lower = Optional.empty();
  private Optional<TriedLoad> upper = Optional.empty();
  private boolean chosen;
  private int narrowed;
  private int turns;
  private int raisesSinceTurn;
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
    return lower.map(TriedLoad::load);
  }

  /** Returns the lowest load above it that is not, as far as is known now; empty if none is. */
  public Optional<Long> upperBound() {
    return upper.map(TriedLoad::load);
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
      learn(load, trial.stage());
    } else if (load.isUnmakeable()) {
      chosen = false;
      upper = Optional.of(load);
      lower = lower.filter(known -> known != load).or(() -> tried.passedBelow(load));
    }
    next =
        result.verdict() == TrialVerdict.SPOILED && !load.isUnmakeable() ? again(trial) : decide();
  }

  private void learn(TriedLoad load, Stage stage) {
    if (stage != Stage.CONFIRM) {
      if (load.isWithin()) {
        lower = Optional.of(load);
      } else {
        upper = Optional.of(load);
      }
    } else if (lower.filter(known -> known == load).isPresent() && load.failsFor(plan.repeats())) {
      turned();
      upper = Optional.of(load);
      lower = tried.passedBelow(load);
    } else if (upper.filter(known -> known == load).isPresent() && load.holdsFor(plan.repeats())) {
      turned();
      lower = Optional.of(load);
      upper = tried.failedAbove(load);
    }
  }

  private void turned() {
    turns++;
    raisesSinceTurn = 0;
    chosen = false;
  }

  private Optional<Trial> again(Trial trial) {
    return budget.allows(1)
        ? Optional.of(trial(trial.stage(), trial.load()))
        : endWithWhatIsKnown();
  }

  private Optional<Trial> decide() {
    if (budget.isEnough() && isEnough()) {
      return end(outcome());
    }
    if (turns >= MOST_TURNS) {
      return end(Outcome.UNSTABLE);
    }
    if (!budget.allows(1)) {
      return endWithWhatIsKnown();
    }
    if (lower.isEmpty() && tried.unmakeable() > 1) {
      return end(outcome()); // less load does not help the load generator
    }
    if (lower.isEmpty() && upper.orElseThrow().load() > plan.lowest()) {
      return bracket(Math.max(plan.lowest(), (long) (upper.get().load() / upper.get().step())));
    }
    if (upper.isEmpty() && lower.orElseThrow().load() < plan.highest()) {
      long load = lower.get().load();
      return bracket(
          Math.min(plan.highest(), Math.max(load + 1, TriedLoad.rounded((long) (load * raise())))));
    }
    return lower.isPresent() && upper.isPresent() && isTooWide() ? narrow() : confirm();
  }

  private Optional<Trial> narrow() {
    long low = lower.orElseThrow().load();
    long high = upper.orElseThrow().load();
    narrowed++;
    OptionalDouble estimate = LoadEstimate.of(tried.all());
    if (estimate.isPresent()) {
      double limit = Math.min(high, Math.max(low, estimate.getAsDouble()));
      if (LoadEstimate.isFromNear(tried.all(), limit) && choose(limit)) {
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

  /**
   * Chooses bounds around where the limit should be, between those that are known.
   *
   * @return whether they are apart; single clients may be too few for that
   */
  private boolean choose(double limit) {
    long low = lower.orElseThrow().load();
    long high = upper.orElseThrow().load();
    double margin = 1 + MARGIN * (plan.width() - 1);
    TriedLoad below = bound(Math.max(low, limit / margin), lower.get());
    TriedLoad above = bound(Math.min(high, limit * margin), upper.get());
    chosen = below.load() < above.load();
    if (chosen) {
      lower = Optional.of(below);
      upper = Optional.of(above);
    }
    return chosen;
  }

  /** Returns a bound that is known already if it is as good, else one at the load. */
  private TriedLoad bound(double load, TriedLoad known) {
    boolean close = Math.abs(known.load() / load - 1) < CLOSE;
    return close ? known : tried.at(TriedLoad.rounded(Math.round(load)));
  }

  /** Returns the factor of the next load above all that held: small steps first after a turn. */
  private double raise() {
    double step = lower.orElseThrow().step();
    return turns == 0 ? step : Math.min(step, Math.pow(plan.width(), 1L << raisesSinceTurn++));
  }

  private Optional<Trial> bracket(long load) {
    return Optional.of(trial(Stage.BRACKET, load));
  }

  /** Returns whether a load is known to hold, and one a little above it was seen not to. */
  private boolean isEnough() {
    return lower.filter(load -> load.holdsFor(plan.repeats())).isPresent()
        && upper.filter(TriedLoad::isTooMuch).isPresent()
        && !isWide(plan.width());
  }

  private boolean isWide(double width) {
    if (chosen) {
      return false;
    }
    long low = lower.orElseThrow().load();
    long high = upper.orElseThrow().load();
    return high > low * width && high - low > 1;
  }

  private static long inside(long load, long low, long high) {
    return Math.min(high - 1, Math.max(low + 1, TriedLoad.rounded(load)));
  }

  /** Tries the bound of which fewer trials are known; the lower one first. */
  private Optional<Trial> confirm() {
    Optional<TriedLoad> low = lower.filter(load -> !load.isSettledFor(plan.repeats()));
    Optional<TriedLoad> high =
        upper.filter(load -> !load.isUnmakeable() && !load.isSettledFor(plan.repeats()));
    if (low.isPresent() && (high.isEmpty() || low.get().decided() <= high.get().decided())) {
      return low.map(load -> trial(Stage.CONFIRM, load.load()));
    }
    return high.isPresent() ? high.map(load -> trial(Stage.CONFIRM, load.load())) : end(outcome());
  }

  /**
   * Returns whether the bounds are wide; less strictly once the last trials are needed to decide.
   */
  private boolean isTooWide() {
    return isWide(
        budget.allows(plan.repeats() + 1) ? plan.width() : Math.pow(plan.width(), LAST_WIDTHS));
  }

  /**
   * Ends with the highest load that held, best in a trial which decides, and the next that failed.
   * If none above it did, the highest one that held at all is the one to tell.
   */
  private Optional<Trial> endWithWhatIsKnown() {
    lower = tried.highestWithin();
    upper = lower.map(tried::failedAbove).orElseGet(tried::lowestTooMuch);
    if (upper.isEmpty()) {
      lower = tried.highestOfAll();
    }
    boolean contradicted =
        lower.map(tried::isContradicted).orElse(tried.anyPassed() || upper.isEmpty());
    return end(contradicted ? Outcome.UNSTABLE : outcome());
  }

  private Outcome outcome() {
    if (upper.filter(TriedLoad::isUnmakeable).isPresent()) {
      return Outcome.LIMITED_BY_LOAD_GENERATOR;
    }
    if (lower.isEmpty()) {
      return Outcome.NONE_PASSES;
    }
    if (upper.isEmpty()) {
      return Outcome.NONE_FAILS;
    }
    boolean cliff = lower.get().usesAtMost(FAR_WITHIN) && upper.get().violatesAtLeast(FAR_BEYOND);
    return cliff ? Outcome.CLIFF : Outcome.FOUND;
  }

  private Optional<Trial> end(Outcome outcome) {
    conclusion =
        Optional.of(
            new Conclusion(
                outcome,
                lower.map(TriedLoad::bound),
                upper.map(TriedLoad::bound),
                budget.trials()));
    return Optional.empty();
  }

  private Trial trial(Stage stage, long load) {
    boolean last = stage == Stage.CONFIRM;
    int seconds = last ? plan.finalSeconds() : plan.measureSeconds();
    int most = last ? seconds : seconds * plan.longest();
    return new Trial(budget.trials() + 1, load, stage, plan.settleSeconds(), seconds, most);
  }
}
