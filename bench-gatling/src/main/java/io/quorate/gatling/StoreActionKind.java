// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.store.Answer;
import io.quorate.store.Capabilities;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** What actions do: the arguments that they need, or may have, and what they send. */
enum StoreActionKind {
  PUT("put", "key value", "ttl create", Operation.PUT, StoreActionKind::put),
  GET(
      "get",
      "key",
      "consistency",
      Operation.GET,
      turn -> turn.submit(new Request.Get(turn.key("key"), consistency(turn)), turn)),
  RANGE(
      "range",
      "prefix",
      "limit countOnly consistency",
      Operation.RANGE,
      turn ->
          turn.submit(
              new Request.Range(
                  turn.key("prefix"),
                  turn.number("limit", 0),
                  turn.has("countOnly") ? ReturnedValue.COUNT : ReturnedValue.ENTRIES,
                  consistency(turn)),
              turn)),
  DELETE(
      "delete",
      "key",
      "",
      Operation.DELETE,
      turn -> turn.submit(new Request.Delete(turn.key("key")), turn)),
  COMPARE_AND_SET(
      "compareAndSet",
      "key value revision",
      "",
      Operation.COMPARE_AND_SET,
      turn ->
          turn.submit(
              new Request.CompareAndSet(
                  turn.key("key"), turn.bytes("value"), turn.number("revision", 0)),
              turn)),
  TXN("txn", "put", "create", Operation.TXN, StoreActionKind::txn),
  WATCH("watch", "key|prefix", "watchName", Operation.GET, UserWatch::begin),
  AWAIT("await", "", "watchName events within during", Operation.GET, UserWatch::await),
  UNWATCH("unwatch", "", "watchName", Operation.GET, UserWatch::end),
  ACQUIRE("acquire", "lock", "within", Operation.LOCK, turn -> new LockWait(turn).begin()),
  RELEASE("release", "lock|key", "", Operation.LOCK, LockWait::release),
  REGISTER(
      "register",
      "key",
      "",
      Operation.REGISTER,
      turn -> {
        turn.endInTime("the store has not confirmed the registration");
        turn.user().registered(turn, own -> own.own().acquire(turn.key("key"), turn));
      });

  private final String id;
  private final String needed;
  private final String possible;
  private final Operation operation;
  private final Consumer<Turn> sending;

  StoreActionKind(
      String id, String needed, String possible, Operation operation, Consumer<Turn> sending) {
    this.id = id;
    this.needed = needed;
    this.possible = possible;
    this.operation = operation;
    this.sending = sending;
  }

  /** Returns why a store, or any store, cannot do this with these arguments; empty if it can. */
  String obstacle(Store store, Set<String> arguments) {
    // the arguments of a transaction are numbered
    List<String> names = arguments.stream().map(each -> each.replaceFirst(" .*", "")).toList();
    for (String each : needed.isEmpty() ? new String[0] : needed.split(" ")) {
      long found = List.of(each.split("\\|")).stream().filter(names::contains).count();
      if (found != 1) {
        return "expected " + each.replace("|", "(...) or ") + "(...)";
      }
    }
    for (String each : names) {
      if (!(" " + needed.replace('|', ' ') + " " + possible + " ").contains(" " + each + " ")
          && !(this == TXN && each.equals("value"))) {
        return each + "(...) means nothing for it";
      }
    }
    if (this == AWAIT
        && names.contains("during")
        && (names.contains("events") || names.contains("within"))) {
      return "during(...) counts all events of a time, without events(...) and within(...)";
    }
    if (this == TXN && names.contains("create") && ignoresCreation(store)) {
      return "its transactions do not require that keys do not exist";
    }
    Capabilities can = store.capabilities();
    WatchSupport watches = store.watches();
    if (this == WATCH && watches.of(names.contains("prefix")) == WatchSupport.Delivery.NONE) {
      return watches.reason();
    }
    if (names.contains("ttl")
        && !(can.can(Operation.LEASE_GRANT) && can.can(Operation.OPTIMISTIC_CREATE))) {
      return "its keys have no time to live"; // with leases that only release keys, as Consul's
    }
    boolean part = names.contains("limit") || names.contains("countOnly");
    boolean able =
        can.can(operation)
            && (operation != Operation.RANGE
                || (part ? can.range().isLimited() : can.range().isByPrefix()));
    return able ? "" : can.reasons().getOrDefault(operation, "");
  }

  /** Does what the action is for, without waiting; on the event loop of the user. */
  void send(Turn turn) {
    sending.accept(turn);
  }

  /** Returns whether it sends a request, which a throttle delays. */
  boolean isRequest() {
    return this != AWAIT && this != UNWATCH;
  }

  private static ReadConsistency consistency(Turn turn) {
    return (ReadConsistency) turn.value("consistency", ReadConsistency.DEFAULT);
  }

  private static void put(Turn turn) {
    byte[] key = turn.key("key");
    byte[] value = turn.bytes("value");
    if (turn.has("ttl")) {
      turn.submit(
          new Request.GrantLease((int) turn.number("ttl", 0)),
          turn.withAnswer(
              answer -> {
                String lease = ((Answer.Granted) answer).lease();
                turn.inLoop(() -> turn.user().keep(lease, turn.number("ttl", 0)));
                turn.submit(
                    turn.has("create")
                        ? new Request.OptimisticPut(key, value, 0, Optional.of(lease))
                        : new Request.LeasedPut(key, value, lease, false),
                    turn);
              }));
    } else if (turn.has("create")) {
      turn.submit(
          ignoresCreation(turn.user().store.protocol.store)
              ? new Request.CompareAndSet(key, value, 0)
              : Request.create(key, value),
          turn);
    } else {
      // if the store detects that it is missing, and another client has not created it meanwhile
      update(turn, key, value, () -> createOrUpdate(turn, key, value));
    }
  }

  private static void createOrUpdate(Turn turn, byte[] key, byte[] value) {
    turn.submit(
        Request.create(key, value),
        Completion.of(
            turn::answered,
            (kind, message) -> {
              if (kind == ErrorKind.REJECTED) {
                update(turn, key, value, () -> turn.failed(kind, message));
              } else {
                turn.failed(kind, message);
              }
            }));
  }

  private static void update(Turn turn, byte[] key, byte[] value, Runnable ifMissing) {
    turn.submit(
        Request.update(key, value),
        turn.withAnswer(
            answer -> {
              if (answer instanceof Answer.Missing) {
                ifMissing.run();
              } else {
                turn.answered(answer);
              }
            }));
  }

  /** Returns whether a store does not look whether a put creates or updates a key. */
  private static boolean ignoresCreation(Store store) {
    return store.equals(EtcdStore.STORE) || store.equals(ConsulStore.STORE);
  }

  private static void txn(Turn turn) {
    List<Request.Put> puts =
        turn.names("put ")
            .map(
                number ->
                    new Request.Put(
                        turn.key("put " + number),
                        turn.bytes("value of " + number),
                        turn.has("create")))
            .toList();
    turn.submit(new Request.Txn(puts), turn);
  }

  static Duration within(Turn turn, String argument) {
    return (Duration) turn.value(argument, Duration.ofSeconds(10));
  }

  @Override
  public String toString() {
    return id;
  }
}
