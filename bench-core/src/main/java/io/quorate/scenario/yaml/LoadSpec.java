package io.quorate.scenario.yaml;

import io.quorate.scenario.Step;
import java.util.List;
import java.util.Optional;

/** The load of a database as a file gives it, before the requests are shared out. */
sealed interface LoadSpec permits ClosedLoadSpec, OpenLoadSpec, WatchedLoadSpec {
  /** The number of connections if each request has one of its own. */
  int ONE_PER_REQUEST = 0;

  /** Reports steps without requests, and clients without one. */
  void check(RunLength length, ScenarioProblems problems);

  /** Returns how many requests it takes so that every client and every step has one. */
  long leastRequests();

  /** Returns whether the steps end by time, so that their number of requests is not known. */
  boolean endsByTime(RunLength length);

  /** Returns the number of steps. */
  int stepCount();

  /** Returns the steps of this load with their share of the requests. */
  List<Step> steps(RunLength length);

  /** Returns how many requests the steps make at most. */
  default long requests(RunLength length) {
    return steps(length).stream().mapToLong(Step::requests).sum();
  }

  /** Reads the keys of a closed or of an open loop; empty, and reported, if wrong. */
  static Optional<LoadSpec> read(Section section, ScenarioProblems problems) {
    Optional<ClosedLoadSpec> closed = ClosedLoadSpec.read(section, problems);
    Optional<OpenLoadSpec> open = OpenLoadSpec.read(section, problems);
    Optional<String> clients = first(section, "clients", "steps");
    Optional<String> rate = first(section, "rate", "rates");
    if (clients.isPresent() && rate.isPresent()) {
      problems.add(
          section.key(rate.get()),
          "the key '%s' beside '%s'".formatted(rate.get(), clients.get()),
          "clients or steps (a closed loop), or rate or rates (an open loop)");
      return Optional.empty();
    }
    if (clients.isEmpty() && rate.isEmpty()) {
      String found = "none of the keys 'clients', 'steps', 'rate', 'rates'";
      problems.add(section.node(), found, "one of them");
    }
    return closed.<LoadSpec>map(load -> load).or(() -> open);
  }

  /** Returns the type of the key 'connections': clients may also open one for each request. */
  static ValueType<Integer> connections(Section section) {
    String each = "per-request";
    ValueType<Integer> number = ValueType.count(section.schema("connections").alternative(0));
    return section.has("rate") || section.has("rates")
        ? number
        : new ValueType<>(
            section.schema("connections").expected(),
            List.of(each),
            scalar ->
                scalar.getValue().equals(each)
                    ? Optional.of(ONE_PER_REQUEST)
                    : number.parser().apply(scalar));
  }

  private static Optional<String> first(Section section, String one, String other) {
    return section.has(one) ? Optional.of(one) : Optional.of(other).filter(section::has);
  }
}
