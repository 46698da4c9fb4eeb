package io.quorate.report.verdict;

import io.quorate.report.verdict.Ranking.Value;
import io.quorate.report.verdict.Sentence.Topic;
import io.quorate.report.verdict.Standing.OfOperation;
import io.quorate.run.Percentile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Summarizes the figures of a run in sentences. Every one is computed from figures that were
 * measured; of what was not measured nothing is said.
 */
public final class Verdict {
  private static final int MOST_LEAD = 3;
  private static final String TOO_CLOSE =
      "within " + Ranking.TIE_PERCENT + " %% of %s, too close to tell apart";

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
            compared, operations.isEmpty() ? latency() : "the " + latency() + " of " + together());
    if (steps.isPossible()) {
      sentences.addAll(steps.sentences());
    } else if (compared.size() > 1) {
      compare();
    } else {
      compared.forEach(this::alone);
    }
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

  private String together() {
    return Prose.list(operations) + " together";
  }

  private void compare() {
    if (!open) {
      throughput(ranking(Better.HIGHER, Standing::requestsPerSecond));
    }
    if (operations.isEmpty()) {
      latency(Topic.MEDIAN, "", ranking(Better.LOWER, Standing::p50Ms));
      slowRequests("", Standing::successes, Standing::p99Ms);
      return;
    }
    for (String operation : operations) {
      Function<Standing, OfOperation> of =
          standing ->
              standing
                  .of(operation)
                  .orElse(
                      new OfOperation(
                          operation, 0, OptionalDouble.empty(), OptionalDouble.empty()));
      latency(
          Topic.MEDIAN,
          " of " + operation,
          ranking(Better.LOWER, standing -> of.apply(standing).p50Ms()));
      slowRequests(
          " of " + operation,
          standing -> of.apply(standing).successes(),
          standing -> of.apply(standing).p99Ms());
    }
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
                    Prose.perSecond(value) + " requests per second on average" + inParentheses()));
    if (operations.isEmpty()) {
      only.p50Ms().ifPresent(ms -> figures.add("half of them within " + Prose.ms(ms) + " (p50)"));
      only.p99Ms().ifPresent(ms -> figures.add("99 %% within %s (p99)".formatted(Prose.ms(ms))));
    }
    for (OfOperation each : only.operations()) {
      each.p99Ms()
          .ifPresent(
              ms ->
                  figures.add("99 %% of %s within %s (p99)".formatted(each.name(), Prose.ms(ms))));
    }
    if (!figures.isEmpty()) {
      say(Topic.THROUGHPUT, "%s completed %s", only.praised(), Prose.list(figures));
    }
  }

  /** Returns {@code " (get and put together)"}; empty if there is one operation. */
  private String inParentheses() {
    return operations.isEmpty() ? "" : " (" + together() + ")";
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
                if (standing.open()) {
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
          Topic.THROUGHPUT,
          "%s completed the most requests%s, %s per second on average: %s%s",
          ranking.winner().get().praised(),
          inParentheses(),
          Prose.perSecond(best),
          behind,
          unknown(ranking));
    } else if (ranking.others().isEmpty()) {
      say(
          Topic.THROUGHPUT,
          "No database was clearly ahead in throughput: %s requests per second on average%s lie %s%s",
          Prose.list(leaders),
          inParentheses(),
          TOO_CLOSE.formatted("the highest"),
          unknown(ranking));
    } else {
      say(
          Topic.THROUGHPUT,
          "%s requests per second on average%s were the most and lie %s; those of %s are %s%s",
          Prose.list(leaders),
          inParentheses(),
          TOO_CLOSE.formatted("the highest"),
          first(ranking),
          behind,
          unknown(ranking));
    }
  }

  private void slowRequests(
      String of, ToLongFunction<Standing> successes, Function<Standing, OptionalDouble> p99Ms) {
    List<String> few =
        compared.stream()
            .filter(standing -> p99Ms.apply(standing).isPresent())
            .filter(standing -> !Ranking.carries(Percentile.P99, successes.applyAsLong(standing)))
            .map(Standing::name)
            .toList();
    if (few.isEmpty()) {
      latency(Topic.P99, of, ranking(Better.LOWER, p99Ms));
    } else {
      say(
          Topic.REMARK,
          "The %s%s at p99 is not compared, as that of %s is of a handful of requests",
          latency(),
          of,
          Prose.list(few));
    }
  }

  /**
   * Compares latencies.
   *
   * @param of such as {@code " of get"}; empty if there is one operation
   */
  private void latency(Topic topic, String of, Ranking<Standing> ranking) {
    if (ranking.values().size() < 2) {
      return;
    }
    String where = topic == Topic.MEDIAN ? "At the median (p50)" : "At p99";
    String noun = of.isEmpty() ? latency() : "the " + latency() + of;
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
          topic,
          "%s %s was lowest on %s with %s; %s%s",
          where,
          noun,
          ranking.winner().get().praised(),
          Prose.ms(best),
          behind,
          unknown(ranking));
    } else if (ranking.others().isEmpty()) {
      say(
          topic,
          "%s%s no database was clearly lower: %s lie %s%s",
          where,
          of,
          Prose.list(leaders),
          TOO_CLOSE.formatted("the lowest"),
          unknown(ranking));
    } else {
      say(
          topic,
          "%s%s %s were lowest and lie %s; compared with %s %s%s",
          where,
          of,
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

  private void say(Topic topic, String sentence, Object... parts) {
    sentences.add(new Sentence(topic, String.format(Locale.ROOT, sentence, parts) + "."));
  }
}
