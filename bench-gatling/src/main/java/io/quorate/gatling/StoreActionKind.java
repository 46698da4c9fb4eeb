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
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** What actions do: the arguments that they need, or may have, and what they send. */
enum StoreActionKind {
  PUT("key value", "ttl create", Operation.PUT, StoreActionKind::put),
  GET(
      "key",
      "consistency",
      Operation.GET,
      turn -> turn.submit(new Request.Get(turn.key("key"), consistency(turn)), turn)),
  RANGE(
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
      "key", "", Operation.DELETE, turn -> turn.submit(new Request.Delete(turn.key("key")), turn)),
  COMPARE_AND_SET(
      "key value revision",
      "",
      Operation.COMPARE_AND_SET,
      turn ->
          turn.submit(
              new Request.CompareAndSet(
                  turn.key("key"), turn.bytes("value"), turn.number("revision", 0)),
              turn)),
  TXN("put", "create", Operation.TXN, StoreActionKind::txn),
  WATCH("key|prefix", "watchName", Operation.GET, UserWatch::begin),
  AWAIT("", "watchName events within during", Operation.GET, UserWatch::await),
  UNWATCH("", "watchName", Operation.GET, UserWatch::end),
  ACQUIRE("lock", "within", Operation.LOCK, UserLocks::acquire),
  RELEASE("lock|key", "", Operation.LOCK, UserLocks::release),
  REGISTER("key", "", Operation.REGISTER, UserLocks::register);

  private final String needed;
  private final String possible;
  private final Operation operation;
  private final Consumer<Turn> sending;

  StoreActionKind(String needed, String possible, Operation operation, Consumer<Turn> sending) {
    this.needed = needed;
    this.possible = possible;
    this.operation = operation;
    this.sending = sending;
  }

  /** Returns why a store, or any store, cannot do this with these arguments; empty if it can. */
  String obstacle(Store store, Set<String> arguments) {
    // the arguments of a transaction are numbered
    List<String> names = arguments.stream().map(each -> each.replaceFirst(" .*", "")).toList();
    for (String each : needed.split(" ")) {
      List<String> one = List.of(each.split("\\|"));
      if (!each.isEmpty() && one.stream().filter(names::contains).distinct().count() != 1) {
        return "expected " + each.replace("|", "(...) or ") + "(...)";
      }
    }
    List<String> known = List.of((needed + " " + possible).split("[ |]"));
    for (String each : names) {
      if (!known.contains(each)) {
        return each + "(...) means nothing for it";
      }
    }
    if (names.contains("during") && (names.contains("events") || names.contains("within"))) {
      return "during(...) counts all events of a time, without events(...) and within(...)";
    }
    if (this == TXN && names.contains("create") && ignoresCreation(store)) {
      return "its transactions do not require that keys do not exist";
    }
    WatchSupport watches = store.watches();
    if (this == WATCH && watches.of(names.contains("prefix")) == WatchSupport.Delivery.NONE) {
      return watches.reason();
    }
    Capabilities can = store.capabilities();
    if (names.contains("ttl")
        && !(can.can(Operation.LEASE_GRANT) && can.can(Operation.OPTIMISTIC_CREATE))) {
      return "its keys have no time to live"; // with leases that only release keys, as Consul's
    }
    boolean part = names.contains("limit") || names.contains("countOnly");
    boolean able =
        this == RANGE
            ? part ? can.range().isLimited() : can.range().isByPrefix()
            : can.can(operation);
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
    boolean creates = turn.has("create");
    if (turn.has("ttl")) {
      int ttl = (int) turn.number("ttl", 0);
      turn.submit(
          new Request.GrantLease(ttl),
          turn.withAnswer(
              answer -> {
                String lease = ((Answer.Granted) answer).lease();
                turn.inLoop(() -> turn.user.keep(lease, ttl));
                turn.submit(
                    creates
                        ? new Request.OptimisticPut(key, value, 0, Optional.of(lease))
                        : new Request.LeasedPut(key, value, lease, false),
                    turn);
              }));
    } else if (!creates) {
      write(turn, key, value, true);
    } else if (ignoresCreation(turn.user.store.protocol.store)) {
      turn.submit(new Request.CompareAndSet(key, value, 0), turn);
    } else {
      turn.submit(Request.create(key, value), turn);
    }
  }

  /**
   * Updates a key or, if the store detects that it is missing, creates it. If another client has
   * created it meanwhile, updates it once more.
   */
  private static void write(Turn turn, byte[] key, byte[] value, boolean first) {
    Completion creation =
        Completion.of(
            turn::answered,
            (kind, message) -> {
              if (first && kind == ErrorKind.REJECTED) {
                write(turn, key, value, false);
              } else {
                turn.failed(kind, message);
              }
            });
    turn.submit(
        Request.update(key, value),
        turn.withAnswer(
            answer -> {
              if (answer instanceof Answer.Missing) {
                turn.submit(Request.create(key, value), creation);
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
        turn.names("put key ")
            .map(
                number ->
                    new Request.Put(
                        turn.key("put key " + number),
                        turn.bytes("put value " + number),
                        turn.has("create")))
            .toList();
    turn.submit(new Request.Txn(puts), turn);
  }

  static Duration within(Turn turn, String argument) {
    return (Duration) turn.value(argument, Duration.ofSeconds(10));
  }

  @Override
  public String toString() {
    return this == COMPARE_AND_SET ? "compareAndSet" : name().toLowerCase(Locale.ROOT);
  }
}
