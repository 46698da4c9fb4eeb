package io.quorate.capacity;

/** Counts the trials of a search and the time that they took, and limits both. For one thread. */
final class TrialBudget {
  private final SearchPlan plan;
  private int trials;
  private double seconds;

  TrialBudget(SearchPlan plan) {
    this.plan = plan;
  }

  /** Notes a trial. */
  void spend(double seconds) {
    trials++;
    this.seconds += seconds;
  }

  /** Returns how many trials were made. */
  int trials() {
    return trials;
  }

  /** Returns whether there is room for so many more trials, as long as those that decide. */
  boolean allows(int more) {
    int each = plan.settleSeconds() + plan.finalSeconds();
    return trials + more <= plan.mostTrials() && seconds + more * each <= plan.mostSeconds();
  }
}
