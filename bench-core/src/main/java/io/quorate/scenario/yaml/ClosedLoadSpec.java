package io.quorate.scenario.yaml;

import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A closed loop as a file gives it.
 *
 * @param clients of each step, at least one
 * @param clientNodes where each of them stands
 * @param connections of each step
 * @param limitPerSecond most requests of all clients together in a second; empty for no limit
 * @param oneShot whether each request has a connection of its own
 * @param node where they stand together
 */
record ClosedLoadSpec(
    List<Integer> clients,
    List<Node> clientNodes,
    List<Integer> connections,
    OptionalLong limitPerSecond,
    boolean oneShot,
    Node node)
    implements LoadSpec {
  /** Reads its keys; empty if they are wrong, which is reported, or do not exist. */
  static Optional<ClosedLoadSpec> read(Section section, ScenarioProblems problems) {
    Field<Integer> clients = section.count("clients");
    Field<Integer> connections = section.field("connections", LoadSpec.connections(section));
    Field<Long> limit = section.rate("limit");
    OptionalLong most = limit.value().map(OptionalLong::of).orElse(OptionalLong.empty());
    Optional<ClosedLoadSpec> load =
        section.has("steps")
            ? stairs(section, clients, connections, most, problems)
            : clients
                .value()
                .flatMap(n -> fixed(n, clients, connections, most, section.node(), problems));
    return load.filter(known -> !limit.wrong());
  }

  private static Optional<ClosedLoadSpec> stairs(
      Section section,
      Field<Integer> clients,
      Field<Integer> connections,
      OptionalLong limit,
      ScenarioProblems problems) {
    boolean open = section.has("rate") || section.has("rates");
    boolean oneShot = isPerRequest(connections);
    boolean spread = connections.node().isPresent() && !oneShot;
    if (clients.node().isPresent() || spread && !open) {
      String found = "the key 'steps' beside 'clients' or 'connections'";
      problems.add(section.key("steps"), found, "either steps, or clients and connections");
    }
    Field<List<Integer>> steps =
        section.list("steps", ValueType.count(section.schema("steps").items()));
    Node node = steps.node().orElseThrow();
    return steps
        .value()
        .map(
            each ->
                new ClosedLoadSpec(
                    each, ((SequenceNode) node).getValue(), each, limit, oneShot, node));
  }

  private static Optional<ClosedLoadSpec> fixed(
      int clients,
      Field<Integer> given,
      Field<Integer> connections,
      OptionalLong limit,
      Node node,
      ScenarioProblems problems) {
    boolean oneShot = isPerRequest(connections);
    Optional<Integer> spread =
        oneShot
            ? Optional.of(clients)
            : connections.wrong()
                ? Optional.empty()
                : connections.value().or(() -> Optional.of(clients));
    if (spread.filter(n -> n > clients).isPresent()) {
      String expected = "no more connections than the " + Messages.of(clients) + " clients";
      Node at = connections.node().orElseThrow();
      problems.add(at, Messages.of(at), expected);
    }
    return spread.map(
        n ->
            new ClosedLoadSpec(
                List.of(clients),
                given.node().stream().toList(),
                List.of(n),
                limit,
                oneShot,
                node));
  }

  private static boolean isPerRequest(Field<Integer> connections) {
    return connections.value().filter(n -> n == ONE_PER_REQUEST).isPresent();
  }

  @Override
  public void check(RunLength length, ScenarioProblems problems) {
    if (!(length instanceof RunLength.Requests requests)) {
      return;
    }
    int count = clients.size();
    if (requests.count() < count) {
      String expected = "no more steps than the " + Messages.of(requests.count()) + " requests";
      problems.add(node, Messages.of(count) + " steps", expected);
      return;
    }
    List<Long> shares = LoadSpec.StepSplit.requests(requests.count(), count);
    for (int i = 0; i < count; i++) {
      long share = shares.get(i);
      if (clients.get(i) > share) {
        String whose = count == 1 ? "the " : "the step's ";
        String expected = "no more clients than " + whose + Messages.of(share) + " requests";
        Node at = clientNodes.get(i);
        problems.add(at, Messages.of(at), expected);
      }
    }
  }

  @Override
  public long leastRequests() {
    return LoadSpec.StepSplit.enoughFor(clients);
  }

  @Override
  public boolean endsByTime(RunLength length) {
    return length instanceof RunLength.Time;
  }

  @Override
  public int stepCount() {
    return clients.size();
  }

  @Override
  public List<Step> steps(RunLength length) {
    return IntStream.range(0, clients.size()).mapToObj(i -> step(i, length)).toList();
  }

  private Step step(int index, RunLength length) {
    LoadModel model = new LoadModel.Closed(clients.get(index), limitPerSecond, oneShot);
    int spread = connections.get(index);
    if (length instanceof RunLength.Time time) {
      return new Step(model, spread, most(time), Optional.of(time.duration()));
    }
    long total = ((RunLength.Requests) length).count();
    long share = LoadSpec.StepSplit.requests(total, clients.size()).get(index);
    return new Step(model, spread, share, Optional.empty());
  }

  /** Returns how many requests a step makes at most. */
  private long most(RunLength.Time time) {
    return limitPerSecond.isPresent()
        ? Math.min(Scenario.MAX_REQUESTS, Math.max(1, time.requestsAt(limitPerSecond.getAsLong())))
        : Scenario.MAX_REQUESTS;
  }
}
