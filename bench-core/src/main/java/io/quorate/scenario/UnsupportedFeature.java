// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.store.Capabilities;
import io.quorate.store.ClientKind;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.ReturnedValue;
import io.quorate.store.Security;
import io.quorate.store.SessionSupport;
import io.quorate.store.Store;
import io.quorate.store.WatchSupport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A part of a mix that a store does not support.
 *
 * @param found the requested feature, and the store
 * @param expected features that the store supports instead
 */
public record UnsupportedFeature(Operation operation, Part part, String found, String expected) {
  /** The keys of a scenario that a store may not support. */
  public enum Part {
    OPERATION,
    LIMIT,
    COUNT_ONLY,
    PAGE,
    STREAM,
    PUTS,
    GETS,
    LEASES,
    EPHEMERAL,
    TTL
  }

  /** Returns all parts of a mix that a store does not support, in the order of its operations. */
  public static List<UnsupportedFeature> of(OperationMix mix, Store store) {
    Capabilities can = store.capabilities();
    List<UnsupportedFeature> all = new ArrayList<>();
    for (Operation operation : mix.operations()) {
      if (operation.isOfSessions() && can.can(operation)) {
        ofTtl(operation, mix.sessions().orElseThrow().ttlSeconds(), store).ifPresent(all::add);
      } else if (!can.can(operation)) {
        String reason = can.reasons().getOrDefault(operation, "");
        all.add(
            new UnsupportedFeature(
                operation,
                Part.OPERATION,
                "%s, which %s cannot do%s"
                    .formatted(operation, store, reason.isEmpty() ? "" : ": " + reason),
                "another operation, or no " + store));
      }
    }
    if (mix.has(Operation.RANGE) && can.range() == Capabilities.RangeReads.ALL) {
      OperationMix.RangeShape range = mix.range();
      range(range.limit() > 0, Part.LIMIT, "a limit", "limit", store, all);
      range(range.page() > 0, Part.PAGE, "pages", "page", store, all);
      range(range.countOnly(), Part.COUNT_ONLY, "count-only", "count-only", store, all);
    }
    if (mix.has(Operation.RANGE)
        && mix.range().stream()
        && can.can(Operation.RANGE)
        && can.range() != Capabilities.RangeReads.STREAMED) {
      String found =
          "a streamed range of " + store + ": only etcd (from 3.7 on) and kine stream them";
      String expected = "no stream, or no " + store;
      all.add(new UnsupportedFeature(Operation.RANGE, Part.STREAM, found, expected));
    }
    if (mix.has(Operation.RANGE)
        && can.range() == Capabilities.RangeReads.NAMES
        && !((mix.range().isOfAll() || mix.digitsOfLists() > 0)
            && mix.range().returned() == ReturnedValue.KEYS
            && mix.range().limit() + mix.range().page() == 0)) {
      all.add(
          new UnsupportedFeature(
              Operation.RANGE,
              Part.OPERATION,
              "range, which %s cannot do: %s"
                  .formatted(store, can.reasons().getOrDefault(Operation.RANGE, "")),
              "range: {keys: all, keys-only: true}, another operation, or no " + store));
    }
    if (mix.has(Operation.TXN)
        && can.can(Operation.TXN)
        && mix.keysPerRequest() + mix.objectsPerTxn() > can.mostPutsOfTxn()) {
      String what = mix.txnParts().isPresent() ? " operations" : " puts";
      int most = mix.keysPerRequest() + mix.objectsPerTxn();
      String found = most + what + " in a transaction of " + store;
      String expected = "at most " + can.mostPutsOfTxn() + ", or no " + store;
      all.add(new UnsupportedFeature(Operation.TXN, Part.PUTS, found, expected));
    }
    if (mix.getsPerTxn() > 0 && can.can(Operation.TXN) && !can.readsInTxn()) {
      String found = "reads in a transaction of " + store + ", whose transactions only write";
      all.add(
          new UnsupportedFeature(
              Operation.TXN, Part.GETS, found, "no 'gets' in transactions, or no " + store));
    }
    String missing = can.reasons().getOrDefault(Operation.TXN, "");
    boolean isTxn = mix.has(Operation.TXN) && can.can(Operation.TXN);
    if (isTxn && mix.removesSome() && !missing.isEmpty()) {
      String found = "txn in a mix that deletes, which %s cannot do: %s".formatted(store, missing);
      String expected = "a mix without one of the two, or no " + store;
      all.add(new UnsupportedFeature(Operation.TXN, Part.OPERATION, found, expected));
    }
    if (mix.attachesLeases()
        && can.can(Operation.OPTIMISTIC_CREATE)
        && !can.can(Operation.LEASE_GRANT)) {
      String reason = can.reasons().getOrDefault(Operation.LEASE_GRANT, "");
      String found = "leases of objects, which %s cannot do: %s".formatted(store, reason);
      String expected = "no 'leases', or no " + store;
      all.add(new UnsupportedFeature(Operation.OPTIMISTIC_CREATE, Part.LEASES, found, expected));
    }
    boolean ephemeral = mix.objects().filter(each -> each.ephemeral() > 0).isPresent();
    if (ephemeral && !can.ephemeral()) {
      String found = "ephemeral objects of %s, whose keys do not end with a connection";
      all.add(
          new UnsupportedFeature(
              Operation.CREATE,
              Part.EPHEMERAL,
              found.formatted(store),
              "no 'ephemeral', or no " + store));
    }
    return List.copyOf(all);
  }

  /** Returns what a client of a store cannot do of a mix and with its watchers, in words. */
  public static List<String> lackedBy(
      ClientKind client, OperationMix mix, List<WatchLoad> watchers, Store store) {
    List<String> lacking = new ArrayList<>();
    mix.operations().stream()
        .filter(client.lacks()::contains)
        .map(Operation::toString)
        .forEach(lacking::add);
    if (mix.range().stream() && !store.isDefaultClient(client)) {
      lacking.add("a streamed range");
    }
    if (watchers.stream().anyMatch(each -> each.slowMillis() > 0)
        && !store.isDefaultClient(client)) {
      lacking.add("slow streams of watches");
    }
    return lacking;
  }

  /**
   * Returns the reads of a mix that a store refuses, whatever they read; empty if there are none.
   */
  public static Optional<UnsupportedFeature> ofReads(
      OperationMix mix, ReadConsistency reads, Store store) {
    if (!mix.reads() || store.guarantee(reads) != ReadGuarantee.REFUSED) {
      return Optional.empty();
    }
    return Optional.of(
        new UnsupportedFeature(
            Operation.GET,
            Part.OPERATION,
            "%s reads, which %s refuses".formatted(reads.id(), store),
            "'linearizable', or no " + store));
  }

  /**
   * Returns why the requests of a mix cannot go to members of a store without a vote.
   *
   * @param watched whether there are watchers
   */
  public static Optional<UnsupportedFeature> ofNonVoters(
      OperationMix mix, ReadConsistency reads, boolean watched, Security security, Store store) {
    Capabilities.NonVoters can = store.capabilities().nonVoters();
    boolean staleReads =
        mix.operations().stream().allMatch(each -> each.isRead() && !each.isWrite())
            && store.guarantee(reads) == ReadGuarantee.STALE
            && !watched;
    boolean refused = can.onlyStaleReads() && (!staleReads || security == Security.TLS);
    if (can.title().isPresent() && !refused) {
      return Optional.empty();
    }
    String found = "'non-voter', which %s cannot do: %s".formatted(store, can.reason());
    String expected =
        refused && security == Security.TLS
            ? "security: none, or another routing"
            : refused
                ? "operation get or range with consistency: serializable and no watchers, or another routing"
                : "another routing, or no " + store;
    return Optional.of(new UnsupportedFeature(Operation.GET, Part.OPERATION, found, expected));
  }

  private static Optional<UnsupportedFeature> ofTtl(
      Operation operation, int ttlSeconds, Store store) {
    SessionSupport sessions = store.sessions().orElseThrow();
    if (sessions.grants(Duration.ofSeconds(ttlSeconds))) {
      return Optional.empty();
    }
    return Optional.of(
        new UnsupportedFeature(
            operation,
            Part.TTL,
            "a TTL of %s s, which %s does not grant".formatted(ttlSeconds, store),
            "from %s to %s s, or no %s"
                .formatted(
                    sessions.leastTtl().toSeconds(), sessions.mostTtl().toSeconds(), store)));
  }

  /** Returns keys that end by themselves, if a store or its chosen client has none. */
  public static Optional<UnsupportedFeature> ofTtl(Store store, ClientKind client) {
    boolean can = store.capabilities().expiry() != Capabilities.Expiry.NONE;
    if (can && store.isDefaultClient(client)) {
      return Optional.empty();
    }
    String found =
        can
            ? "keys with a TTL by the client '%s' of %s".formatted(client, store)
            : "keys with a TTL, which %s does not have".formatted(store);
    String expected = can ? "its default client" : "no 'ttl', or no " + store;
    return Optional.of(new UnsupportedFeature(Operation.PUT, Part.TTL, found, expected));
  }

  private static void range(
      boolean asked, Part part, String what, String key, Store store, List<UnsupportedFeature> to) {
    if (asked) {
      String found = what + " in a range of " + store + ", which returns all keys at once";
      to.add(
          new UnsupportedFeature(Operation.RANGE, part, found, "no " + key + ", or no " + store));
    }
  }

  /** Returns what a store does not report to watchers of a mix; empty if it supports all. */
  public static Optional<UnsupportedFeature> ofEvents(
      OperationMix mix, boolean detailed, Store store) {
    boolean values = store.watches().ofPrefix() == WatchSupport.Delivery.EVERY_CHANGE;
    Optional<String> found =
        detailed && !store.watches().details()
            ? Optional.of(
                "previous values, progress, restarts or slow streams of watches, which %s does not have")
            : mix.has(Operation.PUT) && mix.isIdentifiedByValue() && !values
                ? Optional.of("watchers of a mix, as %s does not report each value of all keys")
                : Optional.empty();
    return found.map(
        text ->
            new UnsupportedFeature(
                Operation.PUT, Part.OPERATION, text.formatted(store), "no " + store));
  }

  /**
   * Returns the first feature for watchers that a store does not support.
   *
   * @param oneKey whether they watch one key, rather than all keys
   * @param past whether they receive earlier puts, rather than the puts of the load
   * @return the feature; empty if the store supports all
   */
  public static Optional<UnsupportedFeature> ofWatchers(Store store, boolean oneKey, boolean past) {
    WatchSupport can = store.watches();
    if (past && can.history() || !past && can.of(!oneKey) != WatchSupport.Delivery.NONE) {
      return Optional.empty();
    }
    if (past) {
      return Optional.of(
          new UnsupportedFeature(
              Operation.GET,
              Part.OPERATION,
              "watchers of the past, which %s cannot do: %s"
                  .formatted(store, WatchSupport.NO_HISTORY),
              "no " + store));
    }
    boolean other =
        Stream.of(can.ofKey(), can.ofPrefix()).anyMatch(each -> each != WatchSupport.Delivery.NONE);
    return Optional.of(
        new UnsupportedFeature(
            Operation.PUT,
            Part.OPERATION,
            "watchers of %s, which %s cannot do: %s"
                .formatted(oneKey ? "one key" : "all keys", store, can.reason()),
            (other ? (oneKey ? "no 'count: 1', " : "keys with count: 1, ") + "or no " : "no ")
                + store));
  }
}
