package io.quorate.scenario.yaml;

import io.quorate.QuorateException;
import io.quorate.network.Topology;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.KeysToVerify;
import io.quorate.scenario.Routing;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.StoreLoad;
import io.quorate.store.Endpoint;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Security;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Parses and checks the keys of a scenario, each with its bounds and default, and their
 * combinations.
 */
final class ScenarioParser {
  private static final int WARM_UP_PART = 10;
  private static final long MAX_DEFAULT_WARM_UP = 20_000;

  private final Section top;
  private final ScenarioProblems problems;

  private ScenarioParser(Section top, ScenarioProblems problems) {
    this.top = top;
    this.problems = problems;
  }

  /**
   * Reads a scenario.
   *
   * @throws InvalidScenarioException with these and all earlier problems
   */
  static Scenario parse(
      Node root, String name, String source, double scale, ScenarioProblems problems) {
    Optional<Section> top =
        Section.of(root, ScenarioSchema.SCENARIO, "a map with the keys of a scenario", problems);
    if (top.isEmpty()) {
      problems.throwIfAny();
    }
    return new ScenarioParser(top.orElseThrow(), problems).read(name, source, scale);
  }

  private Scenario read(String name, String source, double scale) {
    Field<String> title = top.field("title", ValueType.line(top.schema("title")));
    Field<String> description = top.field("description", ValueType.text(top.schema("description")));
    Optional<MixSpec> mix = MixSpec.read(top, problems);
    Optional<RunLength> length = RunLength.read(top, problems);
    Field<Long> warmUp = top.number("warm-up");
    boolean keyless = mix.filter(known -> !known.mix().usesKeys()).isPresent();
    Optional<KeySpaceParser> keys = keyless ? Optional.empty() : KeySpaceParser.read(top, problems);
    Field<Integer> valueSize =
        (keyless ? top.section("values") : top.requiredSection("values")).count("size");
    if (keyless) {
      checkKeyless(mix.get());
    }
    Field<ReadConsistency> reads = top.oneOf("reads", ReadConsistency.values(), ScenarioParser::id);
    Optional<WatchSpec> watch = WatchSpec.read(top, problems);
    DatabasesParser databases = DatabasesParser.read(top, length, watch, problems);
    Field<Integer> members = top.count("members");
    Field<List<Endpoint>> agents = AgentsParser.read(top, members, problems);
    Field<Topology> topology = TopologyParser.read(top, problems);
    Field<Security> security = top.oneOf("security", Security.values(), ScenarioParser::id);
    Field<Routing> routing = top.oneOf("routing", Routing.values(), ScenarioParser::id);
    Field<Duration> timeout = top.duration("timeout");
    Field<Long> seed = top.number("seed");
    LimitsSpec limits = LimitsSpec.read(top, problems);
    Optional<CapacitySpec> capacity = CapacitySpec.read(top, problems);
    Field<KeysToVerify> verify = top.oneOf("verify", KeysToVerify.values(), KeysToVerify::id);

    mix.ifPresent(known -> limits.check(known.mix(), databases.loads(), problems));
    capacity.ifPresent(
        given ->
            given.check(
                mix.map(MixSpec::mix), watch.isPresent(), limits, databases.loads(), problems));
    mix.ifPresent(known -> known.checkReads(top, problems));
    mix.ifPresent(known -> databases.named().forEach(each -> known.check(each, problems)));
    keys.ifPresent(known -> check(known, mix, length, databases));
    watch.ifPresent(known -> check(known, mix, length, keys, valueSize, databases));
    TopologyParser.check(topology, members, top, databases, problems);
    checkRouting(members, agents, topology, routing);
    security.value().ifPresent(given -> checkSecurity(given, security.node().get(), databases));
    problems.throwIfAny();

    RunLength scaled = length.orElseThrow().scaled(scale, databases.loads());
    OptionalLong requests = requests(scaled, databases);
    List<StoreLoad> loads = databases.loads(scaled);
    return new Scenario(
        name,
        title.get(),
        description.effective().strip(),
        mix.orElseThrow().mix(),
        reads.effective(),
        loads.stream().mapToLong(StoreLoad::requests).max().orElseThrow(),
        warmUp
            .value()
            .map(given -> Math.round(given * scale))
            .orElseGet(() -> standardWarmUp(requests, scale)),
        keys.map(given -> given.keySpace(mix.get(), requests(length.get(), databases), requests))
            .orElse(KeySpace.NONE),
        valueSize.value().orElse(0),
        topology
            .value()
            .map(Topology::members)
            .or(() -> agents.value().map(List::size))
            .orElseGet(members::effective),
        agents.value().orElse(List.of()),
        routing.effective(),
        seed.effective(),
        timeout.effective(),
        verify.effective(),
        scale,
        loads,
        List.copyOf(limits.limits().keySet()),
        source,
        security.effective(),
        topology.value(),
        capacity.map(given -> given.goal(limits)));
  }

  private void checkSecurity(Security security, Node at, DatabasesParser databases) {
    for (Store database : databases.named()) {
      Scenario.obstacleTo(security, database)
          .ifPresent(
              why ->
                  problems.add(
                      at,
                      "'%s', which %s cannot do: %s".formatted(security, database, why),
                      "'none', or no " + database));
    }
  }

  /** Reports keys and values of requests that have none. */
  private void checkKeyless(MixSpec mix) {
    for (String key : List.of("keys", "values")) {
      top.node(key)
          .ifPresent(
              given ->
                  problems.add(
                      top.key(key),
                      "the key '" + key + "' with " + mix.shown(),
                      "it with operations of keys: leases have none"));
    }
  }

  private void check(
      KeySpaceParser keys,
      Optional<MixSpec> mix,
      Optional<RunLength> length,
      DatabasesParser databases) {
    if (mix.isEmpty()) {
      keys.check();
      return;
    }
    keys.check(
        mix.get(), length.map(known -> requests(known, databases)).orElse(OptionalLong.empty()));
    if (length.isPresent()
        && length.get() instanceof RunLength.Time time
        && databases.loads().stream().anyMatch(load -> load.endsByTime(time))) {
      keys.checkByTime(mix.get(), time);
    }
  }

  private void check(
      WatchSpec watch,
      Optional<MixSpec> mix,
      Optional<RunLength> length,
      Optional<KeySpaceParser> keys,
      Field<Integer> valueSize,
      DatabasesParser databases) {
    mix.ifPresent(known -> watch.check(known, length, valueSize, top, problems));
    OptionalLong requests =
        length.map(known -> requests(known, databases)).orElse(OptionalLong.empty());
    if (keys.isPresent() && (watch.history().isPresent() || keys.get().checkWatched(requests))) {
      boolean oneKey = keys.get().isOne();
      databases.named().forEach(store -> watch.check(store, oneKey, problems));
    }
  }

  private void checkRouting(
      Field<Integer> members,
      Field<List<Endpoint>> agents,
      Field<Topology> topology,
      Field<Routing> routing) {
    boolean alone = members.value().filter(count -> count == 1).isPresent();
    boolean oneAgent = agents.value().filter(list -> list.size() == 1).isPresent();
    boolean oneZone = topology.value().filter(given -> given.members() == 1).isPresent();
    if ((alone || oneAgent || oneZone)
        && routing.value().filter(Routing.FOLLOWERS::equals).isPresent()) {
      Node at = routing.node().orElseThrow();
      String found =
          "'followers' with "
              + (alone ? "members: 1" : oneAgent ? "one agent" : "a topology of one member");
      problems.add(at, found, "more members or another routing");
    }
  }

  /** Returns the most requests of a database; empty if nobody knows, as they end by time. */
  private static OptionalLong requests(RunLength length, DatabasesParser databases) {
    if (length instanceof RunLength.Requests given) {
      return OptionalLong.of(given.count());
    }
    return databases.loads().stream().anyMatch(load -> load.endsByTime(length))
        ? OptionalLong.empty()
        : databases.loads().stream().mapToLong(load -> load.requests(length)).max();
  }

  private static long standardWarmUp(OptionalLong requests, double scale) {
    return requests.isPresent()
        ? Math.min(requests.getAsLong() / WARM_UP_PART, MAX_DEFAULT_WARM_UP)
        : Math.round(MAX_DEFAULT_WARM_UP * scale);
  }

  private static String id(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Reads the agents that run the members. */
  private static final class AgentsParser {
    private static final String EXPECTED = ScenarioSchema.SCENARIO.property("agents").expected();
    private static final String USER = "an agent with a user name";
    private static final Set<Integer> SIZES = Set.of(1, 3, 5);

    private AgentsParser() {}

    /** Reads the agents in the order of the members; absent if the key does not exist. */
    static Field<List<Endpoint>> read(
        Section top, Field<Integer> members, ScenarioProblems problems) {
      Optional<Node> node = top.node("agents");
      if (node.isEmpty()) {
        return Field.of(Optional.empty(), node);
      }
      if (!(node.get() instanceof SequenceNode list)) {
        problems.add(node.get(), shown(node.get()), EXPECTED);
        return Field.of(Optional.empty(), node);
      }
      List<Endpoint> agents = new ArrayList<>();
      boolean secret = list.getValue().stream().anyMatch(AgentsParser::hasUser);
      for (Node item : list.getValue()) {
        Optional<Endpoint> agent = agent(item);
        if (agent.isEmpty()) {
          problems.add(item, secret ? USER : Messages.of(item), "HOST:PORT, such as 10.0.0.1:7300");
        } else if (agents.contains(agent.get())) {
          problems.add(item, "the agent " + agent.get() + " again", "each agent once");
        }
        agent.ifPresent(agents::add);
      }
      int count = list.getValue().size();
      if (!SIZES.contains(count)) {
        problems.add(list, count + (count == 1 ? " agent" : " agents"), EXPECTED);
      } else if (members.value().filter(asked -> asked != count).isPresent()) {
        String found = "%s members with %s agents".formatted(members.get(), count);
        problems.add(
            members.node().orElseThrow(), found, "as many agents as members, or no 'members'");
      }
      return Field.of(Optional.of(agents), node);
    }

    private static Optional<Endpoint> agent(Node node) {
      if (!(node instanceof ScalarNode scalar)) {
        return Optional.empty();
      }
      try {
        return Optional.of(Endpoint.parse(scalar.getValue()));
      } catch (QuorateException wrong) {
        return Optional.empty();
      }
    }

    private static String shown(Node node) {
      return hasUser(node) ? USER : Messages.of(node);
    }

    /**
     * Returns whether the value has a user name, so that it may hold a password and is not shown.
     */
    private static boolean hasUser(Node node) {
      return node instanceof ScalarNode scalar && Endpoint.hasUser(scalar.getValue());
    }
  }
}
