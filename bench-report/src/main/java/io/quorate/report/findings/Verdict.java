package io.quorate.report.findings;

import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Ranking.Value;
import io.quorate.report.findings.Sentence.Topic;
import io.quorate.report.findings.Standing.OfOperation;
import io.quorate.results.latency.Percentile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/**
 * Summarizes the figures of a run in sentences. Every one is computed from figures that were
 * measured; of what was not measured nothing is said.
 */
public final class Verdict {
  private static final int MOST_LEAD = 3;

  private final List<Standing> all;
  private final List<Standing> compared;
  private final List<String> operations;
  private final boolean open;
  private final List<Sentence> sentences = new ArrayList<>();

  /**
   * Creates the verdict.
   *
   * @param standings of the databases whose runs came to their end, in the order of the columns
   */
  public Verdict(List<Standing> standings) {
    this.all = List.copyOf(standings);
    this.compared = standings.stream().filter(standing -> standing.successes() > 0).toList();
    this.open = standings.stream().anyMatch(Standing::open);
    this.operations =
        standings.stream()
            .flatMap(standing -> standing.operations().stream())
            .map(OfOperation::name)
            .distinct()
            .toList();
    if (standings.isEmpty()) {
      say(Topic.THROUGHPUT, "There is no verdict: no database came to the end of its run");
      return;
    }
    if (open) {
      OfferedRates.sentence(all)
          .ifPresent(text -> sentences.add(new Sentence(Topic.OFFERED_RATE, text)));
    }
    StepComparison steps =
        new StepComparison(
            compared,
            operations.isEmpty()
                ? latency()
                : "the " + latency() + " of " + Prose.together(operations));
    if (steps.isPossible()) {
      sentences.addAll(steps.sentences());
    } else if (compared.size() > 1) {
      sentences.addAll(new Comparison(compared, operations, latency()).sentences(!open));
    } else {
      compared.forEach(this::alone);
    }
    WatchedEvents.sentences(all).forEach(text -> say(Topic.WATCHES, "%s", text));
    stalls();
    cost();
    errors();
  }

  /** Returns the most important sentences, at most three, each with its full stop. */
  public List<String> lead() {
    List<Sentence> lead =
        sentences.stream().sorted(Comparator.comparing(Sentence::topic)).limit(MOST_LEAD).toList();
    return sentences.stream().filter(lead::contains).map(Sentence::text).toList();
  }

  /** Returns the other sentences. */
  public List<String> further() {
    List<String> lead = lead();
    return sentences.stream().map(Sentence::text).filter(text -> !lead.contains(text)).toList();
  }

  /**
   * Returns all sentences, each with its full stop.
   *
   * @param standings of the databases whose runs came to their end, in the order of the columns
   */
  static List<String> sentences(List<Standing> standings) {
    return new Verdict(standings).sentences.stream().map(Sentence::text).toList();
  }

  private String latency() {
    return open ? "response time" : "latency";
  }

  private void alone(Standing only) {
    if (StepComparison.hasSteps(only)) {
      if (!open) {
        say(Topic.THROUGHPUT, "%s completed %s", only.praised(), StepComparison.alone(only));
      }
    } else {
      aloneInOneStep(only);
    }
    say(Topic.REMARK, "The run has no figures of another database to compare it with");
  }

  private void aloneInOneStep(Standing only) {
    List<String> figures = new ArrayList<>();
    only.requestsPerSecond()
        .ifPresent(
            value ->
                figures.add(
                    Prose.perSecond(value)
                        + " requests per second on average"
                        + Prose.inParentheses(operations)));
    if (operations.isEmpty()) {
      only.p50Ms()
          .ifPresent(
              ms ->
                  figures.add(
                      "half of them within %s (p50%s)"
                          .formatted(Prose.ms(ms), delayed(only.basis(), Percentile.P50))));
      only.p99Ms()
          .ifPresent(
              ms ->
                  figures.add(
                      "99%% within %s (p99%s)"
                          .formatted(Prose.ms(ms), delayed(only.basis(), Percentile.P99))));
    }
    for (OfOperation each : only.operations()) {
      each.p99Ms()
          .ifPresent(
              ms ->
                  figures.add(
                      "99%% of %s within %s (p99%s)"
                          .formatted(
                              each.name(), Prose.ms(ms), delayed(each.basis(), Percentile.P99))));
    }
    if (!figures.isEmpty()) {
      say(Topic.THROUGHPUT, "%s completed %s", only.praised(), Prose.list(figures));
    }
  }

  /** Returns what to say of a percentile that the load generator's delay distorts. */
  static String delayed(Basis basis, Percentile percentile) {
    return basis.generator().delayed().contains(percentile)
        ? "; more than a tenth of it is the load generator's delay"
        : "";
  }

  /** Notes stalls, which percentiles hardly show: of a closed loop few requests wait meanwhile. */
  private void stalls() {
    for (Standing standing : all) {
      standing
          .stall()
          .ifPresent(
              stall -> {
                String what = stall.text(" of " + standing.name());
                String sentence = Character.toUpperCase(what.charAt(0)) + what.substring(1);
                if (standing.open() || stall.ofLoadGenerator()) {
                  say(Topic.STALLS, "%s", sentence);
                  return;
                }
                say(
                    Topic.STALLS,
                    "%s: at most %s under way at a time, so the percentiles hardly show it",
                    sentence,
                    stall.clients() == 1
                        ? "1 request was"
                        : Prose.count(stall.clients()) + " requests were");
              });
    }
    boolean failures = all.stream().anyMatch(standing -> standing.errors() > 0);
    listed(
        "The slowest request%s took %%s".formatted(failures ? " that succeeded" : ""),
        Standing::slowestMs,
        Prose::ms);
  }

  private void cost() {
    listed(
        "The CPU use of a server peaked at %s of a core, as the mean over the servers",
        Standing::serverCpuPercent, Prose::percent);
    listed("The memory of a server peaked at %s", Standing::serverMemoryBytes, Prose::bytes);
    listed(
        "After the run a server had %s of data on its disk",
        Standing::serverDiskBytes, Prose::bytes);
    listed(
        "The CPU use of the load generator peaked at %s of a core",
        Standing::clientCpuPercent, Prose::percent);
  }

  /**
   * Lists values in ascending order, without a claim about who is better: these figures have no
   * tie.
   */
  private void listed(
      String sentence, Function<Standing, OptionalDouble> figure, DoubleFunction<String> format) {
    List<Value<Standing>> values =
        all.stream()
            .filter(standing -> figure.apply(standing).isPresent())
            .map(standing -> new Value<>(standing, figure.apply(standing).getAsDouble()))
            .sorted(Comparator.comparingDouble(Value::value))
            .toList();
    if (!values.isEmpty()) {
      List<String> amounts =
          values.stream()
              .map(value -> format.apply(value.value()) + " (" + value.of().name() + ")")
              .toList();
      say(Topic.REMARK, sentence, Prose.list(amounts));
    }
  }

  private void errors() {
    List<Standing> failing = all.stream().filter(standing -> standing.errors() > 0).toList();
    if (failing.isEmpty()) {
      say(
          Topic.REMARK,
          "No request of %s failed",
          Prose.list(all.stream().map(Standing::name).toList()));
      return;
    }
    List<String> parts = new ArrayList<>();
    for (Standing standing : failing) {
      long made = standing.successes() + standing.errors();
      String part =
          standing.successes() == 0
              ? "all %s requests of %s".formatted(Prose.count(made), standing.name())
              : "%s of %s requests of %s (%s)"
                  .formatted(
                      Prose.count(standing.errors()),
                      Prose.count(made),
                      standing.name(),
                      standing.failedPart());
      parts.add(part);
    }
    String none = failing.size() == all.size() ? "" : ", and none of the others";
    String basis =
        compared.isEmpty() ? "" : "; throughput and latencies are of those that succeeded";
    say(Topic.FAILURES, "Failed: %s%s%s", Prose.list(parts), none, basis);
  }

  private void say(Topic topic, String sentence, Object... parts) {
    sentences.add(new Sentence(topic, String.format(Locale.ROOT, sentence, parts) + "."));
  }
}
