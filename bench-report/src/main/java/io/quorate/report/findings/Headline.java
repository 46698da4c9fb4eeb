// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import static io.quorate.format.NumberFormats.commas;
import static io.quorate.format.NumberFormats.rate;
import static io.quorate.format.NumberFormats.threeDigits;

import io.quorate.format.NumberFormats;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.ExpirationFigures;
import io.quorate.report.figures.Ranking;
import io.quorate.report.figures.Ranking.Value;
import io.quorate.report.figures.RequestFigures;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.report.figures.TotalFigures;
import io.quorate.report.figures.WatchFigures;
import io.quorate.report.figures.outage.OutageTime;
import io.quorate.report.judge.Decision;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.results.latency.Percentile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The most important results of a run, in at most three short sentences. */
public final class Headline {
  private static final int MOST = 3;
  private static final String NOT_YET = "No verdict yet: the run is running%s.";

  /** Time from which on waiting requests were not served at their rate. */
  private static final double SECONDS = 1;

  /** Number of intervals between requests that may pass by chance at a low rate. */
  private static final int GAPS = 10;

  private static final double MS_PER_SECOND = 1000;

  private Headline() {}

  /** Returns the sentences, each with its full stop, the most important first. */
  public static List<String> sentences(RunFigures run) {
    if (run.run().databases().isEmpty()) {
      return List.of(
          run.imports().isEmpty()
              ? "No verdict: the run ended before its manifest was written, so nothing was "
                  + "measured."
              : "No verdict: nothing was measured here, and imported values do not say how "
                  + "they were measured.");
    }
    List<DatabaseFigures> compared = run.compared();
    List<String> sentences = new ArrayList<>();
    run.doNotUse().ifPresent(sentences::add);
    brokenLimits(run.databases()).ifPresent(sentences::add);
    if (run.databases().stream().anyMatch(each -> each.run().manifest().isRunning())) {
      sentences.add(NOT_YET.formatted(compared.isEmpty() ? ", and no step has ended yet" : ""));
    } else if (compared.isEmpty()) {
      sentences.add(withoutVerdict(run.databases()));
    }
    if (run.doNotUse().isEmpty()) {
      watched(compared).ifPresent(sentences::add);
      expired(compared).ifPresent(sentences::add);
      throughput(run, compared.stream().filter(each -> each.requests().succeeded() > 0).toList())
          .ifPresent(sentences::add);
    }
    unanswered(compared).ifPresent(sentences::add);
    events(compared).ifPresent(sentences::add);
    return sentences.stream().limit(MOST).toList();
  }

  /**
   * Returns the first sentence that is neither about limits nor about the use of the run; empty if
   * there is none.
   */
  public static Optional<String> result(RunFigures run) {
    List<String> others = new ArrayList<>(run.doNotUse().stream().toList());
    brokenLimits(run.databases()).ifPresent(others::add);
    return sentences(run).stream().skip(others.size()).findFirst();
  }

  private static String withoutVerdict(List<DatabaseFigures> databases) {
    List<String> unreadable =
        databases.stream()
            .filter(DatabaseFigures::isComplete)
            .flatMap(each -> each.unreadableRequests().stream().limit(1))
            .toList();
    return sentence("No verdict: ", unreadable)
        .orElse("No verdict: no database completed its run.");
  }

  private static Optional<String> brokenLimits(List<DatabaseFigures> databases) {
    return sentence(
        "",
        databases.stream()
            .filter(each -> !each.brokenLimits().isEmpty())
            .map(
                each ->
                    "%s broke %d of %d thresholds"
                        .formatted(each.name(), each.brokenLimits().size(), each.limits().size()))
            .toList());
  }

  /** Returns the latency of watches until the last watcher, of runs with watchers. */
  private static Optional<String> watched(List<DatabaseFigures> databases) {
    return sentence(
        "Watch latency until the last watcher%s: ".formatted(DatabaseFigures.watchers(databases)),
        databases,
        each ->
            each.mostWatched()
                .flatMap(StepFigures::watch)
                .map(WatchFigures::lastMs)
                .filter(
                    last -> last.containsKey(Percentile.P50) && last.containsKey(Percentile.P99))
                .map(
                    last ->
                        "%s p50 %s ms, p99 %s ms"
                            .formatted(
                                each.name(),
                                threeDigits(last.getOrDefault(Percentile.P50, Double.NaN)),
                                threeDigits(last.getOrDefault(Percentile.P99, Double.NaN)))));
  }

  /** Returns how late sessions ended whose clients had died, in the step with the most of them. */
  private static Optional<String> expired(List<DatabaseFigures> databases) {
    return sentence(
        "Sessions of dead clients ended later than their TTL by: ",
        databases,
        each ->
            each.expirations().stream()
                .max(Comparator.comparingLong(ExpirationFigures::sessions))
                .map(most -> each.name() + overshoot(most)));
  }

  private static String overshoot(ExpirationFigures of) {
    String notSeen =
        " %s of %s not seen to end".formatted(commas(of.notSeen()), commas(of.sessions()));
    return of.overshootMs().isEmpty()
        ? notSeen
        : " p50 %s, longest %s%s%s"
            .formatted(
                OutageTime.at(of.overshootMs(), 0.5),
                OutageTime.at(of.overshootMs(), 1),
                of.expected().map(rule -> " (expected " + rule.text() + ")").orElse(""),
                of.notSeen() > 0 ? "," + notSeen : "");
  }

  private static Optional<String> throughput(RunFigures run, List<DatabaseFigures> databases) {
    if (databases.isEmpty()) {
      return Optional.empty();
    }
    Optional<StepFigures> step =
        databases.get(0).steps().stream()
            .filter(each -> databases.stream().allMatch(db -> db.byLoad().containsKey(each.load())))
            .max(Comparator.comparingLong(StepFigures::load));
    boolean several = databases.stream().anyMatch(each -> each.byLoad().size() > 1);
    if (step.isPresent() && step.get().asked().isOpen()) {
      return Optional.of(heldRates(databases, step.get()));
    }
    Optional<StepFigures> load = step.filter(any -> several);
    List<Value<DatabaseFigures>> values = new ArrayList<>();
    for (DatabaseFigures each : databases) {
      perSecond(each, load).ifPresent(value -> values.add(new Value<>(each, value)));
    }
    if (values.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        completed(run, new Ranking<>(Kind.RATE, run.limits(Kind.RATE), values), load));
  }

  private static String completed(
      RunFigures run, Ranking<DatabaseFigures> ranking, Optional<StepFigures> load) {
    String leaders = rates(ranking.leaders());
    String with = load.map(each -> "With " + each.loadText() + " ").orElse("");
    if (ranking.values().size() == 1) {
      return with + leaders.replace(" (", " completed ").replace("/s)", " requests/s.");
    }
    List<Reservation.Stated> reservations =
        ranking.reservations(DatabaseFigures::name, each -> basis(each, load));
    Optional<String> obstacle = Reservation.obstacle(reservations);
    if (obstacle.isPresent()) {
      return "%s%s are not compared: %s.".formatted(with, rates(ranking.values()), obstacle.get());
    }
    if (reservations.stream().anyMatch(each -> each.reservation() == Reservation.CLIENTS)) {
      return unequal(ranking.values());
    }
    String reserved =
        reservations.stream()
            .filter(each -> each.reservation() != Reservation.COVERAGE)
            .map(each -> "; " + each.text())
            .collect(Collectors.joining());
    String result =
        ranking.leaders().size() > 1
            ? " are within %d%% of each other%s: too close to call"
                .formatted(
                    run.tiePercent(Kind.RATE),
                    run.tiePercent(Kind.RATE) > Decision.TIE_PERCENT
                        ? ", as published runs of one database are"
                        : "")
            : ranking.values().stream().noneMatch(each -> each.of().locks().isEmpty())
                ? " took the most locks"
                : " completed the most requests";
    return "In this one run"
        + load.map(each -> " with " + each.loadText()).orElse("")
        + ", "
        + leaders
        + result
        + reserved
        + "."
        + ofRepeats(run, ranking, load);
  }

  /** Returns the rates of databases that had different loads, with these. */
  private static String unequal(List<Value<DatabaseFigures>> values) {
    List<String> parts =
        values.stream()
            .map(
                each ->
                    "%s %s/s with %s"
                        .formatted(
                            each.of().name(),
                            rate(each.median()),
                            basis(each.of(), Optional.empty()).clients()))
            .toList();
    boolean open = values.stream().anyMatch(each -> basis(each.of(), Optional.empty()).givenRate());
    return "Highest throughput: %s %s (%s). Unequal loads: this compares them, not the databases."
        .formatted(
            parts.get(0).replaceFirst(" (?=[^ ]*/s with )", ", "),
            open ? "requests/s offered" : "clients",
            String.join(", ", parts.subList(1, parts.size())));
  }

  private static String rates(List<Value<DatabaseFigures>> values) {
    return Phrases.list(
        values.stream()
            .map(each -> "%s (%s/s)".formatted(each.of().name(), rate(each.median())))
            .toList());
  }

  private static OptionalDouble perSecond(DatabaseFigures database, Optional<StepFigures> load) {
    return load.isEmpty()
        ? database.total().stream()
            .flatMapToDouble(each -> each.requestsPerSecond().stream())
            .findFirst()
        : Stream.ofNullable(database.byLoad().get(load.get().load()))
            .flatMapToDouble(each -> each.requestsPerSecond().stream())
            .findFirst();
  }

  /** Returns the range of the ratios of published runs; empty if only one of them was measured. */
  private static String ofRepeats(
      RunFigures run, Ranking<DatabaseFigures> ranking, Optional<StepFigures> load) {
    List<String> names = ranking.values().stream().map(each -> each.of().name()).toList();
    List<String> ratios = new ArrayList<>();
    for (String other : names.subList(1, names.size())) {
      double[] all =
          run.repeats().stream()
              .mapToDouble(
                  each -> perSecond(each, names.get(0), load) / perSecond(each, other, load))
              .filter(Double::isFinite)
              .sorted()
              .toArray();
      if (all.length > 1) {
        ratios.add(
            "%s to %s times %s"
                .formatted(
                    NumberFormats.fixed(all[0], 2),
                    NumberFormats.fixed(all[all.length - 1], 2),
                    other));
      }
    }
    return ratios.isEmpty()
        ? ""
        : " %d published runs: %s had %s."
            .formatted(run.repeats().size(), names.get(0), Phrases.list(ratios));
  }

  private static double perSecond(RunFigures run, String database, Optional<StepFigures> load) {
    return run.compared().stream()
        .filter(each -> each.name().equals(database))
        .flatMapToDouble(each -> perSecond(each, load).stream())
        .findFirst()
        .orElse(Double.NaN);
  }

  private static RequestFigures at(DatabaseFigures database, StepFigures step) {
    return Objects.requireNonNull(database.byLoad().get(step.load()));
  }

  private static Basis basis(DatabaseFigures database, Optional<StepFigures> load) {
    return load.map(each -> at(database, each).basis())
        .orElseGet(() -> database.total().orElseThrow().basis())
        .atRate();
  }

  /**
   * Returns which databases held a rate; a rate that was missed because of a late load generator or
   * too few connections says nothing about a database, nor does a step that may not be compared.
   */
  private static String heldRates(List<DatabaseFigures> databases, StepFigures step) {
    List<String> held = new ArrayList<>();
    List<String> missed = new ArrayList<>();
    List<String> stalled = new ArrayList<>();
    Map<String, List<String>> notJudged = new LinkedHashMap<>();
    for (DatabaseFigures each : databases) {
      double rate = at(each, step).requestsPerSecond().orElse(0);
      String own = ownDelay(each, step);
      Optional<String> but = standstill(each, step);
      List<Reservation.Stated> why = Reservation.disqualifications(at(each, step).basis());
      if (!why.isEmpty()) {
        notJudged.computeIfAbsent(why.get(0).text(), any -> new ArrayList<>()).add(each.name());
      } else if (!StepFigures.heldRate(each.steps(step.load()))) {
        missed.add("%s %s/s%s".formatted(each.name(), rate(rate), own));
      } else if (but.isPresent()) {
        stalled.add(
            "%s completed %s/s, but %s%s".formatted(each.name(), rate(rate), but.get(), own));
      } else {
        held.add(each.name());
      }
    }
    List<String> parts = new ArrayList<>();
    if (!held.isEmpty()) {
      parts.add(Phrases.list(held) + " held the rate");
    }
    parts.addAll(stalled);
    String start = (parts.isEmpty() ? "Offered %s; " : "At %s ").formatted(step.loadText());
    if (!missed.isEmpty()) {
      parts.add("succeeded: " + String.join(", ", missed));
    }
    notJudged.forEach(
        (why, names) -> {
          String are = names.size() == 1 ? " is" : " are";
          parts.add(Phrases.list(names) + are + " not judged: " + why);
        });
    return start + String.join("; ", parts) + ".";
  }

  /** Returns which part the load generator had in the steps of a load; empty if none. */
  private static String ownDelay(DatabaseFigures database, StepFigures step) {
    List<StepFigures> same = database.steps(step.load());
    return same.stream().anyMatch(StepFigures::isLate)
        ? " (the load generator was late)"
        : same.stream().anyMatch(StepFigures::isQueued)
            ? " (requests waited for one of "
                + NumberFormats.count(step.asked().connections(), "connection")
                + ")"
            : "";
  }

  /**
   * Returns what shows that a database did not hold a rate though it completed the requests, as
   * many of them waited: a time without success, beyond that between two requests of the rate, or a
   * p99, of a second or more.
   */
  private static Optional<String> standstill(DatabaseFigures database, StepFigures step) {
    List<StepFigures> same = database.steps(step.load());
    double expected = (double) GAPS / StepFigures.load(step.asked());
    Optional<String> stall =
        Warnings.Stall.longest(same, database.run().events())
            .filter(longest -> longest.longestSeconds() >= SECONDS + expected)
            .map(
                longest ->
                    "no request succeeded for %s s"
                        .formatted(NumberFormats.fixed(longest.longestSeconds(), 1)));
    double p99 = at(database, step).percentileMs(Percentile.P99).orElse(0) / MS_PER_SECOND;
    return stall.isPresent() || p99 < SECONDS
        ? stall
        : Optional.of("with a p99 of %s s".formatted(NumberFormats.fixed(p99, 1)));
  }

  private static Optional<String> unanswered(List<DatabaseFigures> databases) {
    return sentence(
        "Not all requests succeeded: ",
        databases,
        each ->
            Optional.of(each.total().orElseThrow().basis())
                .filter(basis -> !basis.isComplete())
                .map(basis -> each.name() + Reservation.incomplete(basis)));
  }

  private static Optional<String> events(List<DatabaseFigures> databases) {
    return sentence(
        "Watches did not report each change: ",
        databases,
        each ->
            each.total()
                .flatMap(TotalFigures::watch)
                .map(WatchFigures::counts)
                .filter(watch -> watch.delivered() < watch.expected())
                .map(
                    watch ->
                        "%s reported %s of %s changes (%s merged, %s lost)"
                            .formatted(
                                each.name(),
                                commas(watch.delivered()),
                                commas(watch.expected()),
                                commas(watch.coalesced()),
                                commas(watch.lost()))));
  }

  private static Optional<String> sentence(
      String start,
      List<DatabaseFigures> databases,
      Function<DatabaseFigures, Optional<String>> part) {
    return sentence(start, databases.stream().flatMap(each -> part.apply(each).stream()).toList());
  }

  private static Optional<String> sentence(String start, List<String> parts) {
    return parts.isEmpty() ? Optional.empty() : Optional.of(start + String.join("; ", parts) + ".");
  }
}
