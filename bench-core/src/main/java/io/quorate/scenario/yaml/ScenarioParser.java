// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.Named;
import io.quorate.QuorateException;
import io.quorate.network.Topology;
import io.quorate.scenario.ClusterSpec;
import io.quorate.scenario.ConnectionBinding;
import io.quorate.scenario.GateRule;
import io.quorate.scenario.Goals;
import io.quorate.scenario.Heading;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.KeysToVerify;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Requests;
import io.quorate.scenario.Resource;
import io.quorate.scenario.Routing;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.SloLimit;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.UnsupportedFeature;
import io.quorate.scenario.ValueSizes;
import io.quorate.store.Endpoint;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Security;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Parses and checks the keys of a scenario, each with its bounds and default, and their
 * combinations.
 */
record ScenarioParser(Section top, List<Resource> resources) {
  private static final int WARM_UP_PART = 10;
  private static final long MAX_DEFAULT_WARM_UP = 20_000;
  private static final String USER = "an agent with a user name";

  static Scenario parse(
      Node root, String name, String source, double scale, ScenarioProblems problems) {
    if (!(root instanceof MappingNode map)) {
      problems.add(root, Messages.of(root), "a map with the keys of a scenario");
      throw problems.failure();
    }
    Section top = new Section(map, ScenarioSchema.SCENARIO, problems);
    Optional<KubernetesSpec> kubernetes = KubernetesSpec.read(top);
    if (top.has(KubernetesSpec.KEY) && kubernetes.isEmpty()) {
      throw problems.failure();
    }
    return kubernetes
        .map(
            given ->
                new ScenarioParser(
                    new Section(given.expanded(map), ScenarioSchema.SCENARIO, problems),
                    given.resources()))
        .orElseGet(() -> new ScenarioParser(top, List.of()))
        .read(name, source, scale, problems);
  }

  private Scenario read(String name, String source, double scale, ScenarioProblems problems) {
    Field<String> title = top.field("title", ValueType.line(top.schema("title")));
    Field<String> description = top.field("description", ValueType.text(top.schema("description")));
    Optional<PhasesSpec> phases = PhasesSpec.read(top);
    Optional<MixSpec> mix = MixSpec.read(top, phases);
    Optional<FaultsSpec> faults = FaultsSpec.read(top);
    Optional<RunLength> length =
        top.has(FaultsSpec.KEY) ? faults.map(given -> given.length(1)) : RunLength.read(top);
    Field<Long> warmUp = top.number("warm-up");
    Field<Boolean> coldStart = top.truth("cold-start");
    boolean keyless = mix.filter(known -> !known.mix().usesKeys()).isPresent();
    Optional<KeySpaceParser> keys = keyless ? Optional.empty() : KeySpaceParser.read(top);
    ValuesSpec values =
        ValuesSpec.read(top, !keyless && mix.filter(MixSpec::isValueless).isEmpty());
    if (keyless) {
      checkKeyless(mix.get());
    }
    ScenarioSchema guarantees = top.schema("consistency");
    Field<ReadConsistency> reads =
        top.field(
            "consistency",
            new ValueType<>(
                guarantees.expected(),
                guarantees.names(),
                scalar -> ReadConsistency.named(scalar.getValue())));
    Optional<WatchSpec> watch = WatchSpec.read(top);
    DatabasesParser databases = DatabasesParser.read(top, length, watch, phases);
    Field<Integer> members = top.count("members");
    Field<List<Endpoint>> agents = agents(members);
    Field<Topology> topology = TopologyParser.read(top);
    Field<Security> security = top.oneOf("security", Security.values(), Named::id);
    Field<Routing> routing = top.oneOf("routing", Routing.values(), Named::id);
    Field<ConnectionBinding> onFailure =
        top.oneOf("on-failure", ConnectionBinding.values(), Named::id);
    Field<Duration> timeout = top.duration("timeout");
    Field<Long> seed = top.number("seed");
    LimitsSpec<SloLimit> limits = LimitsSpec.read(top);
    LimitsSpec<GateRule> gate = LimitsSpec.readGate(top);
    top.count(MatrixParser.REPEATS);
    Optional<CapacitySpec> capacity = CapacitySpec.read(top);
    Field<KeysToVerify> verify = top.oneOf("verify", KeysToVerify.values(), KeysToVerify::id);

    mix.map(MixSpec::mix)
        .ifPresent(
            known -> {
              limits.check(known, databases.loads(), SloLimit::operation, SloLimit::step);
              gate.check(known, databases.loads(), GateRule::operation, GateRule::step);
            });
    capacity.ifPresent(
        given ->
            given.check(
                mix.map(MixSpec::mix),
                watch.isPresent(),
                values.sizes().filter(ValueSizes::growing).isPresent(),
                limits,
                databases.loads()));
    faults.ifPresent(given -> check(given, mix, members, values, agents, databases));
    faults.ifPresent(given -> given.check(security));
    mix.ifPresent(MixSpec::checkReads);
    mix.ifPresent(known -> databases.loads().forEach(known::check));
    mix.ifPresent(known -> databases.named().forEach(known::check));
    mix.ifPresent(known -> databases.checkClients(known.mix(), watch));
    mix.ifPresent(known -> checkReads(known.mix(), reads, databases));
    keys.ifPresent(known -> check(known, mix, length, databases));
    length
        .filter(known -> databases.loads().stream().anyMatch(load -> load.endsByTime(known)))
        .ifPresent(any -> values.refuseGrowth());
    keys.ifPresent(known -> known.checkTtl(top, databases));
    watch.ifPresent(known -> check(known, mix, length, keys, values, databases));
    TopologyParser.check(topology, members, top, databases);
    checkRouting(members, agents, topology, routing);
    if (routing.is(Routing.NON_VOTER)) {
      mix.ifPresent(
          known ->
              checkNonVoter(routing, known.mix(), reads, watch.isPresent(), security, databases));
    }
    checkFailover(onFailure, routing, databases);
    security.value().ifPresent(given -> checkSecurity(given, security, databases));
    problems.throwIfAny();

    RunLength scaled =
        faults
            .map(given -> given.length(scale))
            .orElseGet(() -> length.orElseThrow().scaled(scale, databases.loads()));
    Optional<Long> requests = requests(scaled, databases);
    List<StoreLoad> loads = databases.loads(scaled);
    return new Scenario(
        new Heading(name, title.get(), description.effective().strip(), source),
        new Requests(
            mix.orElseThrow().mix(),
            reads.effective(),
            loads.stream().mapToLong(StoreLoad::requests).max().orElseThrow(),
            warmUp
                .value()
                .map(given -> Math.round(given * scale))
                .orElseGet(
                    () -> mix.get().mix().usesSessions() ? 0L : standardWarmUp(requests, scale)),
            coldStart.value().orElse(false),
            keys.map(
                    given ->
                        given
                            .keySpace(mix.get(), requests(length.get(), databases), requests)
                            .of(resources))
                .orElse(KeySpace.NONE),
            values.orNone(),
            seed.effective(),
            timeout.effective(),
            routing.effective(),
            onFailure.effective(),
            verify.effective()),
        new ClusterSpec(
            topology
                .value()
                .map(Topology::members)
                .or(() -> agents.value().map(List::size))
                .orElseGet(members::effective),
            agents.value().orElse(List.of()),
            security.effective(),
            topology.value()),
        loads,
        new Goals(
            List.copyOf(limits.limits().keySet()),
            List.copyOf(gate.limits().keySet()),
            capacity.map(given -> given.goal(limits))),
        faults.map(given -> given.plan().scaled(scale)),
        scale);
  }

  private static void checkReads(
      OperationMix mix, Field<ReadConsistency> reads, DatabasesParser databases) {
    for (Store database : databases.named()) {
      UnsupportedFeature.ofReads(mix, reads.effective(), database)
          .ifPresent(each -> reads.report(each.found(), each.expected()));
    }
  }

  private static void checkSecurity(
      Security given, Field<Security> field, DatabasesParser databases) {
    for (Store database : databases.named()) {
      Scenario.obstacleTo(given, database)
          .ifPresent(
              why ->
                  field.report(
                      "'%s', which %s cannot do: %s".formatted(given, database, why),
                      "'none', or no " + database));
    }
  }

  private static void check(
      FaultsSpec faults,
      Optional<MixSpec> mix,
      Field<Integer> members,
      ValuesSpec values,
      Field<List<Endpoint>> agents,
      DatabasesParser databases) {
    faults.check();
    mix.ifPresent(known -> faults.check(known.mix()));
    databases.named().forEach(faults::check);
    databases
        .loads()
        .forEach(load -> faults.check(members, values, agents.node().isPresent(), load));
  }

  private void checkKeyless(MixSpec mix) {
    top.refuse(
        List.of("keys", "values"),
        "with " + mix.shown(),
        "it with operations of keys: leases have none");
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
    keys.check(mix.get(), length.flatMap(known -> requests(known, databases)));
    length
        .filter(known -> databases.loads().stream().anyMatch(load -> load.endsByTime(known)))
        .ifPresent(time -> keys.checkByTime(mix.get(), time));
  }

  private void check(
      WatchSpec watch,
      Optional<MixSpec> mix,
      Optional<RunLength> length,
      Optional<KeySpaceParser> keys,
      ValuesSpec values,
      DatabasesParser databases) {
    mix.ifPresent(known -> watch.check(known, length, values));
    Optional<Long> requests = length.flatMap(known -> requests(known, databases));
    boolean optimistic = mix.filter(known -> known.mix().isIdentifiedByValue()).isPresent();
    if (keys.isPresent()
        && mix.isPresent()
        && (watch.history().isPresent() || optimistic || keys.get().checkWatched(requests))) {
      boolean oneKey = keys.get().isOne() && !optimistic;
      databases.named().forEach(store -> watch.check(store, oneKey, mix.get().mix()));
    }
  }

  private void checkRouting(
      Field<Integer> members,
      Field<List<Endpoint>> agents,
      Field<Topology> topology,
      Field<Routing> routing) {
    boolean oneAgent = agents.value().filter(list -> list.size() == 1).isPresent();
    boolean oneZone = topology.value().filter(given -> given.members() == 1).isPresent();
    boolean isOfOthers = routing.is(Routing.FOLLOWERS) || routing.is(Routing.NON_VOTER);
    if ((members.is(1) || oneAgent || oneZone) && isOfOthers) {
      String one =
          members.is(1) ? "members: 1" : oneAgent ? "one agent" : "a topology of one member";
      routing.report(
          "'%s' with %s".formatted(routing.get().id(), one), "more members or another routing");
    }
    boolean placed = topology.value().flatMap(Topology::loadGenerator).isPresent();
    if (routing.is(Routing.NEAREST) && !topology.wrong() && !placed) {
      routing.report(
          "'nearest' without a zone of the load generator",
          "another routing, or a topology with the key 'load-generator'");
    }
  }

  private void checkNonVoter(
      Field<Routing> routing,
      OperationMix mix,
      Field<ReadConsistency> reads,
      boolean watched,
      Field<Security> security,
      DatabasesParser databases) {
    for (String key : List.of("agents", "topology", FaultsSpec.KEY)) {
      if (top.has(key)) {
        routing.report("'non-voter' with " + key, "another routing, or no '" + key + "'");
      }
    }
    for (Store database : databases.named()) {
      UnsupportedFeature.ofNonVoters(
              mix, reads.effective(), watched, security.effective(), database)
          .ifPresent(each -> routing.report(each.found(), each.expected()));
    }
  }

  private static void checkFailover(
      Field<ConnectionBinding> onFailure, Field<Routing> routing, DatabasesParser databases) {
    if (!onFailure.is(ConnectionBinding.FAILOVER)) {
      return;
    }
    if (routing.is(Routing.LEADER)
        || routing.is(Routing.NEAREST)
        || routing.is(Routing.NON_VOTER)) {
      onFailure.report(
          "'failover' with routing: " + routing.get().id(),
          "another routing, so that there is another member");
    }
    if (databases.loads().stream().anyMatch(LoadSpec::isOneShot)) {
      onFailure.report(
          "'failover' with connections: per-request", "connections that carry several requests");
    }
  }

  /** Returns the most requests of a database; empty if unknown, as its steps end by time. */
  private static Optional<Long> requests(RunLength length, DatabasesParser databases) {
    Collection<LoadSpec> loads = databases.loads();
    if (length.duration().isEmpty()) {
      return Optional.of(length.requests());
    }
    return loads.stream().anyMatch(load -> load.endsByTime(length))
        ? Optional.empty()
        : loads.stream().map(load -> load.requests(length)).max(Comparator.naturalOrder());
  }

  private static long standardWarmUp(Optional<Long> requests, double scale) {
    return requests
        .map(known -> Math.min(known / WARM_UP_PART, MAX_DEFAULT_WARM_UP))
        .orElseGet(() -> Math.round(MAX_DEFAULT_WARM_UP * scale));
  }

  private Field<List<Endpoint>> agents(Field<Integer> members) {
    String expected = top.schema("agents").expected();
    Optional<Node> node = top.node("agents");
    if (node.isEmpty()) {
      return top.field(Optional.empty(), node);
    }
    if (!(node.get() instanceof SequenceNode list)) {
      top.report(node.get(), hasUser(node.get()) ? USER : Messages.of(node.get()), expected);
      return top.field(Optional.empty(), node);
    }
    List<Endpoint> agents = new ArrayList<>();
    boolean secret = list.getValue().stream().anyMatch(ScenarioParser::hasUser);
    for (Node item : list.getValue()) {
      try {
        Endpoint agent = Endpoint.parse(Messages.text(item));
        if (agents.contains(agent)) {
          top.report(item, "the agent " + agent + " again", "each agent once");
        }
        agents.add(agent);
      } catch (QuorateException wrong) {
        top.report(item, secret ? USER : Messages.of(item), "HOST:PORT, such as 10.0.0.1:7300");
      }
    }
    int count = list.getValue().size();
    if (count != 1 && count != 3 && count != 5) {
      top.report(list, count + " agents", expected);
    } else if (members.value().filter(asked -> asked != count).isPresent()) {
      members.report(
          "%s members with %s agents".formatted(members.get(), count),
          "as many agents as members, or no 'members'");
    }
    return top.field(Optional.of(agents), node);
  }

  /** Returns whether a value has a user name, so that it may hold a password and is not shown. */
  private static boolean hasUser(Node node) {
    return Endpoint.hasUser(Messages.text(node));
  }
}
