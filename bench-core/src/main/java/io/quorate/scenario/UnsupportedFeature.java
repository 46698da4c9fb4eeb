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
        String found = cannot(operation.toString(), operation, store);
        all.add(missing(operation, Part.OPERATION, store, found, "another operation, or "));
      }
    }
    boolean isRange = mix.has(Operation.RANGE);
    OperationMix.RangeShape range = mix.range();
    if (isRange && can.range() == Capabilities.RangeReads.ALL) {
      range(range.limit() > 0, Part.LIMIT, "a limit", "limit", store, all);
      range(range.page() > 0, Part.PAGE, "pages", "page", store, all);
      range(range.countOnly(), Part.COUNT_ONLY, "count-only", "count-only", store, all);
    }
    if (isRange
        && range.stream()
        && can.can(Operation.RANGE)
        && can.range() != Capabilities.RangeReads.STREAMED) {
      String found =
          "a streamed range of " + store + ": only etcd (from 3.7 on) and kine stream them";
      all.add(missing(Operation.RANGE, Part.STREAM, store, found, "no stream, or "));
    }
    if (isRange
        && can.range() == Capabilities.RangeReads.NAMES
        && !((range.isOfAll() || mix.digitsOfLists() > 0)
            && range.returned() == ReturnedValue.KEYS
            && range.limit() + range.page() == 0)) {
      String found = cannot("range", Operation.RANGE, store);
      String other = "range: {keys: all, keys-only: true}, another operation, or ";
      all.add(missing(Operation.RANGE, Part.OPERATION, store, found, other));
    }
    boolean isTxn = mix.has(Operation.TXN) && can.can(Operation.TXN);
    int puts = mix.keysPerRequest() + mix.objectsPerTxn();
    if (isTxn && puts > can.mostPutsOfTxn()) {
      String what = mix.txnParts().isPresent() ? " operations" : " puts";
      String found = puts + what + " in a transaction of " + store;
      String other = "at most " + can.mostPutsOfTxn() + ", or ";
      all.add(missing(Operation.TXN, Part.PUTS, store, found, other));
    }
    if (mix.getsPerTxn() > 0 && can.can(Operation.TXN) && !can.readsInTxn()) {
      String found = "reads in a transaction of " + store + ", whose transactions only write";
      all.add(missing(Operation.TXN, Part.GETS, store, found, "no 'gets' in transactions, or "));
    }
    if (isTxn && mix.removesSome() && can.reasons().containsKey(Operation.TXN)) {
      String found = cannot("txn in a mix that deletes", Operation.TXN, store);
      String other = "a mix without one of the two, or ";
      all.add(missing(Operation.TXN, Part.OPERATION, store, found, other));
    }
    if (mix.attachesLeases()
        && can.can(Operation.OPTIMISTIC_CREATE)
        && !can.can(Operation.LEASE_GRANT)) {
      String found = cannot("leases of objects", Operation.LEASE_GRANT, store);
      all.add(missing(Operation.OPTIMISTIC_CREATE, Part.LEASES, store, found, "no 'leases', or "));
    }
    if (mix.objects().filter(each -> each.ephemeral() > 0).isPresent() && !can.ephemeral()) {
      String found = "ephemeral objects of " + store + ", whose keys do not end with a connection";
      all.add(missing(Operation.CREATE, Part.EPHEMERAL, store, found, "no 'ephemeral', or "));
    }
    return List.copyOf(all);
  }

  /** Returns a feature, and that another store may have it. */
  private static UnsupportedFeature missing(
      Operation operation, Part part, Store store, String found, String other) {
    return new UnsupportedFeature(operation, part, found, other + "no " + store);
  }

  private static String cannot(String what, Operation operation, Store store) {
    String reason = store.capabilities().reasons().getOrDefault(operation, "");
    String why = reason.isEmpty() ? "" : ": " + reason;
    return "%s, which %s cannot do%s".formatted(what, store, why);
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
    String found = "%s reads, which %s refuses".formatted(reads.id(), store);
    return Optional.of(missing(Operation.GET, Part.OPERATION, store, found, "'linearizable', or "));
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
    String found = "a TTL of %s s, which %s does not grant".formatted(ttlSeconds, store);
    String other =
        "from %s to %s s, or "
            .formatted(sessions.leastTtl().toSeconds(), sessions.mostTtl().toSeconds());
    return Optional.of(missing(operation, Part.TTL, store, found, other));
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
      to.add(missing(Operation.RANGE, part, store, found, "no " + key + ", or "));
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
        text -> missing(Operation.PUT, Part.OPERATION, store, text.formatted(store), ""));
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
      String found = "watchers of the past, which " + store + " cannot do: ";
      String why = WatchSupport.NO_HISTORY;
      return Optional.of(missing(Operation.GET, Part.OPERATION, store, found + why, ""));
    }
    boolean other =
        Stream.of(can.ofKey(), can.ofPrefix()).anyMatch(each -> each != WatchSupport.Delivery.NONE);
    String found =
        "watchers of %s, which %s cannot do: %s"
            .formatted(oneKey ? "one key" : "all keys", store, can.reason());
    String instead = !other ? "" : oneKey ? "no 'count: 1', or " : "keys with count: 1, or ";
    return Optional.of(missing(Operation.PUT, Part.OPERATION, store, found, instead));
  }
}
