package io.quorate.capacity;

/** The results of all trials of one load. */
final class TriedLoad {
  private final long load;
  private int passed;
  private int failed;
  private int spoiled;
  private boolean firstWithin;
  private boolean firstKnown;
  private double mostUsedPart;
  private double leastViolatingPart = 1;

  TriedLoad(long load) {
    this.load = load;
  }

  long load() {
    return load;
  }

  void add(TrialResult result, Trial.Stage stage) {
    if (result.verdict() == TrialVerdict.SPOILED) {
      spoiled++;
    } else if (stage != Trial.Stage.CONFIRM) {
      firstWithin = result.isWithin();
      firstKnown = true;
    } else {
      passed += result.isWithin() ? 1 : 0;
      failed += result.isWithin() ? 0 : 1;
      mostUsedPart = Math.max(mostUsedPart, result.usedPart());
      leastViolatingPart = Math.min(leastViolatingPart, result.violatingPart());
    }
  }

  /** Returns how often the load generator spoiled it. */
  int spoiled() {
    return spoiled;
  }

  /** Returns how many of the trials that decide were made. */
  int decided() {
    return passed + failed;
  }

  boolean isWithin() {
    return passed == failed ? firstKnown && firstWithin : passed > failed;
  }

  boolean isBeyond() {
    return passed == failed ? firstKnown && !firstWithin : failed > passed;
  }

  /** Returns whether most of the trials that decide passed, however the rest end. */
  boolean holdsFor(int repeats) {
    return passed > repeats / 2;
  }

  /** Returns whether most of them failed, however the rest end. */
  boolean failsFor(int repeats) {
    return failed > repeats / 2;
  }

  /** Returns whether every trial that decided used no more than this part of what is allowed. */
  boolean usesAtMost(double part) {
    return decided() > 0 && mostUsedPart <= part;
  }

  /** Returns whether in every trial that decided this part of the requests violated a limit. */
  boolean violatesAtLeast(double part) {
    return decided() > 0 && leastViolatingPart >= part;
  }

  Bound bound() {
    return new Bound(load, passed, decided());
  }
}
