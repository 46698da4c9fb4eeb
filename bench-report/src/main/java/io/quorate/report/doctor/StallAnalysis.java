// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import io.quorate.format.NumberFormats;
import io.quorate.report.doctor.CircularShift.Overlap;
import io.quorate.report.findings.Phrases;
import io.quorate.store.server.StallCause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Explains the stalls of a database's clients by what was recorded at the same time.
 *
 * @param stalls all stalls
 * @param explanations causes that overlap stalls more often than by chance, the first one first
 * @param unexplained number of stalls without any of these causes
 */
public record StallAnalysis(List<Stall> stalls, List<Explanation> explanations, int unexplained) {
  /** Greatest p value of a cause. */
  private static final double SIGNIFICANT = 0.02;

  /** Greatest p value of a specific cause of which few events explain most of the stalled time. */
  private static final double SIGNIFICANT_IF_SPECIFIC = 0.1;

  private static final double MOST_OF_THE_TIME = 0.5;

  /** Part of the stalls and of the events that make them one to one. */
  private static final double NEARLY_ALL = 0.9;

  /** Fewest stalls that a cause has to explain. */
  private static final int LEAST_STALLS = 3;

  /** Total length of fewer stalls that is enough, in milliseconds. */
  private static final double LEAST_MILLIS = 1000;

  /** Least part of the stalls beyond chance that a cause has to explain. */
  private static final double LEAST_PART = 0.3;

  /** A cause that explains this part of the stalls of the best one comes before it by its order. */
  private static final double AS_MANY = 0.6;

  /** If the load generator explains this part of the stalls, nothing else is blamed. */
  private static final double MOST = 0.5;

  /** Greatest part of the overlaps that may be expected by chance. */
  private static final double MOST_BY_CHANCE = 0.5;

  /**
   * Evidence that may be anywhere within a time this many times as long as a stall is too vague.
   */
  private static final double VAGUE = 2;

  /**
   * A cause of stalls.
   *
   * @param overlap stalls that it overlaps, of those that no cause before it explains
   * @param of number of these stalls
   * @param evidence all evidence of the cause
   * @param isHeadline whether it is evident enough to be said first
   */
  public record Explanation(
      StallCause cause, Overlap overlap, int of, List<Evidence> evidence, boolean isHeadline) {
    /** Returns the sources of the evidence: {@code etcd-2} or {@code etcd-1 and etcd-2}. */
    String sources() {
      return Phrases.list(
          cause == StallCause.OTHER_PROCESSES
              ? worstEvidence().map(Evidence::source).stream().toList()
              : evidence.stream().map(Evidence::source).distinct().sorted().limit(4).toList());
    }

    private Optional<Evidence> worstEvidence() {
      return evidence.stream().max(Comparator.comparingDouble(Evidence::ms));
    }

    /** Returns the detail of the longest event; empty if it has none. */
    Optional<String> worst() {
      return worstEvidence().map(Evidence::detail).filter(text -> !text.isEmpty());
    }

    /** Returns the result as a sentence. */
    public String sentence() {
      boolean isElsewhere = !cause.isOfLoadGenerator() && cause != StallCause.FAULT;
      List<String> details = new ArrayList<>(worst().stream().toList());
      if (!cause.isCertain()) {
        details.add(
            NumberFormats.fixed(overlap.expected(), overlap.expected() < 10 ? 1 : 0)
                + " expected by chance");
      }
      return "%d of %s (%s%% of %s time) %s %s%s%s."
          .formatted(
              overlap.observed(),
              NumberFormats.count(of, "stall"),
              NumberFormats.fixed(100 * overlap.part(), 0),
              of == 1 ? "its" : "their",
              overlap.observed() == 1 ? "overlaps" : "overlap",
              cause.words(),
              isElsewhere ? ": " + sources() : "",
              details.isEmpty() ? "" : " (" + String.join("; ", details) + ")");
    }
  }

  /**
   * Explains stalls.
   *
   * @param evidence evidence of any cause, in any order
   */
  static StallAnalysis of(List<Stall> stalls, List<Evidence> evidence, CircularShift test) {
    Map<StallCause, List<Evidence>> byCause =
        evidence.stream()
            .collect(
                Collectors.groupingBy(
                    Evidence::cause, () -> new EnumMap<>(StallCause.class), Collectors.toList()));
    List<Explanation> explanations = new ArrayList<>();
    List<Stall> rest = stalls;
    while (!rest.isEmpty()) {
      Optional<Explanation> next = best(rest, byCause, test);
      if (next.isEmpty()) {
        break;
      }
      explanations.add(next.get());
      byCause.remove(next.get().cause());
      Set<Stall> explained = new HashSet<>(test.explained(rest, next.get().evidence()));
      boolean isOwn =
          next.get().cause().isOfLoadGenerator() && explained.size() > MOST * stalls.size();
      rest = rest.stream().filter(stall -> !explained.contains(stall)).toList();
      if (isOwn) {
        break;
      }
    }
    return new StallAnalysis(stalls, explanations, rest.size());
  }

  private static Optional<Explanation> best(
      List<Stall> stalls, Map<StallCause, List<Evidence>> byCause, CircularShift test) {
    List<Explanation> candidates = new ArrayList<>();
    byCause.forEach(
        (cause, events) -> {
          Overlap overlap = test.test(stalls, events);
          List<Stall> explained = test.explained(stalls, events);
          double millis =
              explained.stream().mapToDouble(each -> each.endMillis() - each.startMillis()).sum();
          boolean isTested =
              isSignificant(cause, overlap)
                  && overlap.explained() >= LEAST_PART
                  && overlap.expected() <= MOST_BY_CHANCE * overlap.observed()
                  && (overlap.observed() >= LEAST_STALLS || millis >= LEAST_MILLIS);
          if (overlap.observed() > 0 && (cause.isCertain() || isTested)) {
            boolean isHeadline =
                cause.isCertain() ? overlap.part() >= LEAST_PART : !isVague(explained, events);
            candidates.add(new Explanation(cause, overlap, stalls.size(), events, isHeadline));
          }
        });
    double most =
        candidates.stream().mapToDouble(each -> each.overlap().explained()).max().orElse(0);
    Comparator<Explanation> order = Comparator.comparing(Explanation::cause);
    return Stream.concat(
            candidates.stream().filter(each -> each.cause().isCertain()),
            candidates.stream().filter(each -> each.overlap().explained() >= AS_MANY * most))
        .min(order);
  }

  /** Returns whether most of these stalls are much shorter than the time in which events may be. */
  private static boolean isVague(List<Stall> stalls, List<Evidence> events) {
    long vague =
        stalls.stream()
            .filter(
                stall ->
                    events.stream()
                        .filter(event -> event.overlaps(stall))
                        .noneMatch(
                            event ->
                                event.uncertainMillis()
                                    < VAGUE * (stall.endMillis() - stall.startMillis())))
            .count();
    return vague > MOST * stalls.size();
  }

  private static boolean isSignificant(StallCause cause, Overlap overlap) {
    return overlap.p() <= SIGNIFICANT
        || cause.isSpecific()
            && overlap.explained() >= MOST_OF_THE_TIME
            && overlap.p() <= SIGNIFICANT_IF_SPECIFIC
        || isOneToOne(overlap);
  }

  /**
   * Returns whether nearly all stalls have an event and nearly all events have a stall. The shift
   * test does not find this if both are periodic: a shift by a period changes nothing.
   */
  private static boolean isOneToOne(Overlap overlap) {
    return overlap.explained() >= NEARLY_ALL
        && overlap.matched() >= LEAST_STALLS
        && overlap.matched() >= NEARLY_ALL * overlap.events();
  }

  /** Returns the total length of all stalls in milliseconds. */
  public double millis() {
    return stalls.stream().mapToDouble(each -> each.endMillis() - each.startMillis()).sum();
  }
}
