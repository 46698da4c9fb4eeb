package io.quorate.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Clients and connections as a file gives them, before the requests are shared out.
 *
 * @param clients of each step, at least one
 * @param clientNodes where each of them stands
 * @param connections of each step
 * @param node where they stand together
 */
record GivenLoad(
    List<Integer> clients, List<Node> clientNodes, List<Integer> connections, Node node) {
  static final int MOST_CLIENTS = 100_000;
  private static final int MOST_STEPS = 100;
  private static final ValueKind<Integer> CLIENTS = ValueKind.count(1, MOST_CLIENTS);
  private static final String STEPS =
      "a list of 1 to " + MOST_STEPS + " numbers of clients, such as [1, 10, 100]";

  /** Reads {@code {clients, connections}} or {@code {steps}}; empty, and reported, if wrong. */
  static Optional<GivenLoad> read(Section section, ScenarioProblems problems) {
    Field<Integer> clients = section.optional("clients", CLIENTS);
    Field<Integer> connections = section.optional("connections", CLIENTS);
    Optional<Node> steps = section.optional("steps");
    section.close();
    if (steps.isPresent()) {
      if (clients.node().isPresent() || connections.node().isPresent()) {
        String found = "the key 'steps' beside 'clients' or 'connections'";
        problems.add(section.key("steps"), found, "either steps, or clients and connections");
      }
      return readSteps(steps.get(), problems);
    }
    if (clients.node().isEmpty()) {
      String found = "neither the key 'clients' nor 'steps'";
      problems.add(section.node(), found, "one of them");
    }
    return clients.value().flatMap(n -> fixed(n, clients, connections, section.node(), problems));
  }

  private static Optional<GivenLoad> fixed(
      int clients,
      Field<Integer> given,
      Field<Integer> connections,
      Node node,
      ScenarioProblems problems) {
    Optional<Integer> spread = connections.or(clients);
    if (spread.filter(n -> n > clients).isPresent()) {
      String expected = "no more connections than the " + ShownText.of(clients) + " clients";
      Node at = connections.node().orElseThrow();
      problems.add(at, ShownText.of(at), expected);
    }
    return spread.map(
        n -> new GivenLoad(List.of(clients), given.node().stream().toList(), List.of(n), node));
  }

  private static Optional<GivenLoad> readSteps(Node steps, ScenarioProblems problems) {
    if (!(steps instanceof SequenceNode list)) {
      problems.add(steps, ShownText.of(steps), STEPS);
      return Optional.empty();
    }
    int length = list.getValue().size();
    if (length < 1 || length > MOST_STEPS) {
      problems.add(steps, "a list of " + ShownText.of(length), STEPS);
      return Optional.empty();
    }
    List<Integer> clients = new ArrayList<>();
    list.getValue().forEach(step -> CLIENTS.read(step, problems).ifPresent(clients::add));
    return clients.size() < length
        ? Optional.empty()
        : Optional.of(new GivenLoad(clients, list.getValue(), clients, steps));
  }

  /** Reports steps without requests and clients without a request. */
  void check(long requests, ScenarioProblems problems) {
    int count = clients.size();
    if (requests < count) {
      String expected = "no more steps than the " + ShownText.of(requests) + " requests";
      problems.add(node, ShownText.of(count) + " steps", expected);
      return;
    }
    List<Long> shares = StepSplit.requests(requests, count);
    for (int i = 0; i < count; i++) {
      long share = shares.get(i);
      if (clients.get(i) > share) {
        String whose = count == 1 ? "the " : "the step's ";
        String expected = "no more clients than " + whose + ShownText.of(share) + " requests";
        Node at = clientNodes.get(i);
        problems.add(at, ShownText.of(at), expected);
      }
    }
  }

  /** Returns the steps of this load with their share of the requests. */
  List<Step> steps(long requests) {
    List<Long> shares = StepSplit.requests(requests, clients.size());
    return IntStream.range(0, clients.size())
        .mapToObj(i -> new Step(clients.get(i), connections.get(i), shares.get(i)))
        .toList();
  }
}
