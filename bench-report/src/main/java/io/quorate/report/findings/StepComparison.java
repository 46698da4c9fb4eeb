package io.quorate.report.findings;

import io.quorate.report.figures.Better;
import io.quorate.report.figures.Ranking;
import io.quorate.report.findings.Standing.OfLoad;
import io.quorate.results.latency.Percentile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * Compares databases whose load had several steps at each number of clients, in sentences: a mean
 * over steps is of none of them. Steps with the same leaders share a sentence.
 */
final class StepComparison {
  /** Number of changes of the lead above which only the figures with the most clients are given. */
  private static final int FEW = 3;

  private static final int FEW_STEPS = 4;
  private static final String TOO_CLOSE =
      "within " + Ranking.TIE_PERCENT + " % of the highest, too close to tell apart";

  private final List<Standing> compared;
  private final List<Long> loads;
  private final boolean open;
  private final String latency;

  /**
   * @param latency how sentences call it, such as {@code latency}
   */
  StepComparison(List<Standing> compared, String latency) {
    this.compared = List.copyOf(compared);
    this.open = compared.stream().anyMatch(Standing::open);
    this.latency = latency;
    this.loads =
        compared.stream()
            .flatMap(standing -> standing.steps().stream())
            .map(OfLoad::load)
            .distinct()
            .sorted()
            .filter(number -> throughput(number).isComparable())
            .toList();
  }

  static boolean hasSteps(Standing standing) {
    return standing.steps().size() > 1;
  }

  /**
   * Returns whether there are several steps, and in one of them at least two databases to compare.
   */
  boolean isPossible() {
    return compared.stream().anyMatch(StepComparison::hasSteps) && !loads.isEmpty();
  }

  private StepPoint throughput(long number) {
    return StepPoint.of(
        number, compared, Better.HIGHER, OfLoad::requestsPerSecond, Optional.empty());
  }

  /** Returns the results of one database alone, as the end of a sentence. */
  static String alone(Standing only) {
    List<OfLoad> steps = new ArrayList<>(only.steps());
    if (steps.size() > FEW_STEPS) {
      OfLoad last = steps.get(steps.size() - 1);
      OfLoad most =
          steps.stream()
              .max(Comparator.comparingDouble(step -> step.requestsPerSecond().orElse(0)))
              .orElseThrow();
      steps.removeIf(step -> step != steps.get(0) && step != most && step != last);
    }
    return Prose.list(steps.stream().map(StepComparison::reached).toList());
  }

  private static String reached(OfLoad step) {
    String rate =
        step.requestsPerSecond().isPresent()
            ? Prose.perSecond(step.requestsPerSecond().getAsDouble()) + " requests per second "
            : Prose.count(step.successes()) + " requests ";
    String slow =
        step.p99Ms().isPresent()
            ? " (99%% within %s%s)"
                .formatted(
                    Prose.ms(step.p99Ms().getAsDouble()),
                    Verdict.delayed(step.basis(), Percentile.P99))
            : "";
    return rate + "with " + Prose.clients(step.load()) + slow;
  }

  /** Returns the sentences. */
  List<Sentence> sentences() {
    List<Sentence> sentences = new ArrayList<>();
    if (!open) {
      throughputs(sentences);
    }
    latency(Sentence.Topic.MEDIAN, loads, OfLoad::p50Ms, sentences);
    List<Long> carried = loads.stream().filter(this::carriesP99).toList();
    latency(Sentence.Topic.P99, carried, OfLoad::p99Ms, sentences);
    if (carried.size() < loads.size()) {
      List<Long> few = loads.stream().filter(number -> !carried.contains(number)).toList();
      sentences.add(
          new Sentence(
              Sentence.Topic.REMARK,
              "The %s at p99 is not compared %s, as that of a database is of a handful of requests."
                  .formatted(latency, where(few))));
    }
    return sentences;
  }

  private void throughputs(List<Sentence> sentences) {
    List<List<StepPoint>> groups = groups(loads.stream().map(this::throughput).toList());
    for (List<StepPoint> group : groups) {
      boolean busiest = last(group).load() == loads.get(loads.size() - 1);
      sentences.add(
          new Sentence(
              busiest ? Sentence.Topic.THROUGHPUT : Sentence.Topic.THROUGHPUT_OF_OTHER_STEPS,
              throughput(group, groups.size() <= FEW || busiest) + "."));
    }
  }

  private boolean carriesP99(long number) {
    return compared.stream()
        .flatMap(standing -> standing.with(number).stream())
        .filter(step -> step.p99Ms().isPresent())
        .allMatch(step -> Percentile.P99.isCarriedBy(step.successes()));
  }

  private String throughput(List<StepPoint> group, boolean withFigures) {
    StepPoint last = last(group);
    String where = where(group.stream().map(StepPoint::load).toList());
    boolean every = group.size() == loads.size() && group.size() > 1;
    String start = every ? "In every step" : capitalized(where);
    if (last.ranking().winner().isEmpty()) {
      return start + " " + tied(group, withFigures);
    }
    String most =
        start + " " + last.ranking().winner().get().praised() + " completed the most requests";
    if (!withFigures) {
      return most;
    }
    String quoted = ahead(last, group.size() > 1, group.size() < 2);
    String figures =
        group.size() == 1
            ? ", " + quoted
            : ": " + ahead(group.get(0), true, true) + ", and " + quoted;
    return most + figures + last.reserved();
  }

  /** Returns {@code with 10 clients 4,000 per second, 2.0 times as many as consul (2,000)}. */
  private static String ahead(StepPoint point, boolean named, boolean withUnit) {
    return (named ? "with " + Prose.clients(point.load()) + " " : "")
        + Prose.perSecond(point.best())
        + (withUnit ? " per second" : "")
        + (named ? ", " : ": ")
        + point.behind()
        + point.absent();
  }

  private static String tied(List<StepPoint> group, boolean withFigures) {
    StepPoint last = last(group);
    boolean all = last.ranking().others().isEmpty();
    if (!withFigures) {
      return all
          ? "no database was clearly ahead in throughput"
          : Prose.list(last.leaders().stream().map(Standing::praised).toList())
              + " completed the most requests, too close to tell apart";
    }
    String which = group.size() > 1 ? "with " + Prose.clients(last.load()) + " " : "";
    String figures = which + last.leading(Prose::perSecond) + " requests per second";
    return all
        ? "no database was clearly ahead in throughput: "
            + figures
            + " lie "
            + TOO_CLOSE
            + last.absent()
            + last.reserved()
        : "several databases were ahead: %s lie %s; those of %s are %s%s"
            .formatted(
                figures,
                TOO_CLOSE,
                last.ranking().values().get(0).of().name(),
                last.behind(),
                last.absent() + last.reserved());
  }

  private void latency(
      Sentence.Topic topic,
      List<Long> numbers,
      Function<OfLoad, OptionalDouble> value,
      List<Sentence> sentences) {
    Percentile percentile = topic == Sentence.Topic.MEDIAN ? Percentile.P50 : Percentile.P99;
    List<StepPoint> points =
        numbers.stream()
            .map(
                number ->
                    StepPoint.of(number, compared, Better.LOWER, value, Optional.of(percentile)))
            .filter(StepPoint::isComparable)
            .toList();
    points.stream()
        .flatMap(point -> point.obstacle().stream())
        .distinct()
        .forEach(
            why ->
                sentences.add(
                    new Sentence(
                        Sentence.Topic.REMARK,
                        "Not every %s at %s is compared: %s."
                            .formatted(latency, percentile.label(), why))));
    points = points.stream().filter(point -> point.obstacle().isEmpty()).toList();
    if (points.isEmpty()) {
      return;
    }
    List<String> parts = new ArrayList<>();
    for (List<StepPoint> group : groups(points)) {
      List<Standing> leaders = last(group).leaders();
      String tie = leaders.size() > 1 ? " (too close to tell apart)" : "";
      String where =
          group.size() == loads.size() && group.size() > 1
              ? "in every step"
              : where(group.stream().map(StepPoint::load).toList());
      parts.add(
          "on %s%s %s"
              .formatted(Prose.list(leaders.stream().map(Standing::praised).toList()), tie, where));
    }
    StepPoint last = last(points);
    String figure = topic == Sentence.Topic.MEDIAN ? "At the median (p50)" : "At p99";
    sentences.add(
        new Sentence(
            topic,
            "%s %s was lowest %s; %s it was %s%s."
                .formatted(
                    figure,
                    latency,
                    Prose.list(parts),
                    where(List.of(last.load())),
                    last.listed(Prose::ms),
                    last.absent() + last.reserved())));
  }

  /** Groups points with the same leaders, in the order of the first of each. */
  private static List<List<StepPoint>> groups(List<StepPoint> points) {
    Map<List<String>, List<StepPoint>> groups = new LinkedHashMap<>();
    for (StepPoint point : points) {
      List<String> leaders = point.leaders().stream().map(Standing::name).toList();
      groups.computeIfAbsent(leaders, none -> new ArrayList<>()).add(point);
    }
    return List.copyOf(groups.values());
  }

  /**
   * Returns {@code with 1 client}, {@code with 1 and 50 clients}, {@code with 1 to 50 clients},
   * {@code at 1,000/s}.
   */
  private String where(List<Long> numbers) {
    long most = numbers.get(numbers.size() - 1);
    int from = loads.indexOf(numbers.get(0));
    boolean inRow = loads.indexOf(most) - from == numbers.size() - 1;
    String values =
        numbers.size() > 2 && inRow
            ? Prose.count(numbers.get(0)) + " to " + Prose.count(most)
            : Prose.list(numbers.stream().map(Prose::count).toList());
    return open ? "at " + values + "/s" : "with " + values + (most == 1 ? " client" : " clients");
  }

  private static String capitalized(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private static StepPoint last(List<StepPoint> points) {
    return points.get(points.size() - 1);
  }
}
