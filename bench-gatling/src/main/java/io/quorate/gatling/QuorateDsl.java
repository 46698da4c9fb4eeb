// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.gatling.javaapi.core.CheckBuilder;
import io.quorate.store.Endpoint;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.memory.MemoryStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.util.List;

/**
 * The entry point of the Gatling DSL for etcd, ZooKeeper and Consul; to be imported statically.
 *
 * <pre>{@code
 * ScenarioBuilder writes =
 *     scenario("writes")
 *         .feed(keys(100_000).zipf().values(256))
 *         .exec(put("write").key("#{key}").value("#{value}"))
 *         .exec(get("read").key("#{key}").check(value().isEL("#{value}")));
 *
 * {
 *   setUp(writes.injectOpen(constantUsersPerSec(500).during(60))).protocols(etcd("127.0.0.1:2379"));
 * }
 * }</pre>
 */
public final class QuorateDsl {
  /** The absence of a protocol: a store that no action uses. */
  static final StoreProtocol NO_PROTOCOL =
      new StoreProtocol(MemoryStore.STORE, parsed("127.0.0.1:1"), StoreKey.Etcd::new);

  private QuorateDsl() {}

  // protocols

  /** Returns the protocol of a cluster of etcd, with the endpoints of its members. */
  public static StoreProtocol etcd(String... endpoints) {
    return new StoreProtocol(EtcdStore.STORE, parsed(endpoints), StoreKey.Etcd::new);
  }

  /** Returns the protocol of an ensemble of ZooKeeper, with the endpoints of its members. */
  public static StoreProtocol zookeeper(String... endpoints) {
    return new StoreProtocol(ZooKeeperStore.STORE, parsed(endpoints), StoreKey.ZooKeeper::new);
  }

  /** Returns the protocol of a cluster of Consul, with the HTTP endpoints of its servers. */
  public static StoreProtocol consul(String... endpoints) {
    return new StoreProtocol(ConsulStore.STORE, parsed(endpoints), StoreKey.Consul::new);
  }

  private static List<Endpoint> parsed(String... endpoints) {
    return Endpoint.parseList(String.join(",", endpoints));
  }

  // actions

  /**
   * Writes one key, whether it exists or not. ZooKeeper distinguishes that: a put changes the node
   * or, if there is none, creates it, with two requests within one latency.
   */
  public static StoreActionBuilder put(String name) {
    return new StoreActionBuilder(StoreActionKind.PUT, name);
  }

  /**
   * Reads one key. A missing key fails it, unless a check looks at {@code exists} or {@code
   * outcome}.
   */
  public static StoreActionBuilder get(String name) {
    return new StoreActionBuilder(StoreActionKind.GET, name);
  }

  /** Reads the keys with a prefix. ZooKeeper has no such request. */
  public static StoreActionBuilder range(String name) {
    return new StoreActionBuilder(StoreActionKind.RANGE, name);
  }

  /** Removes one key. */
  public static StoreActionBuilder delete(String name) {
    return new StoreActionBuilder(StoreActionKind.DELETE, name);
  }

  /** Writes one key if it still has a revision; otherwise it fails with {@code conflict}. */
  public static StoreActionBuilder compareAndSet(String name) {
    return new StoreActionBuilder(StoreActionKind.COMPARE_AND_SET, name);
  }

  /** Writes several keys, all of them or none. */
  public static StoreActionBuilder txn(String name) {
    return new StoreActionBuilder(StoreActionKind.TXN, name);
  }

  /** Begins to watch a key, or keys with a prefix, until {@code unwatch} or the end of the user. */
  public static StoreActionBuilder watch(String name) {
    return new StoreActionBuilder(StoreActionKind.WATCH, name);
  }

  /** Waits for changes that a watch reports since the last wait; checks see the last one. */
  public static StoreActionBuilder await(String name) {
    return new StoreActionBuilder(StoreActionKind.AWAIT, name);
  }

  /** Ends a watch. It does not wait for the store. */
  public static StoreActionBuilder unwatch(String name) {
    return new StoreActionBuilder(StoreActionKind.UNWATCH, name);
  }

  /** Takes a lock, in the order of a queue; {@code revision} is the fencing token. */
  public static StoreActionBuilder acquire(String name) {
    return new StoreActionBuilder(StoreActionKind.ACQUIRE, name);
  }

  /** Releases a lock, or removes a registered key. */
  public static StoreActionBuilder release(String name) {
    return new StoreActionBuilder(StoreActionKind.RELEASE, name);
  }

  /** Registers a key, which the store removes when the user ends, or has died. */
  public static StoreActionBuilder register(String name) {
    return new StoreActionBuilder(StoreActionKind.REGISTER, name);
  }

  // checks

  /**
   * Checks how the action ended: {@code ok}, or the kind of the failure, such as {@code timeout} or
   * {@code conflict}. With this check, no failure counts as one by itself.
   */
  public static CheckBuilder.Find<String> outcome() {
    return StoreCheck.OUTCOME.find();
  }

  /**
   * Checks whether the key exists: that of a read, or that of the last change. With this check, a
   * missing key does not fail by itself.
   */
  public static CheckBuilder.Find<Boolean> exists() {
    return StoreCheck.EXISTS.find();
  }

  /** Checks the value that was read, the first one of a range, or that of the last change. */
  public static CheckBuilder.Find<String> value() {
    return StoreCheck.VALUE.find();
  }

  /** Checks the bytes of what {@link #value} checks as text. */
  public static CheckBuilder.Find<byte[]> bytes() {
    return StoreCheck.BYTES.find();
  }

  /** Checks the first key of a range, or that of the last change. */
  public static CheckBuilder.Find<String> key() {
    return StoreCheck.KEY.find();
  }

  /** Checks the keys of a range, in their order. */
  public static CheckBuilder.Find<List<String>> keys() {
    return StoreCheck.KEYS.find();
  }

  /** Checks the revision of the key, or of the last change, or the fencing token of a lock. */
  public static CheckBuilder.Find<Long> revision() {
    return StoreCheck.REVISION.find();
  }

  /** Checks the number of keys of a range, or of changes. */
  public static CheckBuilder.Find<Long> count() {
    return StoreCheck.COUNT.find();
  }

  /**
   * Checks the endpoint of the member that answered, such as {@code 127.0.0.1:2379}. Locks and
   * registrations have none, as their sessions move.
   */
  public static CheckBuilder.Find<String> answeredBy() {
    return StoreCheck.ANSWERED_BY.find();
  }

  // feeders

  /**
   * Returns a feeder of keys, and of values if wanted.
   *
   * @param count number of different keys
   */
  public static KeyFeeder keys(long count) {
    return new KeyFeeder(count);
  }
}
