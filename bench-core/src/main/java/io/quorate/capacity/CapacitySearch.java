package io.quorate.capacity;

import io.quorate.capacity.Trial.Stage;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

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
 * load that it spoils {@value #MOST_SPOILED} times counts as one that it cannot make. For one
 * thread.
 */
public final class CapacitySearch {
  private static final int MOST_SPOILED = 3;

  /** Number of bounds that may turn out wrong before the search gives up. */
  private static final int MOST_TURNS = 4;

  /** Up to this part of what the limits allow is far within them. */
  private static final double FAR_WITHIN = 0.1;

  /** From this part of the requests on is far beyond the limits. */
  private static final double FAR_BEYOND = 0.5;

  /** Factor of the next load where the last one tells nothing of how far it may go. */
  private static final double FAR_STEP = 2;

  /** The same where a part of what the limits allow was used, or not many times of it. */
  private static final double NEAR_STEP = 1.4;

  /** A bound this near to the one that is wanted is as good. */
  private static final double CLOSE = 0.008;

  /** Part of the width by which a bound is below or above where the limit should be. */
  private static final double MARGIN = 0.75;

  /** Loads from this on are rounded to three digits. */
  private static final long ROUNDED_FROM = 1_000;

  private final SearchPlan plan;
  private final long start;
  private final NavigableMap<Long, TriedLoad> tried = new TreeMap<>();
  private Optional<TriedLoad> lower = Optional.empty();
  private Optional<TriedLoad> upper = Optional.empty();
  private boolean chosen;
  private int narrowed;
  private int turns;
  private int trials;
  private Optional<Trial> next;
  private Optional<Conclusion> conclusion = Optional.empty();

  /**
   * @param start the first load that is tried, unless it is below the lowest or above the highest
   */
  public CapacitySearch(SearchPlan plan, long start) {
    this.plan = plan;
    this.start = Math.min(plan.highest(), Math.max(plan.lowest(), rounded(start)));
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
   * @throws IllegalStateException if the search is over
   */
  public void add(TrialResult result) {
    Trial trial = next.orElseThrow(() -> new IllegalStateException("the search is over"));
    trials++;
    TriedLoad load = tried.computeIfAbsent(trial.load(), TriedLoad::new);
    load.add(result, trial);
    if (result.verdict() != TrialVerdict.SPOILED) {
      learn(load, trial.stage());
    } else if (isUnmakeable(load)) {
      chosen = false;
      upper = Optional.of(load);
      lower = lower.filter(known -> known != load).or(() -> passedBelow(load));
    }
    next =
        result.verdict() == TrialVerdict.SPOILED && !isUnmakeable(load) ? again(trial) : decide();
  }

  private static boolean isUnmakeable(TriedLoad load) {
    return load.spoiled() >= MOST_SPOILED;
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
      lower = passedBelow(load);
    } else if (upper.filter(known -> known == load).isPresent() && load.holdsFor(plan.repeats())) {
      turned();
      lower = Optional.of(load);
      upper = failedAbove(load);
    }
  }

  private void turned() {
    turns++;
    chosen = false;
  }

  private Optional<TriedLoad> passedBelow(TriedLoad load) {
    return tried.headMap(load.load(), false).descendingMap().values().stream()
        .filter(each -> each.isWithin() && !isUnmakeable(each))
        .findFirst();
  }

  private Optional<TriedLoad> failedAbove(TriedLoad load) {
    return tried.tailMap(load.load(), false).values().stream()
        .filter(each -> each.isBeyond() || isUnmakeable(each))
        .findFirst();
  }

  private Optional<Trial> again(Trial trial) {
    return trials >= 2 * plan.enoughTrials()
        ? end(Outcome.UNSTABLE)
        : Optional.of(trial(trial.stage(), trial.load()));
  }

  private Optional<Trial> decide() {
    if (trials >= plan.enoughTrials() && isEnough()) {
      return end(outcome());
    }
    if (turns >= MOST_TURNS || trials >= 2 * plan.enoughTrials()) {
      return end(Outcome.UNSTABLE);
    }
    if (lower.isEmpty() && tried.values().stream().filter(each -> isUnmakeable(each)).count() > 1) {
      return end(outcome()); // less load does not help the load generator
    }
    if (lower.isEmpty() && upper.orElseThrow().load() > plan.lowest()) {
      return bracket(Math.max(plan.lowest(), (long) (upper.get().load() / step(upper.get()))));
    }
    if (upper.isEmpty() && lower.orElseThrow().load() < plan.highest()) {
      long load = lower.get().load();
      double factor = turns == 0 ? step(lower.get()) : plan.width();
      return bracket(Math.min(plan.highest(), Math.max(load + 1, rounded((long) (load * factor)))));
    }
    return lower.isPresent() && upper.isPresent() && isWide() ? narrow() : confirm();
  }

  private static double step(TriedLoad load) {
    return load.isTelling() ? NEAR_STEP : FAR_STEP;
  }

  private Optional<Trial> narrow() {
    long low = lower.orElseThrow().load();
    long high = upper.orElseThrow().load();
    narrowed++;
    OptionalDouble estimate = LoadEstimate.of(tried.values());
    if (estimate.isPresent()) {
      double limit = Math.min(high, Math.max(low, estimate.getAsDouble()));
      if (LoadEstimate.isFromNear(tried.values(), limit) && choose(limit)) {
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
    return close ? known : tried.computeIfAbsent(rounded(Math.round(load)), TriedLoad::new);
  }

  private Optional<Trial> bracket(long load) {
    return Optional.of(trial(Stage.BRACKET, load));
  }

  /** Returns whether a load is known to hold, and one a little above it was seen not to. */
  private boolean isEnough() {
    return lower.filter(load -> load.holdsFor(plan.repeats())).isPresent()
        && upper.isPresent()
        && !isWide();
  }

  private boolean isWide() {
    if (chosen) {
      return false;
    }
    long low = lower.orElseThrow().load();
    long high = upper.orElseThrow().load();
    return high > low * plan.width() && high - low > 1;
  }

  private static long inside(long load, long low, long high) {
    return Math.min(high - 1, Math.max(low + 1, rounded(load)));
  }

  /** Returns a load rounded to three digits, as people read it. */
  private static long rounded(long load) {
    long unit = 1;
    while (load / unit >= ROUNDED_FROM) {
      unit *= 10;
    }
    return (load + unit / 2) / unit * unit;
  }

  /** Tries the bound of which fewer trials are known; the lower one first. */
  private Optional<Trial> confirm() {
    Optional<TriedLoad> low = lower.filter(load -> !isSettled(load));
    Optional<TriedLoad> high = upper.filter(load -> !isUnmakeable(load) && !isSettled(load));
    if (low.isPresent() && (high.isEmpty() || low.get().decided() <= high.get().decided())) {
      return low.map(load -> trial(Stage.CONFIRM, load.load()));
    }
    return high.isPresent() ? high.map(load -> trial(Stage.CONFIRM, load.load())) : end(outcome());
  }

  /** Returns whether its bound needs no more trials. */
  private boolean isSettled(TriedLoad load) {
    return load.holdsFor(plan.repeats()) || load.failsFor(plan.repeats());
  }

  private Outcome outcome() {
    if (upper.filter(CapacitySearch::isUnmakeable).isPresent()) {
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
                outcome, lower.map(TriedLoad::bound), upper.map(TriedLoad::bound), trials));
    return Optional.empty();
  }

  private Trial trial(Stage stage, long load) {
    boolean last = stage == Stage.CONFIRM;
    int seconds = last ? plan.finalSeconds() : plan.measureSeconds();
    int most = last ? seconds : seconds * plan.longest();
    return new Trial(trials + 1, load, stage, plan.settleSeconds(), seconds, most);
  }
}
