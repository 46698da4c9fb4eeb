package io.quorate.scenario;

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
record GivenClients(
    List<Integer> clients,
    List<Node> clientNodes,
    List<Integer> connections,
    OptionalLong limitPerSecond,
    boolean oneShot,
    Node node)
    implements GivenLoad {
  private static final ValueKind<Integer> CLIENTS = ValueKind.count(1, MOST_CONNECTIONS);
  private static final String STEPS =
      "a list of 1 to " + MOST_STEPS + " numbers of clients, such as [1, 10, 100]";

  /** Reads its keys; empty if they are wrong, which is reported, or do not exist. */
  static Optional<GivenClients> read(Section section, ScenarioProblems problems) {
    Field<Integer> clients = section.optional("clients", CLIENTS);
    Field<Integer> connections = section.optional("connections", GivenLoad.connections(section));
    Optional<Node> steps = section.optional("steps");
    Field<Long> limit = section.optional("limit", RATE);
    OptionalLong most = limit.value().map(OptionalLong::of).orElse(OptionalLong.empty());
    Optional<GivenClients> load =
        steps.isPresent()
            ? stairs(section, clients, connections, steps.get(), most, problems)
            : clients
                .value()
                .flatMap(n -> fixed(n, clients, connections, most, section.node(), problems));
    return load.filter(known -> !limit.wrong());
  }

  private static Optional<GivenClients> stairs(
      Section section,
      Field<Integer> clients,
      Field<Integer> connections,
      Node steps,
      OptionalLong limit,
      ScenarioProblems problems) {
    boolean open = section.has("rate") || section.has("rates");
    boolean oneShot = isPerRequest(connections);
    boolean spread = connections.node().isPresent() && !oneShot;
    if (clients.node().isPresent() || spread && !open) {
      String found = "the key 'steps' beside 'clients' or 'connections'";
      problems.add(section.key("steps"), found, "either steps, or clients and connections");
    }
    return GivenLoad.list(steps, CLIENTS, STEPS, problems)
        .map(
            each ->
                new GivenClients(
                    each, ((SequenceNode) steps).getValue(), each, limit, oneShot, steps));
  }

  private static Optional<GivenClients> fixed(
      int clients,
      Field<Integer> given,
      Field<Integer> connections,
      OptionalLong limit,
      Node node,
      ScenarioProblems problems) {
    boolean oneShot = isPerRequest(connections);
    Optional<Integer> spread = oneShot ? Optional.of(clients) : connections.or(clients);
    if (spread.filter(n -> n > clients).isPresent()) {
      String expected = "no more connections than the " + ShownText.of(clients) + " clients";
      Node at = connections.node().orElseThrow();
      problems.add(at, ShownText.of(at), expected);
    }
    return spread.map(
        n ->
            new GivenClients(
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
  public void check(GivenLength length, ScenarioProblems problems) {
    if (!(length instanceof GivenLength.Requests requests)) {
      return;
    }
    int count = clients.size();
    if (requests.count() < count) {
      String expected = "no more steps than the " + ShownText.of(requests.count()) + " requests";
      problems.add(node, ShownText.of(count) + " steps", expected);
      return;
    }
    List<Long> shares = StepSplit.requests(requests.count(), count);
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

  @Override
  public long leastRequests() {
    return StepSplit.enoughFor(clients);
  }

  @Override
  public boolean endsByTime(GivenLength length) {
    return length instanceof GivenLength.Time;
  }

  @Override
  public int stepCount() {
    return clients.size();
  }

  @Override
  public List<Step> steps(GivenLength length) {
    return IntStream.range(0, clients.size()).mapToObj(i -> step(i, length)).toList();
  }

  private Step step(int index, GivenLength length) {
    LoadModel model = new LoadModel.Closed(clients.get(index), limitPerSecond, oneShot);
    int spread = connections.get(index);
    if (length instanceof GivenLength.Time time) {
      return new Step(model, spread, most(time), Optional.of(time.duration()));
    }
    long total = ((GivenLength.Requests) length).count();
    long share = StepSplit.requests(total, clients.size()).get(index);
    return new Step(model, spread, share, Optional.empty());
  }

  /** Returns how many requests a step makes at most. */
  private long most(GivenLength.Time time) {
    return limitPerSecond.isPresent()
        ? Math.min(
            GivenLength.MOST_REQUESTS, Math.max(1, time.requestsAt(limitPerSecond.getAsLong())))
        : GivenLength.MOST_REQUESTS;
  }
}
