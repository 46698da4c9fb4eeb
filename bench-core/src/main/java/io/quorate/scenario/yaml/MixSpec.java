package io.quorate.scenario.yaml;

import io.quorate.VisibleText;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.UnsupportedFeature;
import io.quorate.store.Operation;
import io.quorate.store.ReturnedValue;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * The operations of a scenario as a file gives them.
 *
 * @param mix with the smallest range and transaction in place of those that are wrong, so that
 *     nothing more is reported of them
 * @param shown what to call the operations in messages: {@code operation: write}, {@code a mix}
 * @param nodes where each operation stands
 * @param range of which nothing may be given
 * @param puts how many keys a transaction writes
 * @param kept how many of the latest revisions a compaction keeps
 */
record MixSpec(
    OperationMix mix,
    String shown,
    Map<Operation, Node> nodes,
    RangeSpec range,
    Field<Integer> puts,
    Field<Long> kept) {
  private static final int MIN_OPERATIONS = 2;
  private static final String MIX =
      "a map of operations to their weights, such as {get: 95, put: 5}";
  private static final ValueType<Integer> WEIGHT =
      ValueType.count(ScenarioSchema.definition("million"));
  private static final List<String> IDS =
      Arrays.stream(Operation.values()).map(Operation::id).toList();
  private static final List<String> MIXABLE =
      IDS.stream().filter(id -> !id.equals(Operation.DELETE.id())).toList();
  private static final String READING =
      Messages.either(
          Arrays.stream(Operation.values()).filter(Operation::isRead).map(Operation::id).toList());
  private static final List<String> NAMES =
      Stream.concat(IDS.stream(), Stream.of("write", "read")).toList();
  private static final ValueType<Operation> OPERATION =
      new ValueType<>(
          "one of " + String.join(", ", NAMES),
          NAMES,
          scalar -> Operation.named(scalar.getValue()));

  /** The operations alone. */
  private record Operations(
      List<OperationMix.Share> shares, String shown, Map<Operation, Node> nodes) {
    boolean have(Operation operation) {
      return nodes.containsKey(operation);
    }
  }

  /** Reads {@code operation} or {@code mix}, and what they need; empty, and reported, if wrong. */
  static Optional<MixSpec> read(Section top, ScenarioProblems problems) {
    Field<Operation> operation = top.field("operation", OPERATION);
    Optional<Node> mix = top.node("mix");
    if (operation.node().isEmpty() && mix.isEmpty()) {
      problems.add(
          top.node(),
          "neither the key 'operation' nor 'mix'",
          "one of them, such as operation: put or mix: {get: 95, put: 5}");
    }
    Optional<Operations> mixed = mix.flatMap(node -> mixed(node, problems));
    if (operation.node().isPresent() && mix.isPresent()) {
      String found = "the key 'mix' beside 'operation'";
      problems.add(
          top.key("mix"), found, "one of them: 'operation' if all requests do the same, or 'mix'");
      mixed = Optional.empty();
    }
    Optional<Operations> operations =
        mix.isPresent() ? mixed : operation.value().map(one -> single(one, operation));
    RangeSpec range = RangeSpec.read(top, problems);
    Field<Integer> puts = top.section("txn").count("puts");
    Field<Long> kept = top.section("compact").number("keep");
    OperationMix.Leases leases = leases(top.section("leases"));
    operations.ifPresent(known -> checkSections(top, known, problems));
    Optional<MixSpec> given = operations.map(known -> of(known, range, puts, kept, leases));
    given.ifPresent(known -> known.checkLeases(top, problems));
    return given;
  }

  private static OperationMix.Leases leases(Section section) {
    Field<Integer> count = section.count("count");
    Field<Duration> ttl = section.duration("ttl");
    return new OperationMix.Leases(count.effective(), (int) ttl.effective().toSeconds());
  }

  private static MixSpec of(
      Operations known,
      RangeSpec range,
      Field<Integer> puts,
      Field<Long> kept,
      OperationMix.Leases leases) {
    OperationMix mix =
        new OperationMix(
            known.shares(),
            known.have(Operation.RANGE) ? range.shape() : OperationMix.ONE_KEY,
            known.have(Operation.TXN) ? puts.orDefault().orElse(1) : 1,
            known.have(Operation.COMPACT) ? kept.orDefault().orElse(0L) : 0,
            leases);
    return new MixSpec(mix, known.shown(), known.nodes(), range, puts, kept);
  }

  private static Operations single(Operation operation, Field<Operation> field) {
    Node node = field.node().orElseThrow();
    String name = node instanceof ScalarNode scalar ? scalar.getValue() : operation.id();
    return new Operations(
        List.of(new OperationMix.Share(operation, 1)),
        "operation: " + name,
        Map.of(operation, node));
  }

  private static Optional<Operations> mixed(Node node, ScenarioProblems problems) {
    if (!(node instanceof MappingNode map)) {
      problems.add(node, Messages.of(node), MIX);
      return Optional.empty();
    }
    Section section = new Section(map, ScenarioSchema.ANY, problems);
    List<OperationMix.Share> shares = new ArrayList<>();
    Map<Operation, Node> nodes = new LinkedHashMap<>();
    for (String name : section.keys()) {
      Optional<Operation> operation = operation(section, name, problems);
      Field<Integer> weight = section.field(name, WEIGHT);
      operation.ifPresent(known -> nodes.put(known, section.key(name)));
      operation.ifPresent(
          known -> weight.value().ifPresent(w -> shares.add(new OperationMix.Share(known, w))));
    }
    int count = section.keys().size();
    if (count < MIN_OPERATIONS) {
      String found = count == 0 ? "no operation" : "one operation";
      problems.add(node, found, MIX + "; one alone is 'operation'");
    }
    return shares.size() < map.getValue().size() || count < MIN_OPERATIONS
        ? Optional.empty()
        : Optional.of(new Operations(shares, "a mix", nodes));
  }

  private static Optional<Operation> operation(
      Section section, String name, ScenarioProblems problems) {
    Node key = section.key(name);
    if (name.equals(Operation.DELETE.id())) {
      String expected = "operation: delete, as other requests would miss the keys that it removes";
      problems.add(key, "'delete' in a mix", expected);
      return Optional.empty();
    }
    if (!MIXABLE.contains(name)) {
      Optional<Operation> older = Operation.named(name);
      String expected =
          older.isEmpty()
              ? Messages.oneOf(MIXABLE, name)
              : "'" + older.get() + "', its name in a mix";
      problems.add(key, "unknown operation " + VisibleText.quoted(name), expected);
      return Optional.empty();
    }
    return Operation.named(name);
  }

  private static void checkSections(Section top, Operations known, ScenarioProblems problems) {
    for (Operation each : List.of(Operation.TXN, Operation.RANGE, Operation.COMPACT)) {
      String name = each.id();
      if (top.has(name) && !known.have(each)) {
        String expected = "it with operation: %s, or a mix that has %s".formatted(name, name);
        String found = "the key '" + name + "' with " + without(known, name);
        problems.add(top.key(name), found, expected);
      }
    }
    if (!top.has("range") && known.have(Operation.RANGE)) {
      problems.add(
          known.nodes().get(Operation.RANGE),
          "range without the key 'range'",
          "how many keys it reads, such as range: {keys: 100}");
    }
  }

  private static String without(Operations known, String operation) {
    return known.nodes().size() > 1 ? known.shown() + " without " + operation : known.shown();
  }

  /** Reports operations that a database does not support. */
  void check(Store database, ScenarioProblems problems) {
    for (UnsupportedFeature each : UnsupportedFeature.of(mix, database)) {
      Node operation = nodes.get(each.operation());
      Node node =
          switch (each.part()) {
            case OPERATION -> operation;
            case LIMIT -> range.limit().node().orElse(operation);
            case COUNT_ONLY -> range.countOnly().node().orElse(operation);
            case PAGE -> range.page().node().orElse(operation);
            case PUTS -> puts.node().orElse(operation);
          };
      problems.add(node, each.found(), each.expected());
    }
  }

  /** Reports leases of operations that have none. */
  private void checkLeases(Section top, ScenarioProblems problems) {
    if (top.has("leases") && !mix.usesLeases()) {
      problems.add(
          top.key("leases"),
          "the key 'leases' with " + shown,
          "it with operation: lease-keepalive, or a mix that has it");
    }
  }

  /** Reports a promise of reads where nothing is read. */
  void checkReads(Section top, ScenarioProblems problems) {
    if (top.has("reads") && !mix.reads()) {
      String found =
          "the key 'reads' with " + shown + (nodes.size() > 1 ? " that reads nothing" : "");
      String expected = "it with requests that read: " + READING;
      problems.add(top.key("reads"), found, expected);
    }
  }

  /** Returns how many keys each request takes. */
  int keysPerRequest() {
    return mix.has(Operation.TXN) ? mix.putsPerTxn() : 1;
  }

  /**
   * The keys that a range reads, as a file gives them.
   *
   * @param keys how many have the prefix; {@value #ALL} for all
   * @param page how many are asked for at a time
   */
  record RangeSpec(
      Field<Long> keys,
      Field<Long> limit,
      Field<Boolean> countOnly,
      Field<Boolean> keysOnly,
      Field<Long> page) {
    private static final long ALL = 0;

    /** Reads it; its fields are absent if there is none. */
    static RangeSpec read(Section top, ScenarioProblems problems) {
      Section section = top.section("range");
      RangeSpec range =
          new RangeSpec(
              section.field("keys", keys(section.schema("keys"))),
              section.number("limit"),
              section.truth("count-only"),
              section.truth("keys-only"),
              section.number("page"));
      range.checkParts(section, problems);
      return range;
    }

    private static ValueType<Long> keys(ScenarioSchema schema) {
      ValueType<Long> number = ValueType.wholeNumber(schema);
      return new ValueType<>(
          number.expected(),
          number.names(),
          scalar ->
              scalar.getValue().equals("all") ? Optional.of(ALL) : number.parser().apply(scalar));
    }

    private void checkParts(Section section, ScenarioProblems problems) {
      boolean counts = countOnly.effective();
      if (counts && keysOnly.effective()) {
        String found = "the key 'keys-only' beside count-only: true";
        problems.add(section.key("keys-only"), found, "one of them: no keys are returned");
      }
      if (page.node().isPresent() && (counts || limit.node().isPresent())) {
        String found = "the key 'page' beside '%s'".formatted(counts ? "count-only" : "limit");
        String expected = "one of them: pages are read until all keys have been returned";
        problems.add(section.key("page"), found, expected);
      }
      if (limit.node().isPresent() && counts) {
        String found = "the key 'limit' beside count-only: true";
        problems.add(section.key("limit"), found, "one of them: no keys are returned");
      } else if (keys.value().filter(n -> n != ALL && limit.value().orElse(n) > n).isPresent()) {
        String expected = "no more than the " + Messages.of(keys.get()) + " keys of the range";
        problems.add(limit.node().orElseThrow(), Messages.of(limit.get()), expected);
      }
    }

    /** Returns the range, with one key if their number is wrong or not given. */
    OperationMix.RangeShape shape() {
      ReturnedValue returned =
          countOnly.effective()
              ? ReturnedValue.COUNT
              : keysOnly.effective() ? ReturnedValue.KEYS : ReturnedValue.ENTRIES;
      return new OperationMix.RangeShape(
          keys.value().orElse(1L), limit.value().orElse(0L), returned, page.value().orElse(0L));
    }

    /**
     * Reports a range of more keys than there are, of all of an unknown number, or without a
     * prefix.
     *
     * @param count how many keys there are; empty if that is wrong, or not known
     */
    void check(
        Field<Integer> keySize,
        Field<Long> given,
        Optional<Long> count,
        ScenarioProblems problems) {
      if (keys.value().isEmpty()) {
        return;
      }
      long size = keys.get();
      Node node = keys.node().orElseThrow();
      if (size == ALL) {
        if (given.node().isEmpty()) {
          String expected = "how many keys there are, such as count: 10_000";
          problems.add(node, "'all' without the key 'count' of keys", expected);
        } else if (limit.value().filter(n -> n > given.value().orElse(n)).isPresent()) {
          String expected = "no more than there are keys, " + Messages.of(given.get());
          problems.add(limit.node().orElseThrow(), Messages.of(limit.get()), expected);
        }
        return;
      }
      if (count.filter(n -> n < size).isPresent()) {
        String expected = "no more than there are keys, " + Messages.of(count.get());
        problems.add(node, Messages.of(size), expected);
      }
      int digits = String.valueOf(size).length() - 1;
      if (keySize.value().filter(bytes -> bytes <= digits).isPresent()) {
        String expected = "fewer, so that keys of this size (" + keySize.get() + ") have a prefix";
        problems.add(node, Messages.of(size), expected);
      }
    }
  }
}
