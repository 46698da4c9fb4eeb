package io.quorate.capacity;

import java.util.Optional;

/** A load that is within the limits, and a higher one that is not, as far as is known. */
final class Bounds {
  /** A bound this near to the one that is wanted is as good. */
  private static final double CLOSE = 0.008;

  /** Part of the width by which a bound is below or above where the limit should be. */
  private static final double MARGIN = 0.6;

  private final TriedLoads tried;
  private Optional<TriedLoad> lower = Optional.empty();
  private Optional<TriedLoad> upper = Optional.empty();
  private boolean chosen;

  Bounds(TriedLoads tried) {
    this.tried = tried;
  }

  /** Returns the load that is within the limits; empty if none is known. */
  Optional<TriedLoad> lower() {
    return lower;
  }

  /**
   * Returns the load that is not, or that the load generator cannot make; empty if none is known.
   */
  Optional<TriedLoad> upper() {
    return upper;
  }

  /** Takes the loads next to where the limit should be for bounds, if that is not between them. */
  void leaveUnlikely() {
    CapacityLikelihood likely = tried.likelihood();
    boolean above = upper.filter(load -> likely.isAbove(load.load())).isPresent();
    boolean below = lower.filter(load -> likely.isBelow(load.load())).isPresent();
    if (above || below) {
      double limit = likely.quantile(0.5);
      chosen = false;
      lower = tried.withinUpTo(limit);
      upper = tried.tooMuchFrom(limit);
    }
  }

  /** Makes a load the bound on its side. */
  void narrowTo(TriedLoad load) {
    if (load.isWithin()) {
      lower = Optional.of(load);
    } else {
      upper = Optional.of(load);
    }
  }

  /**
   * Makes a load that does not hold the upper bound, and the next below that held the lower one.
   */
  void lowerTo(TriedLoad load) {
    chosen = false;
    upper = Optional.of(load);
    lower = tried.passedBelow(load);
  }

  /** Makes a load that holds the lower bound, and the next above that did not the upper one. */
  void raiseTo(TriedLoad load) {
    chosen = false;
    lower = Optional.of(load);
    upper = tried.failedAbove(load);
  }

  /** Makes a load that the load generator cannot make the upper bound. */
  void limitTo(TriedLoad load) {
    chosen = false;
    upper = Optional.of(load);
    lower = lower.filter(known -> known != load).or(() -> tried.passedBelow(load));
  }

  /**
   * Chooses bounds around where the limit should be, between those that are known.
   *
   * @param width that the search aims at, as a factor
   * @return whether they are apart; single clients may be too few for that
   */
  boolean choose(double limit, double width) {
    double margin = 1 + MARGIN * (width - 1);
    TriedLoad low = lower.orElseThrow();
    TriedLoad high = upper.orElseThrow();
    TriedLoad below = bound(Math.max(low.load(), limit / margin), low);
    TriedLoad above = bound(Math.min(high.load(), limit * margin), high);
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

  /** Returns whether both are known and further apart than a factor; chosen ones never are. */
  boolean areWiderThan(double width) {
    if (chosen || lower.isEmpty() || upper.isEmpty()) {
      return false;
    }
    long low = lower.get().load();
    long high = upper.get().load();
    return high > low * width && high - low > 1;
  }
}
