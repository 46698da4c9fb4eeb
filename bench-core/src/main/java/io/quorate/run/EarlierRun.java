package io.quorate.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * Converts the contents of files of format version 1 to those of version 2: all requests are of one
 * operation, and a step is known by its rows of the time series.
 */
final class EarlierRun {
  private final AskedLoad asked;
  private final List<ClientResults.Second> seconds;
  private final List<StepRow> steps;

  EarlierRun(AskedLoad asked, List<ClientResults.Second> seconds, List<StepRow> steps) {
    this.asked = asked;
    this.seconds = List.copyOf(seconds);
    this.steps = List.copyOf(steps);
  }

  private record SecondOfClients(long unixSecond, long clients) {}

  /** Returns the errors, each with its step if that is known. */
  List<ClientResults.ErrorRow> errors(List<ClientResults.ErrorRow> rows) {
    Map<SecondOfClients, Integer> steps = new HashMap<>();
    List<List<ClientResults.Second>> bySteps = bySteps();
    for (int i = 0; i < bySteps.size(); i++) {
      for (ClientResults.Second second : bySteps.get(i)) {
        steps.putIfAbsent(new SecondOfClients(second.unixSecond(), second.clients()), i + 1);
      }
    }
    return rows.stream().map(row -> row.step().isPresent() ? row : placed(row, steps)).toList();
  }

  private static ClientResults.ErrorRow placed(
      ClientResults.ErrorRow row, Map<SecondOfClients, Integer> steps) {
    Integer step = steps.get(new SecondOfClients(row.unixSecond(), row.clients()));
    return step == null ? row : row.in(step);
  }

  /** Returns the seconds of each step; none if it cannot be told of which step they are. */
  List<ClientResults.OperationSecond> requests(List<ClientResults.ErrorRow> errors) {
    List<ClientResults.OperationSecond> all = new ArrayList<>();
    List<List<ClientResults.Second>> bySteps = bySteps();
    Map<Integer, List<ClientResults.ErrorRow>> errorsByStep =
        errors.stream().collect(Collectors.groupingBy(row -> row.step().orElse(0)));
    for (int i = 0; i < bySteps.size(); i++) {
      int step = i + 1;
      List<ClientResults.ErrorRow> ofStep = errorsByStep.getOrDefault(step, List.of());
      int next = 0;
      for (ClientResults.Second second : bySteps.get(i)) {
        long failed = 0;
        while (next < ofStep.size() && ofStep.get(next).unixSecond() <= second.unixSecond()) {
          failed += ofStep.get(next++).count();
        }
        all.add(second(step, second, failed));
      }
    }
    return all;
  }

  private ClientResults.OperationSecond second(int step, ClientResults.Second second, long failed) {
    boolean some = second.throughput() > 0;
    return new ClientResults.OperationSecond(
        step,
        asked.operations().get(0),
        second.unixSecond(),
        0,
        second.throughput(),
        failed,
        some ? OptionalDouble.of(second.minMs()) : OptionalDouble.empty(),
        some ? OptionalDouble.of(second.averageMs()) : OptionalDouble.empty(),
        some ? OptionalDouble.of(second.maxMs()) : OptionalDouble.empty());
  }

  private List<List<ClientResults.Second>> bySteps() {
    if (steps.isEmpty() && asked.steps().size() == 1) {
      return List.of(seconds);
    }
    if (steps.stream().mapToLong(StepRow::timeSeriesRows).sum() != seconds.size()) {
      return List.of();
    }
    List<List<ClientResults.Second>> parts = new ArrayList<>();
    int from = 0;
    for (StepRow step : steps) {
      int to = from + (int) step.timeSeriesRows();
      parts.add(seconds.subList(from, to));
      from = to;
    }
    return parts;
  }
}
