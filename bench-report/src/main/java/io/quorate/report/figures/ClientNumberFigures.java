package io.quorate.report.figures;

import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults.Second;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Step;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The results of a database by number of clients or, in an open loop, by the rate that was offered;
 * steps with as much load together. NaN is a missing value.
 */
public final class ClientNumberFigures {
  private final SortedMap<Long, List<StepFigures>> steps;

  public ClientNumberFigures(List<StepFigures> steps) {
    this.steps =
        steps.stream()
            .filter(step -> !step.seconds().isEmpty())
            .collect(
                Collectors.groupingBy(
                    step -> load(step.asked()), TreeMap::new, Collectors.toList()));
  }

  /** Returns the number of clients of a step or, in an open loop, its rate. */
  public static long load(Step step) {
    return step.model() instanceof LoadModel.Open open ? open.ratePerSecond() : step.clients();
  }

  /** Returns the numbers of clients; none if it is not known which second belongs to which step. */
  public SortedSet<Long> clientNumbers() {
    return new TreeSet<>(steps.keySet());
  }

  /** Returns successes by the duration of the steps. */
  public double requestsPerSecond(long clients) {
    double seconds = sum(clients, step -> step.durationSeconds().orElse(Double.NaN));
    return seconds > 0 ? sum(clients, step -> step.successes().orElse(0)) / seconds : Double.NaN;
  }

  /** Returns the mean latency of all requests. */
  public double averageMs(long clients) {
    double sum = 0;
    long count = 0;
    for (StepFigures step : steps.getOrDefault(clients, List.of())) {
      for (Second second : step.seconds()) {
        sum += second.throughput() == 0 ? 0 : second.averageMs() * second.throughput();
        count += second.throughput();
      }
    }
    return sum / count;
  }

  /** Returns the successes of all steps with this number of clients. */
  public long successes(long clients) {
    return (long) sum(clients, step -> step.successes().orElse(0));
  }

  /**
   * Returns a percentile; empty for several steps with as many clients, which have none together.
   */
  public OptionalDouble percentileMs(long clients, Percentile percentile) {
    List<StepFigures> all = steps.get(clients);
    return all.size() > 1 || !all.get(0).percentilesMs().containsKey(percentile)
        ? OptionalDouble.empty()
        : OptionalDouble.of(all.get(0).percentilesMs().get(percentile));
  }

  private double sum(long clients, ToDoubleFunction<StepFigures> figure) {
    return steps.getOrDefault(clients, List.of()).stream().mapToDouble(figure).sum();
  }
}
