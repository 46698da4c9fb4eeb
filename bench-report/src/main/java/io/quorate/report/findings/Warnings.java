// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.ClientSecond;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.Reservation;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.results.RunEvent;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.requests.ClientResults;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Lists, in sentences, the limitations of a run's conclusions, the most important first. */
public record Warnings(RunFigures run, List<DatabaseFigures> complete, List<String> sentences) {
  private static final double SHORT_SECONDS = 60;

  private Warnings(RunFigures run) {
    this(
        run,
        run.databases().stream().filter(DatabaseFigures::isComplete).toList(),
        new ArrayList<>());
  }

  public static List<String> sentences(RunFigures run) {
    Warnings caveats = new Warnings(run);
    if (!run.databases().isEmpty()) {
      caveats.all();
    }
    if (!run.databases().isEmpty() && !run.imports().isEmpty()) {
      caveats.say(
          "Imported columns are not compared, because they do not say how and where they "
              + "were measured: %s",
          run.imports().stream()
              .map(each -> VisibleText.of(each.tag()))
              .collect(Collectors.joining(", ")));
    }
    return List.copyOf(caveats.sentences);
  }

  private void all() {
    incomplete();
    if (complete.size() > 1) {
      loads();
      consistency();
    }
    if (!complete.isEmpty()) {
      stalls();
      run.compared().stream()
          .flatMap(each -> LoadGeneratorNotes.busy(each).stream())
          .forEach(busy -> say("%s", busy));
      sentences.addAll(Machines.others(run.compared()));
      if (run.run().isSearch()) {
        search();
      } else {
        repetition();
        duration();
      }
      sentences.addAll(Machines.shared(complete));
      if (!run.run().isSearch()) {
        closedLoop();
      }
    }
  }

  private void stalls() {
    for (DatabaseFigures each : run.compared()) {
      Stall.longest(each.steps(), each.run().events())
          .ifPresent(stall -> say("%s", stall.text(each.name())));
    }
  }

  private void incomplete() {
    run.databases().stream()
        .filter(each -> !each.isComplete())
        .forEach(each -> say("%s, so it is not compared", Footnotes.ending(each)));
    List<String> present =
        run.databases().stream().map(each -> each.run().manifest().store().id()).toList();
    List<String> absent =
        run.databases().get(0).run().manifest().scenario().databases().stream()
            .filter(id -> !present.contains(id))
            .map(VisibleText::of)
            .toList();
    if (!absent.isEmpty() && !run.run().isSearch()) {
      say("The run lacks these databases of the scenario: %s", Phrases.list(absent));
    }
  }

  private void search() {
    boolean ofClients =
        run.databases().stream()
            .flatMap(each -> each.run().searches().stream())
            .anyMatch(each -> each.header().ofClients());
    say(
        "%s was searched once: the spread between searches is unknown",
        complete.size() == 1 ? "The capacity" : "The capacity of each database");
    say(
        "%s",
        ofClients
            ? "Closed loop: each client of a trial waited for a response before its next "
                + "request"
            : "Trials sent requests on schedule regardless of earlier responses: response "
                + "times start at the scheduled send time");
    say("The table shows the probe, which only determines the first load of the search");
  }

  private void duration() {
    List<String> brief = new ArrayList<>();
    for (DatabaseFigures each : complete) {
      each.run()
          .clients()
          .filter(results -> results.totalSeconds() < SHORT_SECONDS)
          .ifPresent(results -> brief.add(each.name() + " for " + seconds(results)));
    }
    if (!brief.isEmpty()) {
      say(
          "Requests were measured for less than a minute (%s): too short to show long-term "
              + "effects",
          Phrases.list(brief));
    }
  }

  private void repetition() {
    String once = complete.size() == 1 ? "It" : "Each database";
    String consequence =
        complete.size() == 1
            ? "the spread between runs is unknown"
            : "differences of up to "
                + run.ties()
                + " count as ties; larger ones may still be noise";
    say("%s was measured once: %s", once, consequence);
  }

  private void closedLoop() {
    if (isOpen()) {
      say(
          "Open loop: requests are sent on schedule regardless of earlier responses. "
              + "Response times start at the scheduled time and include any delay before sending");
      return;
    }
    say(
        "Closed loop: each client waits for a response before its next request, so a stalled "
            + "database gets fewer requests, and latencies omit the requests that would have "
            + "waited (coordinated omission)");
  }

  private void loads() {
    differing(
        isOpen()
            ? "Databases got different rates of requests"
            : "Databases got different numbers of clients",
        Warnings::loads);
    differing(
        "Databases got different numbers of requests",
        each ->
            each.load().endsByTime()
                ? "as many as in the time"
                : NumberFormats.commas(each.load().requests()));
  }

  private boolean isOpen() {
    return complete.stream()
        .allMatch(each -> each.steps().stream().allMatch(step -> step.asked().isOpen()));
  }

  private static String loads(Manifest manifest) {
    return Phrases.list(
        manifest.load().steps().stream()
            .map(StepFigures::load)
            .map(NumberFormats::commas)
            .toList());
  }

  private void consistency() {
    Map<String, Basis> values = new LinkedHashMap<>();
    complete.forEach(each -> values.put(each.name(), each.requests().basis()));
    Reservation.about(values).stream()
        .filter(each -> each.reservation() == Reservation.GUARANTEES)
        .forEach(each -> say("%s", "R" + each.text().substring(1)));
  }

  private void differing(String what, Function<Manifest, String> property) {
    Map<String, List<String>> names =
        complete.stream()
            .collect(
                Collectors.groupingBy(
                    each -> property.apply(each.run().manifest()),
                    LinkedHashMap::new,
                    Collectors.mapping(DatabaseFigures::name, Collectors.toList())));
    if (names.size() > 1) {
      List<String> parts = new ArrayList<>();
      names.forEach((value, whose) -> parts.add(Phrases.list(whose) + ": " + value));
      say("%s (%s)", what, String.join("; ", parts));
    }
  }

  private static String seconds(ClientResults results) {
    double seconds = results.totalSeconds();
    return NumberFormats.fixed(seconds, seconds < 1 ? 3 : 1) + " s";
  }

  private void say(String sentence, Object... parts) {
    sentences.add(String.format(Locale.ROOT, sentence, parts) + ".");
  }

  /**
   * A time of a second or more in which no request succeeded though the load generator did not
   * stall.
   *
   * @param longestSeconds longest such time of a run
   * @param totalSeconds sum of all such times
   * @param step step with the longest one
   * @param watched whether the ends of requests were recorded; otherwise only whole seconds are
   *     known in which no sent request succeeded
   */
  record Stall(double longestSeconds, double totalSeconds, StepFigures step, boolean watched) {
    private static final double NANOS_PER_SECOND = 1e9;

    static Optional<Stall> longest(List<StepFigures> steps, List<RunEvent> events) {
      List<Stall> all = new ArrayList<>();
      for (StepFigures step : steps) {
        all.addAll(
            of(step, events.stream().filter(event -> event.step() == step.number()).toList()));
      }
      double total = all.stream().mapToDouble(Stall::totalSeconds).sum();
      return all.stream()
          .max(Comparator.comparingDouble(Stall::longestSeconds))
          .map(it -> new Stall(it.longestSeconds, total, it.step, it.watched));
    }

    private static List<Stall> of(StepFigures step, List<RunEvent> events) {
      List<RunEvent> gaps =
          events.stream().filter(event -> event.kind() == RunEvent.Kind.NO_SUCCESS).toList();
      if (!gaps.isEmpty()) {
        return gaps.stream()
            .map(gap -> ofStore(gap, events))
            .filter(seconds -> seconds >= 1)
            .map(seconds -> new Stall(seconds, seconds, step, true))
            .toList();
      }
      if (step.longestWithoutSuccess().isPresent()) {
        double longest = step.longestWithoutSuccess().getAsDouble();
        return longest < 1
            ? List.of()
            : List.of(new Stall(longest, step.stalledSeconds().orElse(longest), step, true));
      }
      int seconds = secondsWithoutSuccess(step.wholeSeconds());
      return seconds == 0 ? List.of() : List.of(new Stall(seconds, seconds, step, false));
    }

    /** Returns the seconds of a gap in which the load generator did not stall. */
    private static double ofStore(RunEvent gap, List<RunEvent> events) {
      long own =
          events.stream()
              .filter(event -> event.kind() == RunEvent.Kind.LOAD_GENERATOR_STALL)
              .mapToLong(gap::overlapNanos)
              .sum();
      return (gap.nanos() - own) / NANOS_PER_SECOND;
    }

    private static int secondsWithoutSuccess(List<ClientSecond> seconds) {
      int longest = 0;
      int present = 0;
      for (ClientSecond second : seconds) {
        present = second.count() == 0 ? present + 1 : 0;
        longest = Math.max(longest, present);
      }
      return longest;
    }

    String text(String database) {
      String load = step.atLoad();
      String hidden =
          step.asked().isOpen()
              ? ""
              : "; at most %s in flight, so percentiles barely show it"
                  .formatted(
                      step.asked().clients() == 1
                          ? "1 request was"
                          : NumberFormats.commas(step.asked().clients()) + " requests were");
      if (!watched) {
        return "%s: no request that was sent in %s succeeded (%s)%s"
            .formatted(
                database,
                longestSeconds == 1
                    ? "one whole second"
                    : NumberFormats.fixed(longestSeconds, 0) + " consecutive seconds",
                load,
                hidden);
      }
      String all =
          totalSeconds - longestSeconds < 0.05
              ? ""
              : ", and for %s s in all such times of a second or more"
                  .formatted(NumberFormats.fixed(totalSeconds, 1));
      return "%s: no request succeeded for %s s (%s)%s%s"
          .formatted(database, NumberFormats.fixed(longestSeconds, 1), load, all, hidden);
    }
  }
}
