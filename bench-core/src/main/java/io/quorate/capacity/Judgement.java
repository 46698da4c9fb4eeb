package io.quorate.capacity;

import io.quorate.scenario.RequestLimit;
import java.util.ArrayList;
import java.util.List;

/**
 * The judgement of a trial by each of its limits.
 *
 * @param limits with their bounds
 */
public record Judgement(List<Judged> limits) {
  /**
   * One limit and what violated it.
   *
   * @param violations bounds of the part that violates it
   */
  public record Judged(RequestLimit limit, ViolationBounds violations) {
    /** Returns the verdict of this limit alone. */
    public TrialVerdict verdict() {
      return violations.verdict(limit.allowedPart());
    }

    /** Returns the violating part as a part of what is allowed; infinite if nothing is. */
    public double usedPart() {
      return violations.part() == 0 ? 0 : violations.part() / limit.allowedPart();
    }
  }

  public Judgement {
    limits = List.copyOf(limits);
  }

  /**
   * Judges a trial.
   *
   * @param limits at least one
   * @param counts of each limit, second by second
   * @param seed of the bounds
   */
  public static Judgement of(
      List<RequestLimit> limits, List<List<ViolationCount>> counts, long seed) {
    List<Judged> judged = new ArrayList<>();
    for (int i = 0; i < limits.size(); i++) {
      judged.add(new Judged(limits.get(i), ViolationBounds.of(counts.get(i), seed)));
    }
    return new Judgement(judged);
  }

  /** Returns the verdict of all limits: each has to pass, and one is enough to fail. */
  public TrialVerdict verdict() {
    List<TrialVerdict> verdicts = limits.stream().map(Judged::verdict).toList();
    if (verdicts.contains(TrialVerdict.FAIL)) {
      return TrialVerdict.FAIL;
    }
    return verdicts.contains(TrialVerdict.UNDECIDED) ? TrialVerdict.UNDECIDED : TrialVerdict.PASS;
  }

  /** Returns what a search needs to know. */
  public TrialResult result() {
    return new TrialResult(
        verdict(),
        limits.stream().mapToDouble(Judged::usedPart).max().orElseThrow(),
        limits.stream().mapToDouble(each -> each.violations().part()).max().orElseThrow());
  }
}
