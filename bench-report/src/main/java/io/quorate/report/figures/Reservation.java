// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import static java.util.stream.Collectors.joining;

import io.quorate.format.NumberFormats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The reasons not to compare values of several databases without restriction, used by tables,
 * overview, verdict and matrix. A reason about a single value is in its {@link Basis}; other
 * reasons are computed from all of them.
 */
public enum Reservation {
  /** The reads of one database have stronger guarantees than the reads of another. */
  GUARANTEES(true, true, Reservation::guarantees),
  /** The databases had different numbers of planned requests. */
  REQUESTS(true, true, Reservation::requests),
  /** The databases had different numbers of clients: that compares their loads. */
  CLIENTS(true, true, Reservation::clients),
  /** Requests failed or were dropped, so the value covers fewer requests than intended. */
  COVERAGE(true, false, Reservation::coverage),
  /** Other processes or the load generator's own delay determined the value. */
  DISTURBED(
      false,
      true,
      "other processes or the load generator's delay took too much of the time",
      "\u2021 Other processes used more than a quarter of the load generator's CPUs, or its delay "
          + "is more than half of the median latency, so nothing is compared."),
  /** The load generator's delay is more than a tenth of the latency. */
  GENERATOR_DELAY(
      false,
      true,
      "the load generator's delay exceeds a tenth of the latency",
      "* More than a tenth of the latency is the load generator's delay, so it is not compared."),
  /** The JVM compiled the load generator's code while it was measured. */
  COLD(
      false,
      true,
      "the load generator's code was not warm",
      "\u00a7 The JVM's compiler used more than 5% of a CPU, or the scenario has cold-start:"
          + " true, so nothing is compared."),
  /** The load generator missed the given times, so an unreached rate is its own. */
  LATE(
      false,
      true,
      "the load generator sent requests late",
      "\u2020 The load generator sent requests late, so an unreached rate says nothing about the "
          + "database."),
  /** The run did not send all of its requests. */
  INCOMPLETE(false, true, "runs that are not complete are not compared"),
  /** A user ended the run early, or it goes on, so its values cover a part of its load. */
  ENDED_EARLY(
      false,
      true,
      "what ended early, or goes on, covers a part of its load and is not compared",
      "\u00b6 The run ended early or goes on: its values cover the requests until then, so "
          + "nothing is compared."),
  /** There are fewer than ten latencies beyond the percentile. */
  TOO_FEW(false, true, "a percentile of a handful of requests is not compared"),
  /** Only some load generators had real-time priority. */
  REAL_TIME(false, true, Reservation::realTime),
  /** Watchers did not get all events; missing events have no latency. */
  EVENTS(true, true, "watchers did not get all events"),
  /** The rate of an open loop was given. */
  GIVEN_RATE(true, true, "the rate was given"),
  /** The rate of one operation follows from its share in the mix. */
  SHARE_OF_MIX(true, true, "the rate of an operation follows from the mix"),
  /** Imported values lack information about their measurement. */
  IMPORTED(false, true, "imported values are not compared");

  private static final Set<Reservation> DISQUALIFYING = EnumSet.of(DISTURBED, COLD, ENDED_EARLY);

  private final boolean allowsRatio;
  private final boolean forbidsBest;
  private final Function<Map<String, Basis>, Optional<String>> reason;
  private final String words;
  private final String legend;

  Reservation(
      boolean allowsRatio,
      boolean forbidsBest,
      Function<Map<String, Basis>, Optional<String>> reason) {
    this.allowsRatio = allowsRatio;
    this.forbidsBest = forbidsBest;
    this.reason = reason;
    this.words = "";
    this.legend = "";
  }

  /** Creates a reservation about a single value, which is in the value's basis. */
  Reservation(boolean allowsRatio, boolean forbidsBest, String text) {
    this(allowsRatio, forbidsBest, text, "");
  }

  /** Creates a reservation about a single value that is marked with the first word of a legend. */
  Reservation(boolean allowsRatio, boolean forbidsBest, String text, String legend) {
    this.allowsRatio = allowsRatio;
    this.forbidsBest = forbidsBest;
    this.words = text;
    this.legend = legend;
    this.reason =
        values ->
            values.values().stream().anyMatch(basis -> basis.own().contains(this))
                ? Optional.of(text)
                : Optional.empty();
  }

  /** A reservation about given values, as text without a full stop. */
  public record Stated(Reservation reservation, String text) {}

  /**
   * Returns the reservations about a comparison of values.
   *
   * @param values basis of each value by the name of its database
   */
  public static List<Stated> about(Map<String, Basis> values) {
    return Arrays.stream(values())
        .flatMap(each -> each.reason.apply(values).map(text -> new Stated(each, text)).stream())
        .toList();
  }

  /** Returns the reservations about a ratio of two values, whose loads may be those compared. */
  public static List<Stated> aboutRatio(String one, Basis ofOne, String other, Basis ofOther) {
    Map<String, Basis> values = new LinkedHashMap<>();
    values.put(one, ofOne);
    values.put(other, ofOther);
    return about(values).stream().filter(each -> each.reservation != GIVEN_RATE).toList();
  }

  /** Returns the marks of a value, each after a blank. */
  public static String marks(Collection<Basis> bases) {
    return all(bases).map(each -> " " + each.mark()).collect(joining());
  }

  /** Returns the sentences that explain the marks of values. */
  public static List<String> legends(Collection<Basis> bases) {
    return all(bases).map(each -> each.legend).toList();
  }

  private static Stream<Reservation> all(Collection<Basis> bases) {
    return Arrays.stream(values())
        .filter(each -> each.isMarked())
        .filter(each -> bases.stream().anyMatch(basis -> basis.own().contains(each)));
  }

  /** Returns whether values have a mark. */
  public boolean isMarked() {
    return !legend.isEmpty();
  }

  /** Returns the mark of values; empty if they have none. */
  public String mark() {
    return legend.split(" ", 2)[0];
  }

  /** Returns the mark and the reason for it in a few words. */
  public String shortLegend() {
    return mark() + " " + words;
  }

  /** Returns how many requests are missing, such as {@code " (5 failed of 1,000)"}. */
  public static String incomplete(Basis basis) {
    return basis.isComplete()
        ? ""
        : " (%s of %s)".formatted(missing(basis), NumberFormats.commas(basis.intended()));
  }

  private static String missing(Basis basis) {
    List<String> parts = new ArrayList<>();
    if (basis.failed() > 0) {
      parts.add(NumberFormats.commas(basis.failed()) + " failed");
    }
    if (basis.dropped() > 0) {
      parts.add(NumberFormats.commas(basis.dropped()) + " were dropped");
    }
    return String.join(" and ", parts);
  }

  /** Returns why a value says nothing about its database; empty if it may. */
  public static List<Stated> disqualifications(Basis value) {
    return about(Map.of("", value)).stream()
        .filter(each -> DISQUALIFYING.contains(each.reservation))
        .toList();
  }

  /** Returns the reason why values must not be compared at all; empty if they may be. */
  public static Optional<String> obstacle(List<Stated> reservations) {
    return obstacles(reservations).stream().map(Stated::text).findFirst();
  }

  /** Returns all reasons why values must not be compared at all; empty if they may be. */
  public static List<Stated> obstacles(List<Stated> reservations) {
    return reservations.stream().filter(each -> !each.reservation.allowsRatio()).toList();
  }

  /** Returns whether values may be compared in a sentence that states the reservation. */
  public boolean allowsRatio() {
    return allowsRatio;
  }

  /** Returns whether a value must not be called the best. */
  public boolean forbidsBest(Basis best) {
    return forbidsBest || this == COVERAGE && !best.isComplete();
  }

  private static Optional<String> guarantees(Map<String, Basis> values) {
    return differing("reads have different guarantees", values, new TreeMap<>(), Basis::reads);
  }

  private static Optional<String> requests(Map<String, Basis> values) {
    return differing(
        "the numbers of requests differ",
        values,
        new LinkedHashMap<>(),
        basis -> basis.planned().stream().mapToObj(NumberFormats::commas).findFirst());
  }

  private static Optional<String> clients(Map<String, Basis> values) {
    return differing(
        "the numbers of clients differ",
        values,
        new LinkedHashMap<>(),
        basis -> Optional.of(basis.clients()).filter(text -> !text.isEmpty()));
  }

  private static Optional<String> realTime(Map<String, Basis> values) {
    return differing(
        "the load generator's real-time priority differs",
        values,
        new TreeMap<>(),
        basis -> Optional.of(basis.generator().realTime() ? "with" : "without"));
  }

  /**
   * Returns a text if a property of the basis differs.
   *
   * @param names empty map that receives the names by that property
   */
  private static <T> Optional<String> differing(
      String what,
      Map<String, Basis> values,
      Map<T, List<String>> names,
      Function<Basis, Optional<T>> of) {
    values.forEach(
        (name, basis) ->
            of.apply(basis)
                .ifPresent(it -> names.computeIfAbsent(it, any -> new ArrayList<>()).add(name)));
    List<String> parts = new ArrayList<>();
    names.forEach((value, whose) -> parts.add(String.join(" and ", whose) + " " + value));
    return parts.size() < 2
        ? Optional.empty()
        : Optional.of(what + ": " + String.join(", ", parts));
  }

  private static Optional<String> coverage(Map<String, Basis> values) {
    return values.entrySet().stream()
        .filter(each -> !each.getValue().isComplete())
        .map(each -> coverage(each.getKey(), each.getValue()))
        .reduce((one, other) -> one + ", " + other);
  }

  private static String coverage(String name, Basis basis) {
    return "of %s requests of %s %s"
        .formatted(NumberFormats.commas(basis.intended()), name, missing(basis));
  }
}
