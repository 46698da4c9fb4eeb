package io.quorate.report.verdict;

import io.quorate.report.verdict.Ranking.Value;
import io.quorate.run.Percentile;
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
  private static final String TOO_CLOSE =
      "within " + Ranking.TIE_PERCENT + " %% of %s, too close to tell apart";

  private final List<Standing> all;
  private final List<Standing> compared;
  private final List<String> sentences = new ArrayList<>();

  private Verdict(List<Standing> standings) {
    this.all = List.copyOf(standings);
    this.compared = standings.stream().filter(standing -> standing.successes() > 0).toList();
  }

  /**
   * Returns the sentences, each with its full stop.
   *
   * @param standings of the databases whose runs came to their end, in the order of the columns
   */
  public static List<String> sentences(List<Standing> standings) {
    if (standings.isEmpty()) {
      return List.of("There is no verdict: no database came to the end of its run.");
    }
    Verdict verdict = new Verdict(standings);
    StepComparison steps = new StepComparison(verdict.compared);
    if (steps.isPossible()) {
      verdict.sentences.addAll(steps.sentences());
    } else if (verdict.compared.size() > 1) {
      verdict.throughput(verdict.ranking(Better.HIGHER, Standing::requestsPerSecond));
      verdict.latency("At the median (p50)", verdict.ranking(Better.LOWER, Standing::p50Ms));
      verdict.slowRequests();
    } else {
      verdict.compared.forEach(verdict::alone);
    }
    verdict.stalls();
    verdict.cost();
    verdict.errors();
    return List.copyOf(verdict.sentences);
  }

  private void alone(Standing only) {
    if (StepComparison.hasSteps(only)) {
      say("%s completed %s", only.praised(), StepComparison.alone(only));
      say("The run has no figures of another database to compare it with");
      return;
    }
    List<String> figures = new ArrayList<>();
    only.requestsPerSecond()
        .ifPresent(
            value -> figures.add(Prose.perSecond(value) + " requests per second on average"));
    only.p50Ms().ifPresent(ms -> figures.add("half of them within " + Prose.ms(ms) + " (p50)"));
    only.p99Ms().ifPresent(ms -> figures.add("99 %% within %s (p99)".formatted(Prose.ms(ms))));
    if (!figures.isEmpty()) {
      say("%s completed %s", only.praised(), Prose.list(figures));
    }
    say("The run has no figures of another database to compare it with");
  }

  /** Notes stalls, which percentiles hardly show: of a closed loop few requests wait meanwhile. */
  private void stalls() {
    for (Standing standing : all) {
      standing
          .stall()
          .ifPresent(
              stall -> {
                String what = stall.text(" of " + standing.name());
                say(
                    "%s: at most %s under way at a time, so the percentiles hardly show it",
                    Character.toUpperCase(what.charAt(0)) + what.substring(1),
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

  private void throughput(Ranking<Standing> ranking) {
    if (ranking.values().size() < 2) {
      return;
    }
    double best = ranking.values().get(0).value();
    List<String> leaders = each(ranking.leaders(), Standing::praised, Prose::perSecond);
    String behind =
        Prose.list(
            ranking.others().stream()
                .map(
                    other ->
                        "%s%s (%s)"
                            .formatted(
                                Prose.more(best, other.value(), "more than ", "many as "),
                                other.of().name(),
                                Prose.perSecond(other.value())))
                .toList());
    if (ranking.winner().isPresent()) {
      say(
          "%s completed the most requests, %s per second on average: %s%s",
          ranking.winner().get().praised(), Prose.perSecond(best), behind, unknown(ranking));
    } else if (ranking.others().isEmpty()) {
      say(
          "No database was clearly ahead in throughput: %s requests per second on average lie %s%s",
          Prose.list(leaders), TOO_CLOSE.formatted("the highest"), unknown(ranking));
    } else {
      say(
          "%s requests per second on average were the most and lie %s; those of %s are %s%s",
          Prose.list(leaders),
          TOO_CLOSE.formatted("the highest"),
          first(ranking),
          behind,
          unknown(ranking));
    }
  }

  private void slowRequests() {
    List<String> few =
        compared.stream()
            .filter(standing -> standing.p99Ms().isPresent())
            .filter(standing -> !Ranking.carries(Percentile.P99, standing.successes()))
            .map(Standing::name)
            .toList();
    if (few.isEmpty()) {
      latency("At p99", ranking(Better.LOWER, Standing::p99Ms));
    } else {
      say(
          "The latency at p99 is not compared, as that of %s is of a handful of requests",
          Prose.list(few));
    }
  }

  private void latency(String where, Ranking<Standing> ranking) {
    if (ranking.values().size() < 2) {
      return;
    }
    double best = ranking.values().get(0).value();
    List<String> leaders = each(ranking.leaders(), Standing::praised, Prose::ms);
    String behind =
        Prose.list(
            ranking.others().stream()
                .map(
                    other ->
                        "%s was %s (%s)"
                            .formatted(
                                other.of().name(),
                                Prose.more(other.value(), best, "higher", "high"),
                                Prose.ms(other.value())))
                .toList());
    if (ranking.winner().isPresent()) {
      say(
          "%s latency was lowest on %s with %s; %s%s",
          where, ranking.winner().get().praised(), Prose.ms(best), behind, unknown(ranking));
    } else if (ranking.others().isEmpty()) {
      say(
          "%s no database was clearly lower: %s lie %s%s",
          where, Prose.list(leaders), TOO_CLOSE.formatted("the lowest"), unknown(ranking));
    } else {
      say(
          "%s %s were lowest and lie %s; compared with %s %s%s",
          where,
          Prose.list(leaders),
          TOO_CLOSE.formatted("the lowest"),
          first(ranking),
          behind,
          unknown(ranking));
    }
  }

  private static String first(Ranking<Standing> ranking) {
    return ranking.values().get(0).of().name();
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
      say(sentence, Prose.list(amounts));
    }
  }

  private void errors() {
    List<Standing> failing = all.stream().filter(standing -> standing.errors() > 0).toList();
    if (failing.isEmpty()) {
      say("No request of %s failed", Prose.list(all.stream().map(Standing::name).toList()));
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
    say("Failed: %s%s%s", Prose.list(parts), none, basis);
  }

  private Ranking<Standing> ranking(Better better, Function<Standing, OptionalDouble> figure) {
    return new Ranking<>(
        better,
        compared.stream()
            .filter(standing -> figure.apply(standing).isPresent())
            .map(standing -> new Value<>(standing, figure.apply(standing).getAsDouble()))
            .filter(value -> value.value() > 0)
            .toList());
  }

  private static List<String> each(
      List<Value<Standing>> values,
      Function<Standing, String> name,
      DoubleFunction<String> format) {
    return values.stream()
        .map(value -> name.apply(value.of()) + " with " + format.apply(value.value()))
        .toList();
  }

  /** Names the databases that have no such figure and so are not in the sentence. */
  private String unknown(Ranking<Standing> ranking) {
    List<String> absent =
        compared.stream()
            .filter(
                standing -> ranking.values().stream().noneMatch(value -> value.of() == standing))
            .map(Standing::name)
            .toList();
    return absent.isEmpty() ? "" : "; not measured for " + Prose.list(absent);
  }

  private void say(String sentence, Object... parts) {
    sentences.add(String.format(Locale.ROOT, sentence, parts) + ".");
  }
}
