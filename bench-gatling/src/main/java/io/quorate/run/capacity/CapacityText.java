package io.quorate.run.capacity;

import io.quorate.capacity.Bound;
import io.quorate.capacity.SearchResult;
import io.quorate.results.capacity.OverloadRecovery;
import io.quorate.results.capacity.TrialRow;
import io.quorate.scenario.CapacityGoal;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Prints the progress of a capacity search: a line for each trial, and the outcome. */
record CapacityText(String limits, String unit, Consumer<String> say) {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int PERCENT = 100;
  private static final int SECONDS_PER_MINUTE = 60;

  CapacityText(CapacityGoal goal, Consumer<String> say) {
    this(
        goal.limits().stream()
            .map(each -> each.limit().toString())
            .collect(Collectors.joining(" and ")),
        goal.load() == CapacityGoal.Load.RATE ? "/s" : " clients",
        say);
  }

  void begins(long start, int known) {
    say.accept(
        format("capacity search: %s, starting at %s", limits, load(start))
            + (known == 0 ? "" : format("; %d trials are reused", known)));
  }

  void ended(TrialRow row) {
    StringBuilder line =
        new StringBuilder(
            format(
                "trial %d  %-8s %s for %d s: %s",
                row.number(),
                row.stage().id(),
                load(row.load()),
                row.measuredSeconds(),
                row.verdict().id()));
    row.remark().ifPresent(remark -> line.append(" (").append(remark).append(')'));
    row.latencies().p50Nanos().ifPresent(nanos -> line.append(", p50 ").append(millis(nanos)));
    row.latencies().p99Nanos().ifPresent(nanos -> line.append(", p99 ").append(millis(nanos)));
    line.append(format(", %.2f%% violate a limit", PERCENT * row.violatingPart()));
    line.append(format("; CPU cores: load generator %.2f", row.loadGeneratorCores()));
    row.serverCores().ifPresent(cores -> line.append(format(", servers %.2f", cores)));
    row.machineBusy().ifPresent(busy -> line.append(format("; host %.0f%% busy", PERCENT * busy)));
    say.accept(line.toString());
  }

  void concluded(SearchResult conclusion, double seconds) {
    String found =
        switch (conclusion.outcome()) {
          case FOUND -> "capacity: " + holds(conclusion);
          case CLIFF ->
              "capacity: "
                  + holds(conclusion)
                  + "; latency rises steeply here, so a different limit would barely change "
                  + "the result";
          case NONE_PASSES ->
              "capacity: none found: even " + rate(conclusion.fails()) + " is beyond " + limits;
          case NONE_FAILS -> "capacity: at least " + holds(conclusion) + "; no higher load failed";
          case LIMITED_BY_LOAD_GENERATOR ->
              "limited by the load generator, which could not generate "
                  + rate(conclusion.fails())
                  + conclusion
                      .holds()
                      .map(bound -> ": at least " + holds(conclusion))
                      .orElse("; no load is known to hold");
          case UNSTABLE ->
              "inconclusive: trials disagree or decide too little"
                  + conclusion
                      .holds()
                      .or(conclusion::fails)
                      .map(bound -> " around " + load(bound.load()))
                      .orElse("")
                  + "; stop other work on these machines, or run a longer search";
        };
    say.accept(found + format("; %d trials, %s", conclusion.trials(), duration(seconds)));
  }

  private String holds(SearchResult conclusion) {
    Bound holds = conclusion.holds().orElseThrow();
    String lower =
        format(
            "%s within %s (%s",
            load(holds.load()),
            limits,
            holds.trials() == 0
                ? "likely, its trials were undecided"
                : format("held %d of %d", holds.passed(), holds.trials()));
    return lower
        + conclusion
            .fails()
            .filter(bound -> bound.trials() > 0)
            .map(
                bound ->
                    format(
                        "; %s failed %d of %d",
                        load(bound.load()), bound.trials() - bound.passed(), bound.trials()))
            .orElse("")
        + ")";
  }

  void recovered(OverloadRecovery recovery) {
    String overload =
        format(
            "after %d s at %,d/s, at %,d/s",
            recovery.overloadSeconds(), recovery.overload(), recovery.load());
    say.accept(
        recovery.seconds().isPresent()
            ? format("%s: within the limits after %d s", overload, recovery.seconds().getAsInt())
            : format("%s: not within the limits for %d s", overload, recovery.watchedSeconds()));
  }

  private String rate(Optional<Bound> bound) {
    return load(bound.orElseThrow().load());
  }

  private String load(long load) {
    return format("%,d", load) + unit;
  }

  private static String duration(double seconds) {
    return seconds < SECONDS_PER_MINUTE
        ? format("%.0f s", seconds)
        : format("%.1f min", seconds / SECONDS_PER_MINUTE);
  }

  private static String millis(long nanos) {
    return format("%.2f ms", nanos / NANOS_PER_MILLI);
  }

  static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
