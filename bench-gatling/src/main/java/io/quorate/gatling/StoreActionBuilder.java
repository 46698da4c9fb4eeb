// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.gatling.commons.validation.Validation;
import io.gatling.core.action.Action;
import io.gatling.core.structure.ScenarioContext;
import io.gatling.javaapi.core.ActionBuilder;
import io.gatling.javaapi.core.CheckBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.internal.Expressions;
import io.quorate.QuorateException;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Store;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import scala.Function1;

/**
 * An action on a store, which ends as one request of Gatling: with its name, {@code OK} or {@code
 * KO}, a message that begins with the kind of the failure, and its latency. The user continues when
 * it has ended; no thread waits.
 *
 * <p>Immutable; each method returns another builder. Texts may contain {@code #{...}}, and
 * functions read the session of the user. An action refuses methods that mean nothing for it when
 * the simulation starts.
 */
public final class StoreActionBuilder extends Described<StoreActionBuilder>
    implements ActionBuilder {
  final StoreActionKind kind;
  final String name;

  /** Expressions by the name of their method. */
  Map<String, Function1<io.gatling.core.session.Session, Validation<Object>>> arguments = Map.of();

  List<CheckBuilder> checks = List.of();

  /** The protocol that it uses; null for the only one of the simulation. */
  private @Nullable StoreProtocol protocol;

  StoreActionBuilder(StoreActionKind kind, String name) {
    this.kind = kind;
    this.name = name;
  }

  /** Chooses the protocol, in a simulation with several of them. */
  public StoreActionBuilder on(StoreProtocol chosen) {
    return with(copy -> copy.protocol = chosen);
  }

  /** Adds checks. If one fails, so does the request, and the session of the user is failed. */
  public StoreActionBuilder check(CheckBuilder... more) {
    return with(copy -> copy.checks = Stream.concat(checks.stream(), Stream.of(more)).toList());
  }

  private StoreActionBuilder evaluate(
      String argument, Function1<io.gatling.core.session.Session, Validation<Object>> expression) {
    var more = new LinkedHashMap<>(arguments);
    more.put(argument, expression);
    return with(copy -> copy.arguments = more);
  }

  private StoreActionBuilder set(String argument, String expression) {
    return evaluate(argument, Expressions.toAnyExpression(expression));
  }

  private StoreActionBuilder set(String argument, Function<Session, ?> function) {
    return evaluate(argument, Expressions.javaObjectFunctionToExpression(function::apply));
  }

  private StoreActionBuilder constant(String argument, Object value) {
    return evaluate(argument, Expressions.toStaticValueExpression(value));
  }

  /** Sets the key, printable ASCII. For ZooKeeper, the nodes above it exist. */
  public StoreActionBuilder key(String key) {
    return set("key", key);
  }

  /** Sets the key, printable ASCII. For ZooKeeper, the nodes above it exist. */
  public StoreActionBuilder key(Function<Session, String> key) {
    return set("key", key);
  }

  /** Sets the value: a text, or a byte array. */
  public StoreActionBuilder value(String value) {
    return set("value", value);
  }

  /** Sets the value: a text, or a byte array. */
  public StoreActionBuilder value(Function<Session, ?> value) {
    return set("value", value);
  }

  /** Sets the beginning of the keys. */
  public StoreActionBuilder prefix(String prefix) {
    return set("prefix", prefix);
  }

  /** Sets the beginning of the keys. */
  public StoreActionBuilder prefix(Function<Session, String> prefix) {
    return set("prefix", prefix);
  }

  /**
   * Sets the key of the lock. No other key may begin with it and a slash: in etcd and Consul, such
   * a key keeps the lock from everybody.
   */
  public StoreActionBuilder lock(String lock) {
    return set("lock", lock);
  }

  /**
   * Sets the key of the lock. No other key may begin with it and a slash: in etcd and Consul, such
   * a key keeps the lock from everybody.
   */
  public StoreActionBuilder lock(Function<Session, String> lock) {
    return set("lock", lock);
  }

  /** Sets the expected revision of the key. */
  public StoreActionBuilder revision(String revision) {
    return set("revision", revision);
  }

  /** Sets the expected revision of the key. */
  public StoreActionBuilder revision(Function<Session, ?> revision) {
    return set("revision", revision);
  }

  /** Adds a key and its value to a transaction. */
  public StoreActionBuilder put(String key, String value) {
    int number = arguments.size();
    return set("put key " + number, key).set("put value " + number, value);
  }

  /** Adds a key and its value, a text or a byte array, to a transaction. */
  public StoreActionBuilder put(Function<Session, String> key, Function<Session, ?> value) {
    int number = arguments.size();
    return set("put key " + number, key).set("put value " + number, value);
  }

  /**
   * Lets etcd remove the key after a time, at the latest when the user ends. Other stores refuse
   * it; {@code register} writes a key that ends with the user in all of them.
   *
   * @param ttl whole seconds, 1 or more
   */
  public StoreActionBuilder ttl(Duration ttl) {
    if (ttl.toSeconds() < 1 || !ttl.equals(Duration.ofSeconds(ttl.toSeconds()))) {
      throw new IllegalArgumentException("ttl: found " + ttl + ", expected whole seconds");
    }
    return constant("ttl", ttl.toSeconds());
  }

  /**
   * Requires that the keys do not exist: otherwise the outcome is {@code conflict}, or {@code
   * rejected} with ZooKeeper. Of transactions, only those of ZooKeeper can require it.
   */
  public StoreActionBuilder create() {
    return constant("create", true);
  }

  /** Chooses what a read guarantees; the default of the store without it. */
  public StoreActionBuilder consistency(ReadConsistency consistency) {
    return constant("consistency", consistency);
  }

  /** Sets the most keys that a range returns; all by default. */
  public StoreActionBuilder limit(long keys) {
    return constant("limit", keys);
  }

  /** Returns the number of keys alone. */
  public StoreActionBuilder countOnly() {
    return constant("countOnly", true);
  }

  /** Names the watch, for users with several of them. */
  public StoreActionBuilder watchName(String watch) {
    return set("watchName", watch);
  }

  /** Waits for a number of changes; 1 by default. */
  public StoreActionBuilder events(int number) {
    return constant("events", number);
  }

  /** Sets the time after which a wait fails with {@code timeout}; 10 s by default. */
  public StoreActionBuilder within(Duration time) {
    return constant("within", time);
  }

  /** Waits for a time, whatever happens, to check the number of changes. */
  public StoreActionBuilder during(Duration time) {
    return constant("during", time);
  }

  @Override
  public io.gatling.core.action.builder.ActionBuilder asScala() {
    return this::action;
  }

  private Action action(ScenarioContext context, Action next) {
    StoreComponents components = StoreKey.of(context, protocol, kind);
    Store store = components.protocol.store;
    String obstacle = kind.obstacle(store, arguments.keySet());
    if (!obstacle.isEmpty()) {
      throw new QuorateException("%s on %s: %s".formatted(kind, store, obstacle));
    }
    return new StoreAction(this, components, context, next);
  }
}
