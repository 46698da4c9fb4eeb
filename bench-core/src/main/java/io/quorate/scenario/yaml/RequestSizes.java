// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.ByteSize;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.StoreLoad;
import io.quorate.scenario.ValueSizes;
import io.quorate.store.Operation;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.store.server.StoreServers;
import io.quorate.stores.Stores;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;

/** Finds requests of a scenario that servers refuse, as they are larger than their limit. */
record RequestSizes(Scenario scenario, Node root, ScenarioProblems problems) {
  /** What a request may need in addition to its keys and values: headers, names and lengths. */
  private static final int FRAME_BYTES = 1024;

  void check(List<Store> databases) {
    databases.forEach(each -> check(scenario.requireLoad(each)));
  }

  private void check(StoreLoad load) {
    StoreServers servers = Stores.servers(load.database());
    servers.sizeLimit().ifPresent(limit -> check(load, servers, limit));
  }

  private void check(StoreLoad load, StoreServers servers, Setting limit) {
    OperationMix mix = scenario.requests().mix();
    int key = scenario.requests().keys().sizeBytes();
    long most = load.settings().inForce(limit);
    int value = scenario.requests().values().mostBytes();
    // a write with a TTL may be a transaction
    long bytes =
        Math.max(
            servers.requestBytes(key, value),
            scenario.requests().keys().ttl().isPresent() ? servers.requestBytes(1, key, value) : 0);
    if (bytes > most) {
      report(
          at("values", List.of("size", "max", "sizes", "grow")),
          "values of %s, above the limit of %s".formatted(ByteSize.text(value), load.database()),
          most,
          limit,
          bytes);
      return;
    }
    ValueSizes values = scenario.requests().values(); // of those that grow, the last are largest
    int each = values.growing() ? values.mostBytes() : values.meanBytes();
    int puts = mix.putsPerTxn() + mix.objectsPerTxn();
    long all = servers.requestBytes(puts, key, each);
    if (mix.has(Operation.TXN) && all > most) {
      String found = "transactions of %d puts of %s, above the limit of %s";
      report(
          at("txn", List.of("puts")),
          found.formatted(puts, ByteSize.text(each), load.database()),
          most,
          limit,
          all);
    }
  }

  private void report(Node at, String found, long most, Setting limit, long needed) {
    String expected =
        "at most %s in a request, or settings: {%s: %d} or more"
            .formatted(ByteSize.text(most), limit, needed + FRAME_BYTES);
    problems.add(at, found, expected);
  }

  /** Returns the value of the first of some keys of a map; the map or the root if it has none. */
  private Node at(String map, List<String> keys) {
    Optional<Node> found = child(root, map);
    return keys.stream()
        .flatMap(key -> found.flatMap(node -> child(node, key)).stream())
        .findFirst()
        .or(() -> found)
        .orElse(root);
  }

  private static Optional<Node> child(Node node, String key) {
    return Optional.ofNullable(DerivedNodes.tuples(node).get(key)).map(NodeTuple::getValueNode);
  }
}
