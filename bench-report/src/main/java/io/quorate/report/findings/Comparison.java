package io.quorate.report.findings;

import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Better;
import io.quorate.report.figures.Ranking;
import io.quorate.report.figures.Ranking.Value;
import io.quorate.report.figures.Reservation;
import io.quorate.report.findings.Sentence.Topic;
import io.quorate.report.findings.Standing.OfOperation;
import io.quorate.results.latency.Percentile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares throughput and latencies of databases over their whole runs, in sentences. */
final class Comparison {
  private static final String TOO_CLOSE =
      "within " + Ranking.TIE_PERCENT + " %% of %s, too close to tell apart";

  private final List<Standing> compared;
  private final List<String> operations;
  private final String noun;
  private final List<Sentence> sentences = new ArrayList<>();

  /**
   * @param compared at least two
   * @param operations that are compared each by itself; none if there is one only
   * @param noun for the time that a request takes
   */
  Comparison(List<Standing> compared, List<String> operations, String noun) {
    this.compared = List.copyOf(compared);
    this.operations = List.copyOf(operations);
    this.noun = noun;
  }

  /**
   * Returns the sentences, each with its full stop.
   *
   * @param rates whether to compare the throughput, too
   */
  List<Sentence> sentences(boolean rates) {
    if (rates) {
      throughput(ranking(Better.HIGHER, Standing::requestsPerSecond));
    }
    latencies();
    return List.copyOf(sentences);
  }

  private void latencies() {
    if (operations.isEmpty()) {
      latency(Topic.MEDIAN, "", ranking(Better.LOWER, Standing::p50Ms), Standing::basis);
      slowRequests("", Standing::successes, Standing::p99Ms, Standing::basis);
      return;
    }
    for (String operation : operations) {
      Function<Standing, OfOperation> of =
          standing ->
              standing
                  .of(operation)
                  .orElse(
                      new OfOperation(
                          operation,
                          0,
                          OptionalDouble.empty(),
                          OptionalDouble.empty(),
                          Basis.UNKNOWN));
      latency(
          Topic.MEDIAN,
          " of " + operation,
          ranking(Better.LOWER, standing -> of.apply(standing).p50Ms()),
          standing -> of.apply(standing).basis());
      slowRequests(
          " of " + operation,
          standing -> of.apply(standing).successes(),
          standing -> of.apply(standing).p99Ms(),
          standing -> of.apply(standing).basis());
    }
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
          Prose.inParentheses(operations),
          Prose.perSecond(best),
          behind,
          unknown(ranking) + reserved(ranking, Standing::basis));
    } else if (ranking.others().isEmpty()) {
      say(
          Topic.THROUGHPUT,
          "No database was clearly ahead in throughput: %s requests per second on average%s lie %s%s",
          Prose.list(leaders),
          Prose.inParentheses(operations),
          TOO_CLOSE.formatted("the highest"),
          unknown(ranking) + reserved(ranking, Standing::basis));
    } else {
      say(
          Topic.THROUGHPUT,
          "%s requests per second on average%s were the most and lie %s; those of %s are %s%s",
          Prose.list(leaders),
          Prose.inParentheses(operations),
          TOO_CLOSE.formatted("the highest"),
          first(ranking),
          behind,
          unknown(ranking) + reserved(ranking, Standing::basis));
    }
  }

  private void slowRequests(
      String of,
      ToLongFunction<Standing> successes,
      Function<Standing, OptionalDouble> p99Ms,
      Function<Standing, Basis> basis) {
    List<String> few =
        compared.stream()
            .filter(standing -> p99Ms.apply(standing).isPresent())
            .filter(standing -> !Percentile.P99.isCarriedBy(successes.applyAsLong(standing)))
            .map(Standing::name)
            .toList();
    if (few.isEmpty()) {
      latency(Topic.P99, of, ranking(Better.LOWER, p99Ms), basis);
    } else {
      say(
          Topic.REMARK,
          "The %s%s at p99 is not compared, as that of %s is of a handful of requests",
          noun,
          of,
          Prose.list(few));
    }
  }

  /**
   * Compares latencies.
   *
   * @param of such as {@code " of get"}; empty if there is one operation
   * @param latencies the basis of the latencies of each database
   */
  private void latency(
      Topic topic, String of, Ranking<Standing> ranking, Function<Standing, Basis> latencies) {
    if (ranking.values().size() < 2) {
      return;
    }
    Percentile percentile = topic == Topic.MEDIAN ? Percentile.P50 : Percentile.P99;
    Function<Standing, Basis> basis = of(percentile, latencies);
    Optional<String> obstacle = Reservation.obstacle(ranking.reservations(Standing::name, basis));
    if (obstacle.isPresent()) {
      say(
          Topic.REMARK,
          "The %s%s at %s is not compared: %s",
          noun,
          of,
          topic == Topic.MEDIAN ? "the median (p50)" : "p99",
          obstacle.get());
      return;
    }
    String where = topic == Topic.MEDIAN ? "At the median (p50)" : "At p99";
    String what = of.isEmpty() ? noun : "the " + noun + of;
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
          what,
          ranking.winner().get().praised(),
          Prose.ms(best),
          behind,
          unknown(ranking) + reserved(ranking, basis));
    } else if (ranking.others().isEmpty()) {
      say(
          topic,
          "%s%s no database was clearly lower: %s lie %s%s",
          where,
          of,
          Prose.list(leaders),
          TOO_CLOSE.formatted("the lowest"),
          unknown(ranking) + reserved(ranking, basis));
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
          unknown(ranking) + reserved(ranking, basis));
    }
  }

  private static Function<Standing, Basis> of(
      Percentile percentile, Function<Standing, Basis> latencies) {
    return standing -> latencies.apply(standing).at(percentile);
  }

  private static String first(Ranking<Standing> ranking) {
    return ranking.values().get(0).of().name();
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

  /** Returns the reservations; those about failed requests of leaders stand beside their names. */
  static String reserved(Ranking<Standing> ranking, Function<Standing, Basis> basis) {
    Ranking<Standing> others = new Ranking<>(ranking.better(), ranking.others());
    return Stream.concat(
            ranking.reservations(Standing::name, basis).stream()
                .filter(each -> each.reservation() != Reservation.COVERAGE),
            others.reservations(Standing::name, basis).stream()
                .filter(each -> each.reservation() == Reservation.COVERAGE))
        .map(each -> "; " + each.text())
        .collect(Collectors.joining());
  }

  private void say(Topic topic, String sentence, Object... parts) {
    sentences.add(new Sentence(topic, String.format(Locale.ROOT, sentence, parts) + "."));
  }
}
