// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.VisibleText;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.UnsupportedFeature;
import io.quorate.store.Operation;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * The operations of a scenario, as written in a file.
 *
 * @param mix mix of operations; wrong ranges and transactions are replaced by the smallest valid
 *     ones, to avoid further problems
 * @param shown name of the operations in messages: {@code operation: write}, {@code a mix}
 * @param range keys that a range reads, possibly without any setting
 */
record MixSpec(
    Section top,
    OperationMix mix,
    String shown,
    Map<Operation, Node> nodes,
    RangeSpec range,
    Field<Integer> puts,
    Field<Integer> gets) {
  private static final int MIN_OPERATIONS = 2;
  private static final Set<Operation> WITH_DELETES =
      Set.of(Operation.PUT, Operation.GET, Operation.DELETE, Operation.RANGE, Operation.TXN);
  private static final String TXN = Operation.TXN.id();
  private static final String SESSIONS = "sessions";
  private static final String OBJECTS = "objects";
  private static final String MIX =
      "a map of operations to their weights, such as {get: 95, put: 5}";
  private static final ValueType<Integer> WEIGHT =
      ValueType.count(ScenarioSchema.definition("million"));
  private static final List<String> IDS =
      Arrays.stream(Operation.values()).map(Operation::id).toList();
  private static final List<String> MIXABLE =
      Arrays.stream(Operation.values())
          .filter(each -> !each.isOfSessions() || each == Operation.EXPIRE)
          .map(Operation::id)
          .toList();
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

  /**
   * Operations with their weights.
   *
   * @param shown their name in messages
   */
  record Operations(List<OperationMix.Share> shares, Map<Operation, Node> nodes, String shown) {
    /** Reads {@code operation} or {@code mix}; empty, and reported, if wrong. */
    static Optional<Operations> read(Section section) {
      Field<Operation> operation = section.field("operation", OPERATION);
      Optional<Node> node = section.node("mix");
      if (operation.node().isEmpty() && node.isEmpty()) {
        section.report(
            section.node(),
            "neither the key 'operation' nor 'mix'",
            "one of them, such as operation: put or mix: {get: 95, put: 5}");
      }
      List<OperationMix.Share> shares = new ArrayList<>();
      Map<Operation, Node> nodes = new LinkedHashMap<>();
      boolean complete =
          node.isPresent()
              ? readMix(section, node.get(), shares, nodes)
              : operation.value().isPresent();
      String shown = "a mix";
      if (operation.node().isPresent() && node.isPresent()) {
        String found = "the key 'mix' together with 'operation'";
        section.report(
            "mix", found, "one of them: 'operation' if all requests do the same, or 'mix'");
        complete = false;
      } else if (complete && node.isEmpty()) {
        shares.add(new OperationMix.Share(operation.get(), 1));
        nodes.put(operation.get(), operation.node().get());
        shown = "operation: " + ((ScalarNode) operation.node().get()).getValue();
      }
      return complete ? Optional.of(new Operations(shares, nodes, shown)) : Optional.empty();
    }

    /** Returns all operations of several loads, each with the sum of its weights. */
    static Operations together(List<Operations> all, String shown) {
      Map<Operation, Node> nodes = new LinkedHashMap<>();
      Map<Operation, Integer> weights = new LinkedHashMap<>();
      for (Operations each : all) {
        each.nodes.forEach(nodes::putIfAbsent);
        each.shares.forEach(
            share -> weights.merge(share.operation(), share.weight(), Integer::sum));
      }
      List<OperationMix.Share> shares = new ArrayList<>();
      weights.forEach((operation, weight) -> shares.add(new OperationMix.Share(operation, weight)));
      return new Operations(shares, nodes, shown);
    }
  }

  static Optional<MixSpec> read(Section top, Optional<PhasesSpec> phases) {
    boolean phased = top.has(PhasesSpec.PHASES) || top.has(PhasesSpec.GROUPS);
    Optional<Operations> operations =
        phased ? phases.map(PhasesSpec::operations) : Operations.read(top);
    Map<Operation, Node> nodes = operations.map(Operations::nodes).orElse(Map.of());
    RangeSpec range = RangeSpec.read(top);
    Field<Integer> puts = top.section(TXN).count("puts");
    Field<Integer> gets = top.section(TXN).count("gets");
    Field<Integer> deletes = top.section(TXN).count("deletes");
    int objectsPerTxn = top.section(TXN).count(OBJECTS).value().orElse(0);
    Section txn = top.section(TXN);
    if (top.has(TXN) && !txn.wrong() && !txn.has(OBJECTS)) {
      txn.require("puts");
    }
    Optional<OperationMix.TxnParts> parts =
        Optional.of(new OperationMix.TxnParts(gets.effective(), deletes.effective(), objectsPerTxn))
            .filter(any -> nodes.containsKey(Operation.TXN))
            .filter(given -> given.gets() + given.deletes() + given.objects() > 0);
    Field<Long> kept = top.section("compact").number("keep");
    Section leases = top.section("leases");
    Field<Integer> count = leases.count("count");
    Field<Duration> ttl = leases.duration("ttl");
    Field<Duration> granted = leases.duration("granted-ttl");
    Section objects = top.section(OBJECTS);
    Field<Integer> existing = objects.count("count");
    Field<Integer> stale = objects.count("stale-deletes");
    Field<Integer> ephemeral = objects.count("ephemeral");
    boolean creates =
        nodes.containsKey(Operation.OPTIMISTIC_CREATE)
            || nodes.containsKey(Operation.CREATE)
            || parts.filter(each -> each.objects() > 0).isPresent();
    OperationMix.Sessions sessions = sessions(top);
    if (operations.isEmpty()) {
      return Optional.empty();
    }
    OperationMix mix =
        new OperationMix(
            operations.get().shares(),
            nodes.containsKey(Operation.RANGE) ? range.shape() : OperationMix.ONE_KEY,
            nodes.containsKey(Operation.TXN)
                ? objectsPerTxn > 0 ? puts.value().orElse(0) : puts.orDefault().orElse(1)
                : 1,
            nodes.containsKey(Operation.COMPACT) ? kept.orDefault().orElse(0L) : 0,
            new OperationMix.Leases(
                count.effective(),
                (int) ttl.effective().toSeconds(),
                granted.value().map(each -> (int) each.toSeconds()).orElse(0)),
            Optional.of(
                    new OperationMix.Objects(
                        existing.effective(),
                        top.has("leases") && nodes.containsKey(Operation.OPTIMISTIC_CREATE),
                        stale.effective(),
                        ephemeral.effective()))
                .filter(any -> creates),
            Optional.of(sessions)
                .filter(any -> nodes.keySet().stream().anyMatch(Operation::isOfSessions)),
            parts);
    MixSpec given = new MixSpec(top, mix, operations.get().shown(), nodes, range, puts, gets);
    given.checkSections();
    return Optional.of(given);
  }

  private static OperationMix.Sessions sessions(Section top) {
    Section section = top.section(SESSIONS);
    Field<Duration> ttl = section.duration("ttl");
    Field<Duration> hold = section.duration("hold");
    Field<Integer> crashes = section.count("crash-every");
    Field<Integer> pauses = section.count("pause-every");
    Field<Duration> pause = section.duration("pause");
    if (Stream.of(ttl, hold, crashes, pauses, pause).anyMatch(Field::wrong)) {
      return OperationMix.USUAL_SESSIONS;
    }
    OperationMix.Sessions sessions =
        new OperationMix.Sessions(
            (int) ttl.effective().toSeconds(),
            hold.effective(),
            crashes.effective(),
            pauses.effective(),
            pause.effective());
    if (sessions.pauseEvery() > 0 && sessions.pause().toSeconds() <= sessions.ttlSeconds()) {
      String expected = "more than the TTL of %s s".formatted(sessions.ttlSeconds());
      pause
          .node()
          .ifPresentOrElse(
              given ->
                  pause.report("a pause of %s s".formatted(sessions.pause().toSeconds()), expected),
              () -> section.report("pause-every", "pauses of 20s, the default", expected));
    }
    return sessions;
  }

  private static boolean readMix(
      Section top, Node node, List<OperationMix.Share> shares, Map<Operation, Node> nodes) {
    Optional<Section> map = top.map(node, ScenarioSchema.ANY, MIX);
    if (map.isEmpty()) {
      return false;
    }
    Section section = map.get();
    for (String name : section.keys()) {
      Optional<Operation> operation = operation(section, name);
      Field<Integer> weight = section.field(name, WEIGHT);
      operation.ifPresent(known -> nodes.put(known, section.key(name)));
      operation.ifPresent(
          known -> weight.value().ifPresent(w -> shares.add(new OperationMix.Share(known, w))));
    }
    int count = section.keys().size();
    if (count < MIN_OPERATIONS) {
      String found = count == 0 ? "no operation" : "one operation";
      section.report(node, found, MIX + "; one alone is 'operation'");
    }
    return shares.size() == ((MappingNode) node).getValue().size() && count >= MIN_OPERATIONS;
  }

  private static Optional<Operation> operation(Section section, String name) {
    Optional<Operation> named = Operation.named(name);
    if (named.filter(Operation::isOfSessions).isPresent() && !MIXABLE.contains(name)) {
      String expected = "operation: " + name + ", as its clients hold what they have got";
      section.report(name, "'" + name + "' in a mix", expected);
      return Optional.empty();
    }
    if (!MIXABLE.contains(name)) {
      section.report(
          name,
          "unknown operation " + VisibleText.quoted(name),
          named
              .map(older -> "'" + older + "', its name in a mix")
              .orElseGet(() -> Messages.oneOf(MIXABLE, name)));
      return Optional.empty();
    }
    return named;
  }

  private void checkSections() {
    for (Operation each : List.of(Operation.TXN, Operation.RANGE, Operation.COMPACT)) {
      String name = each.id();
      if (top.has(name) && !nodes.containsKey(each)) {
        top.report(
            name,
            "the key '" + name + "' with " + shown + (nodes.size() > 1 ? " without " + name : ""),
            "it with operation: %s, or a mix that has %s".formatted(name, name));
      }
    }
    if (!top.has("range") && nodes.containsKey(Operation.RANGE)) {
      top.report(
          node(Operation.RANGE),
          "range without the key 'range'",
          "how many keys it reads, such as range: {keys: 100}");
    }
    if (top.has(SESSIONS) && !mix.usesSessions()) {
      top.report(
          SESSIONS,
          "the key 'sessions' with " + shown,
          "it with operations of sessions: lock, elect, register or expire");
    }
    if (isPhased()) {
      nodes.forEach(
          (each, node) -> {
            if (each.isOfSessions()) {
              top.report(node, each + " in phases or groups", "operations without sessions");
            }
          });
    }
    if (mix.usesSessions()) {
      top.refuse(
          List.of("warm-up", CapacitySpec.KEY),
          "with " + shown,
          "operations of sessions without it");
    }
    if (top.has("leases") && !mix.usesLeases()) {
      top.report(
          "leases",
          "the key 'leases' with " + shown,
          "it with operation: lease-keepalive, or a mix that has it or optimistic-create");
    }
    checkDeletes();
    checkObjects();
  }

  /** Reports objects that are not created, and those of which more are removed. */
  private void checkObjects() {
    if (top.has(OBJECTS) && mix.objects().isEmpty()) {
      top.report(OBJECTS, "the key 'objects' with " + shown, "it with create or optimistic-create");
    }
    checkRemovals(Operation.OPTIMISTIC_DELETE, Operation.OPTIMISTIC_CREATE);
    checkRemovals(Operation.REMOVE, Operation.CREATE);
    Section objects = top.section(OBJECTS);
    boolean optimistic = mix.has(Operation.OPTIMISTIC_CREATE);
    if (optimistic && mix.has(Operation.CREATE)) {
      top.report(node(Operation.CREATE), "create with optimistic-create", "one of them in a mix");
    }
    if (mix.objects().isPresent() && !mix.has(Operation.CREATE) && objects.has("ephemeral")) {
      objects.report("ephemeral", "the key 'ephemeral' without create", "it with create");
    }
    if (!optimistic && objects.has("stale-deletes") && mix.objects().isPresent()) {
      String found = "the key 'stale-deletes' without optimistic-create";
      objects.report("stale-deletes", found, "it with optimistic-create");
    }
    if (mix.objectsPerTxn() > 0 && (optimistic || mix.getsPerTxn() + mix.deletesPerTxn() > 0)) {
      String also = optimistic ? "optimistic-create" : "'gets' or 'deletes'";
      String expected = "objects with puts, create and remove";
      top.section(TXN).report(OBJECTS, "objects of transactions with " + also, expected);
    }
  }

  private void checkRemovals(Operation removal, Operation creation) {
    if (mix.weight(removal) > mix.weight(creation)) {
      top.report(
          node(removal),
          removal + " more often than " + creation,
          "a mix that creates at least as many objects as it removes");
    }
  }

  /** Returns whether it consists of loads with separate operations. */
  boolean isPhased() {
    return top.has(PhasesSpec.PHASES) || top.has(PhasesSpec.GROUPS);
  }

  /** Reports a mix that deletes, and has requests that a missing key would spoil. */
  private void checkDeletes() {
    if (!mix.removesSome()) {
      return;
    }
    if (mix.has(Operation.DELETE) && !mix.has(Operation.PUT)) {
      top.report(
          node(Operation.DELETE),
          "delete in a mix without put",
          "put, which writes the keys again");
    }
    for (Operation each : mix.operations()) {
      if (!WITH_DELETES.contains(each) && !each.isOfLeases()) {
        top.report(node(each), each + " in a mix with delete", "put, get, range and txn with it");
      }
    }
  }

  private Node node(Operation operation) {
    return Objects.requireNonNull(nodes.get(operation));
  }

  void check(Store database) {
    for (UnsupportedFeature each : UnsupportedFeature.of(mix, database)) {
      Optional<Node> node =
          switch (each.part()) {
            case OPERATION -> Optional.empty();
            case LIMIT -> range.limit().node();
            case COUNT_ONLY -> range.countOnly().node();
            case PAGE -> range.page().node();
            case STREAM -> range.stream().node();
            case PUTS -> puts.node();
            case GETS -> gets.node();
            case LEASES -> Optional.of(top.key("leases"));
            case EPHEMERAL -> Optional.of(top.section(OBJECTS).key("ephemeral"));
            case TTL -> top.section(SESSIONS).node("ttl");
          };
      top.report(node.orElseGet(() -> node(each.operation())), each.found(), each.expected());
    }
  }

  /** Reports clients of sessions without a closed loop, and a load of another kind. */
  void check(LoadSpec load) {
    Optional<Operation> held =
        mix.operations().stream()
            .filter(each -> each.isOfSessions() && each != Operation.EXPIRE)
            .findFirst();
    if (held.isPresent() && (load.isOpen() || load.isOneShot())) {
      top.report(
          node(held.get()),
          "'%s' with a rate, or with a connection for each request".formatted(held.get()),
          "clients, such as load: {clients: 10}, as each has a session");
    }
  }

  /** Returns whether its requests write no values, so that their size need not be given. */
  boolean isValueless() {
    return mix.usesSessions()
        && mix.operations().stream()
            .allMatch(each -> each.isOfSessions() && each != Operation.ELECT);
  }

  void checkReads() {
    if (top.has("consistency") && !mix.reads()) {
      String found =
          "the key 'consistency' with " + shown + (nodes.size() > 1 ? " that reads nothing" : "");
      top.report("consistency", found, "it with requests that read: " + READING);
    }
  }
}
