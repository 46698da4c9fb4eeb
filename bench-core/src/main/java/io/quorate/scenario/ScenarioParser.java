package io.quorate.scenario;

import io.quorate.store.Endpoint;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Security;
import io.quorate.store.Store;
import io.quorate.zone.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Parses and checks the keys of a scenario, each with its bounds and default, and their
 * combinations.
 */
final class ScenarioParser {
  private static final int MAX_TITLE_LENGTH = 200;

  /**
   * Longest value: below etcd's request limit of 1.5 MiB and ZooKeeper's jute.maxbuffer of 1 MiB,
   * including the key.
   */
  private static final int MAX_VALUE_LENGTH = 1_000_000;

  private static final long MAX_SEED = 999_999_999_999_999_999L;
  private static final int WARM_UP_PART = 10;
  private static final long MAX_DEFAULT_WARM_UP = 20_000;

  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

  private static final ValueType<ReadConsistency> READS =
      ValueType.oneOf(List.of(ReadConsistency.values()), ScenarioParser::id);
  private static final ValueType<KeysToVerify> VERIFY =
      ValueType.oneOf(List.of(KeysToVerify.values()), KeysToVerify::id);
  private static final ValueType<Routing> ROUTING =
      ValueType.oneOf(List.of(Routing.values()), ScenarioParser::id);
  private static final ValueType<Security> SECURITY =
      ValueType.oneOf(List.of(Security.values()), ScenarioParser::id);
  private static final ValueType<Integer> MEMBERS = ValueType.number("1, 3 or 5", List.of(1, 3, 5));
  private static final ValueType<Duration> TIMEOUT =
      ValueType.duration(
          "a duration from 1ms to 5m, such as 500ms or 5s",
          Duration.ofMillis(1),
          Duration.ofMinutes(5));
  private static final ValueType<Long> WARM_UP = ValueType.wholeNumber(0, Scenario.MAX_REQUESTS);

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
    Optional<Section> top = Section.of(root, "a map with the keys of a scenario", problems);
    if (top.isEmpty()) {
      problems.throwIfAny();
    }
    return new ScenarioParser(top.orElseThrow(), problems).read(name, source, scale);
  }

  private Scenario read(String name, String source, double scale) {
    Field<String> title = top.required("title", ValueType.line(MAX_TITLE_LENGTH));
    Field<String> description = top.optional("description", ValueType.text());
    Optional<MixSpec> mix = MixSpec.read(top, problems);
    Optional<RunLength> length = RunLength.read(top, problems);
    Field<Long> warmUp = top.optional("warm-up", WARM_UP);
    boolean keyless = mix.filter(known -> !known.mix().usesKeys()).isPresent();
    Optional<KeySpaceParser> keys = keyless ? Optional.empty() : KeySpaceParser.read(top, problems);
    Field<Integer> valueSize = keyless ? Field.absent() : readValues();
    if (keyless) {
      checkKeyless(mix.get());
    }
    Field<ReadConsistency> reads = top.optional("reads", READS);
    Optional<WatchSpec> watch = WatchSpec.read(top, problems);
    DatabasesParser databases = DatabasesParser.read(top, length, watch, problems);
    Field<Integer> members = top.optional("members", MEMBERS);
    Field<List<Endpoint>> agents = AgentsParser.read(top, members, problems);
    Field<Topology> topology = TopologyParser.read(top, problems);
    Field<Security> security = top.optional("security", SECURITY);
    Field<Routing> routing = top.optional("routing", ROUTING);
    Field<Duration> timeout = top.optional("timeout", TIMEOUT);
    Field<Long> seed = top.optional("seed", ValueType.wholeNumber(0, MAX_SEED));
    LimitsSpec limits = LimitsSpec.read(top, problems);
    Optional<CapacitySpec> capacity = CapacitySpec.read(top, problems);
    Field<KeysToVerify> verify = top.optional("verify", VERIFY);
    // a file with a matrix is read cell by cell, and a cell has none
    top.optional(MatrixParser.KEY);
    top.close();
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
    List<DatabaseLoad> loads = databases.loads(scaled);
    return new Scenario(
        name,
        title.get(),
        description.value().orElse("").strip(),
        mix.orElseThrow().mix(),
        reads.value().orElse(ReadConsistency.LINEARIZABLE),
        loads.stream().mapToLong(DatabaseLoad::requests).max().orElseThrow(),
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
            .or(members::value)
            .orElse(3),
        agents.value().orElse(List.of()),
        routing.value().orElse(Routing.SPREAD),
        seed.value().orElse(1L),
        timeout.value().orElse(DEFAULT_TIMEOUT),
        verify.value().orElse(KeysToVerify.SAMPLE),
        scale,
        loads,
        List.copyOf(limits.limits().keySet()),
        source,
        security.value().orElse(Security.NONE),
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
      top.optional(key)
          .ifPresent(
              given ->
                  problems.add(
                      top.key(key),
                      "the key '" + key + "' with " + mix.shown(),
                      "it with operations of keys: leases have none"));
    }
  }

  private Field<Integer> readValues() {
    Optional<Section> values = top.section("values", "a map such as {size: 1024}");
    Field<Integer> size =
        values
            .map(section -> section.required("size", ValueType.count(0, MAX_VALUE_LENGTH)))
            .orElseGet(Field::missing);
    values.ifPresent(Section::close);
    return size;
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
}
