// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.judge;

import io.quorate.report.judge.Decision.Verdict;
import io.quorate.report.judge.Sample.Kind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Decides the changes of all values of one database together: the more changes are tested, the
 * smaller the probability of each one has to be.
 */
public final class Family {
  private static final double ERROR_OF_REQUESTS = 0.04;
  private static final double ERROR_OF_RESOURCES = 0.01;

  /** Quantile for an interval of two sides and the correction over metrics. */
  private static final double TYPICAL_QUANTILE = 2.2;

  private static final String UNENDED = ": an outage did not end while it was observed";

  private Family() {}

  /**
   * Which changes matter, as parts: 0.01 is 1%.
   *
   * @param threshold change beyond which the whole interval has to be for {@code faster} and {@code
   *     slower}
   * @param margin change within which the whole interval has to be for {@code same}
   * @param tie change up to which single runs are a tie
   */
  public record Limits(double threshold, double margin, double tie) {
    public static final Limits USUAL = new Limits(0.01, 0.05, Decision.TIE_PERCENT / 100.0);
  }

  /**
   * A change to decide.
   *
   * @param band change that runs of one version show by chance: shown, and decides nothing; empty
   *     if it is not known
   * @param obstacle why the values must not be compared, without a full stop; empty if they may be
   */
  public record Question(Change change, OptionalDouble band, Optional<String> obstacle) {
    public Question(Change change) {
      this(change, OptionalDouble.empty(), Optional.empty());
    }
  }

  /** Decides a single change. */
  public static Decision decide(Change change, Limits limits) {
    return decide(List.of(new Question(change)), limits).get(0);
  }

  /**
   * Decides the changes of one database, in their order. At most {@value #ERROR_OF_REQUESTS} plus
   * {@value #ERROR_OF_RESOURCES} of families without a change have one that is better or worse: the
   * probabilities of requests and of resources are corrected separately. Families with fewer than
   * four runs of a side have no such bound.
   */
  public static List<Decision> decide(List<Question> family, Limits limits) {
    return family.stream()
        .map(each -> decision(each, isSignificant(each.change, family), limits))
        .toList();
  }

  /**
   * Returns whether the probability of a change is small enough, after the correction of Holm
   * (1979): the smallest is multiplied by the number of changes, the next one by one less, and so
   * on. The largest that is small enough decides (Hochberg, 1988), as metrics of one run rise and
   * fall together. Numbers of requests are not normally distributed, so their interval decides.
   */
  private static boolean isSignificant(Change change, List<Question> family) {
    double[] p =
        family.stream()
            .map(Question::change)
            .filter(each -> each.hasInterval() && error(each.kind()) == error(change.kind()))
            .mapToDouble(Change::p)
            .sorted()
            .toArray();
    return IntStream.range(0, p.length)
        .filter(i -> p[i] >= change.p())
        .anyMatch(i -> p[i] * (p.length - i) <= error(change.kind()));
  }

  /** Returns the probability of error of all changes of such values together. */
  private static double error(Kind kind) {
    return switch (kind) {
      case RATE, TIME -> ERROR_OF_REQUESTS;
      case RESOURCE -> ERROR_OF_RESOURCES;
      case COUNT -> Double.POSITIVE_INFINITY;
    };
  }

  private static Decision decision(Question asked, boolean significant, Limits limits) {
    Change change = asked.change;
    if (change.runs() == 0) {
      return new Decision(Verdict.NOT_MEASURED);
    }
    if (asked.obstacle.isPresent() && !hasSameCounts(change)) {
      return new Decision(Verdict.NOT_COMPARABLE, ": " + asked.obstacle.get());
    }
    Decision decision = ofValues(asked, significant, limits);
    // a candidate that is worse by what was seen of its outages is worse by all of them, too
    boolean sure = !change.baseline().isBound() && decision.verdict() == Verdict.WORSE;
    return !change.isBound() || sure ? decision : new Decision(Verdict.NOT_COMPARABLE, UNENDED);
  }

  private static Decision ofValues(Question asked, boolean significant, Limits limits) {
    Change change = asked.change;
    if (!change.hasInterval()) {
      return ofFew(change, limits.tie);
    }
    double threshold = limits.threshold * change.unit();
    double margin = limits.margin * change.unit();
    if (significant && change.nearest() > threshold) {
      return directed(change);
    }
    if (change.largest() <= margin) {
      return new Decision(Verdict.SAME, extent(change));
    }
    FurtherRuns further =
        new FurtherRuns(
            TYPICAL_QUANTILE,
            (low, high) ->
                Change.nearest(low, high) > threshold || Change.largest(low, high) <= margin);
    return new Decision(
        Verdict.INCONCLUSIVE,
        ": " + furtherRuns(further.of(change)) + withoutOutliers(change, threshold));
  }

  /** Returns a number of further runs in words: {@code 4 more runs needed}. */
  public static String furtherRuns(int more) {
    return "%s more run%s needed"
        .formatted(more == FurtherRuns.MANY ? "over " + more : more, more == 1 ? "" : "s");
  }

  /** Returns what the runs show without an outlier that alone leaves them undecided. */
  private static String withoutOutliers(Change change, double threshold) {
    return change
        .withoutOutliers()
        .filter(each -> each.hasInterval() && each.nearest() > threshold)
        .filter(each -> each.p() <= error(each.kind()))
        .map(
            each ->
                "; without outliers %s, %s"
                    .formatted(directed(each).word(each.kind()), each.text(each.estimate())))
        .orElse("");
  }

  /** Returns whether all runs of both sides have equally many, which needs no comparison. */
  private static boolean hasSameCounts(Change change) {
    return change.kind() == Kind.COUNT && change.hasInterval() && change.largest() == 0;
  }

  private static Decision ofFew(Change change, double tie) {
    if (isBeyond(tie, change.baseline(), change.candidate())
        || isBeyond(tie, change.candidate(), change.baseline())) {
      return directed(change);
    }
    boolean single = change.baseline().count() == 1 && change.candidate().count() == 1;
    return new Decision(single ? Verdict.INCONCLUSIVE : Verdict.TOO_FEW_RUNS);
  }

  private static boolean isBeyond(double tie, Sample lower, Sample higher) {
    return higher.least() * 100 > lower.greatest() * (100 + 100 * tie);
  }

  private static Decision directed(Change change) {
    return new Decision(
        change.kind().isBetter(0, change.estimate()) ? Verdict.BETTER : Verdict.WORSE);
  }

  private static String extent(Change change) {
    return change.largest() == 0 ? "" : " within " + change.text(change.largest()).replace("+", "");
  }
}
