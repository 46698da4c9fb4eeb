package io.quorate.scenario;

import io.quorate.QuorateException;
import java.util.List;
import java.util.stream.Collectors;

/** A scenario file that cannot be run. Its message has one line for every problem of the file. */
public final class InvalidScenarioException extends QuorateException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  InvalidScenarioException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** All problems of the file, in the order of their position; at least one. */
  public List<Problem> problems() {
    return problems;
  }
}
