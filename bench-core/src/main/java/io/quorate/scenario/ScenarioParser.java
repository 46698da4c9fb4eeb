package io.quorate.scenario;

import io.quorate.store.Endpoint;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Parses and checks the keys of a scenario, each with its bounds and default, and their
 * combinations.
 */
final class ScenarioParser {
  private static final long MOST_REQUESTS = 1_000_000_000;
  private static final int LONGEST_TITLE = 200;
  private static final int LONGEST_KEY = 4_096;

  /**
   * Longest value: below etcd's request limit of 1.5 MiB and ZooKeeper's jute.maxbuffer of 1 MiB,
   * including the key.
   */
  private static final int LONGEST_VALUE = 1_000_000;

  private static final long MOST_SEED = 999_999_999_999_999_999L;
  private static final int WARM_UP_PART = 10;
  private static final long MOST_STANDARD_WARM_UP = 20_000;

  private static final Duration STANDARD_TIMEOUT = Duration.ofSeconds(5);

  private static final ValueKind<Long> COUNT = ValueKind.wholeNumber(1, MOST_REQUESTS);
  private static final ValueKind<Operation> OPERATION =
      new ValueKind<>(
          "one of write, read",
          List.of("write", "read"),
          scalar -> Operation.named(scalar.getValue()));
  private static final ValueKind<KeySpace.Order> ORDER =
      ValueKind.oneOf(List.of(KeySpace.Order.values()), KeySpace.Order::id);
  private static final ValueKind<ReadConsistency> READS =
      ValueKind.oneOf(List.of(ReadConsistency.values()), ScenarioParser::id);
  private static final ValueKind<Routing> ROUTING =
      ValueKind.oneOf(List.of(Routing.values()), ScenarioParser::id);
  private static final ValueKind<Integer> MEMBERS = ValueKind.number("1, 3 or 5", List.of(1, 3, 5));
  private static final ValueKind<Duration> TIMEOUT =
      ValueKind.duration("a duration from 1ms to 5m, such as 500ms or 5s", Duration.ofMinutes(5));

  private final Section top;
  private final ScenarioProblems problems;
  private Field<Integer> keySize = Field.missing();
  private Field<KeySpace.Order> keyOrder = Field.missing();
  private Field<Long> keyCount = Field.missing();

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
    Field<String> title = top.required("title", ValueKind.line(LONGEST_TITLE));
    Field<String> description = top.optional("description", ValueKind.text());
    Field<Operation> operation = top.required("operation", OPERATION);
    Field<Long> requests = top.required("requests", COUNT);
    Field<Long> warmUp = top.optional("warm-up", ValueKind.wholeNumber(0, MOST_REQUESTS));
    readKeys();
    Field<Integer> valueSize = readValues();
    Field<ReadConsistency> reads = top.optional("reads", READS);
    Map<Store, GivenLoad> loads = Databases.read(top, requests, problems);
    Field<Integer> members = top.optional("members", MEMBERS);
    Field<List<Endpoint>> agents = Agents.read(top, members, problems);
    Field<Routing> routing = top.optional("routing", ROUTING);
    Field<Duration> timeout = top.optional("timeout", TIMEOUT);
    Field<Long> seed = top.optional("seed", ValueKind.wholeNumber(0, MOST_SEED));
    top.close();
    checkKeySize(operation, requests);
    checkReads(operation, reads);
    checkRouting(members, agents, routing);
    problems.throwIfAny();

    long scaled = scaled(requests.get(), scale, loads);
    return new Scenario(
        name,
        title.get(),
        description.value().orElse("").strip(),
        OperationMix.of(operation.get()),
        reads.value().orElse(ReadConsistency.LINEARIZABLE),
        scaled,
        warmUp
            .value()
            .map(given -> Math.round(given * scale))
            .orElse(Math.min(scaled / WARM_UP_PART, MOST_STANDARD_WARM_UP)),
        new KeySpace(
            keySize.get(),
            keyOrder.value().orElse(KeySpace.Order.SEQUENTIAL),
            keyCount.value().orElse(standardKeyCount(operation.get(), scaled)),
            operation.get() == Operation.GET
                || keyCount.value().filter(count -> count < requests.get()).isPresent()),
        valueSize.get(),
        agents.value().map(List::size).or(members::value).orElse(3),
        agents.value().orElse(List.of()),
        routing.value().orElse(Routing.SPREAD),
        seed.value().orElse(1L),
        timeout.value().orElse(STANDARD_TIMEOUT),
        scale,
        loads.entrySet().stream()
            .map(load -> new DatabaseLoad(load.getKey(), load.getValue().steps(scaled)))
            .toList(),
        source);
  }

  private void readKeys() {
    Optional<Section> keys = top.section("keys", "a map such as {size: 256, order: sequential}");
    keys.ifPresent(
        section -> {
          keySize = section.required("size", ValueKind.count(1, LONGEST_KEY));
          keyOrder = section.optional("order", ORDER);
          keyCount = section.optional("count", COUNT);
          section.close();
        });
  }

  private Field<Integer> readValues() {
    Optional<Section> values = top.section("values", "a map such as {size: 1024}");
    Field<Integer> size =
        values
            .map(section -> section.required("size", ValueKind.count(0, LONGEST_VALUE)))
            .orElseGet(Field::missing);
    values.ifPresent(Section::close);
    return size;
  }

  /** Checks the key size: keys are decimal numbers from 0, padded with zeros to their size. */
  private void checkKeySize(Field<Operation> operation, Field<Long> requests) {
    Optional<Long> standard =
        operation
            .value()
            .flatMap(
                what ->
                    what == Operation.GET
                        ? Optional.of(standardKeyCount(what, 0))
                        : requests.value());
    Optional<Long> count =
        keyCount.wrong() ? Optional.empty() : keyCount.value().or(() -> standard);
    if (keySize.value().isPresent() && count.isPresent()) {
      String last = String.valueOf(count.get() - 1);
      if (last.length() > keySize.get()) {
        String expected =
            "at least " + last.length() + ", to hold the largest of the keys, " + last;
        problems.add(keySize.node().orElseThrow(), String.valueOf(keySize.get()), expected);
      }
    }
  }

  private void checkReads(Field<Operation> operation, Field<ReadConsistency> reads) {
    if (reads.node().isPresent() && operation.value().filter(Operation.PUT::equals).isPresent()) {
      problems.add(
          top.key("reads"),
          "the key 'reads' with operation: write",
          "it with operation: read only");
    }
  }

  private void checkRouting(
      Field<Integer> members, Field<List<Endpoint>> agents, Field<Routing> routing) {
    boolean alone = members.value().filter(count -> count == 1).isPresent();
    boolean oneAgent = agents.value().filter(list -> list.size() == 1).isPresent();
    if ((alone || oneAgent) && routing.value().filter(Routing.FOLLOWERS::equals).isPresent()) {
      Node at = routing.node().orElseThrow();
      String found = alone ? "'followers' with members: 1" : "'followers' with one agent";
      problems.add(at, found, "more members or another routing");
    }
  }

  private static long standardKeyCount(Operation operation, long requests) {
    return operation == Operation.GET ? 1 : requests;
  }

  /**
   * Returns the scaled number of requests, but not so few that a client would have nothing to do:
   * that would be another experiment.
   */
  private static long scaled(long requests, double scale, Map<Store, GivenLoad> loads) {
    long enough =
        loads.values().stream()
            .mapToLong(load -> StepSplit.enoughFor(load.clients()))
            .max()
            .orElse(1);
    return Math.max(Math.round(requests * scale), Math.min(requests, enough));
  }

  private static String id(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
