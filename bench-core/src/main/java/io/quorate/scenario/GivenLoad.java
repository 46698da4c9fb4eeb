package io.quorate.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** The load of a database as a file gives it, before the requests are shared out. */
sealed interface GivenLoad permits GivenClients, GivenRates, WatchedGivenLoad {
  int MOST_CONNECTIONS = 100_000;
  int MOST_STEPS = 100;
  ValueKind<Integer> CONNECTIONS = ValueKind.count(1, MOST_CONNECTIONS);

  /** The number of connections if each request has one of its own. */
  int ONE_PER_REQUEST = 0;

  /** Fastest rate: more than any of the stores takes. */
  ValueKind<Long> RATE = ValueKind.rate(1_000_000);

  /** Reports steps without requests, and clients without one. */
  void check(GivenLength length, ScenarioProblems problems);

  /** Returns how many requests it takes so that every client and every step has one. */
  long leastRequests();

  /** Returns whether the steps end by time, so that their number of requests is not known. */
  boolean endsByTime(GivenLength length);

  /** Returns the number of steps. */
  int stepCount();

  /** Returns the steps of this load with their share of the requests. */
  List<Step> steps(GivenLength length);

  /** Returns how many requests the steps make at most. */
  default long requests(GivenLength length) {
    return steps(length).stream().mapToLong(Step::requests).sum();
  }

  /** Reads the keys of a closed or of an open loop; empty, and reported, if wrong. */
  static Optional<GivenLoad> read(Section section, ScenarioProblems problems) {
    Optional<GivenClients> closed = GivenClients.read(section, problems);
    Optional<GivenRates> open = GivenRates.read(section, problems);
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
    return closed.<GivenLoad>map(load -> load).or(() -> open);
  }

  /** Returns the kind of the key 'connections': clients may also open one for each request. */
  static ValueKind<Integer> connections(Section section) {
    String each = "per-request";
    return section.has("rate") || section.has("rates")
        ? CONNECTIONS
        : new ValueKind<>(
            CONNECTIONS.expected() + ", or " + each,
            List.of(each),
            scalar ->
                scalar.getValue().equals(each)
                    ? Optional.of(ONE_PER_REQUEST)
                    : CONNECTIONS.parser().apply(scalar));
  }

  private static Optional<String> first(Section section, String one, String other) {
    return section.has(one) ? Optional.of(one) : Optional.of(other).filter(section::has);
  }

  /** Reads a list of 1 to {@value #MOST_STEPS} values; empty, and reported, if wrong. */
  static <T> Optional<List<T>> list(
      Node node, ValueKind<T> kind, String expected, ScenarioProblems problems) {
    if (!(node instanceof SequenceNode list)) {
      problems.add(node, ShownText.of(node), expected);
      return Optional.empty();
    }
    int length = list.getValue().size();
    if (length < 1 || length > MOST_STEPS) {
      problems.add(node, "a list of " + ShownText.of(length), expected);
      return Optional.empty();
    }
    List<T> values = new ArrayList<>();
    list.getValue().forEach(item -> kind.read(item, problems).ifPresent(values::add));
    return values.size() < length ? Optional.empty() : Optional.of(List.copyOf(values));
  }
}
