// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import io.quorate.scenario.KeySpace;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Scenario;
import io.quorate.store.Operation;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The keys of a scenario, as written in a file. */
record KeySpaceParser(
    Section section,
    Field<Integer> size,
    Field<KeySpace.Order> order,
    Field<Long> count,
    Field<Duration> ttl,
    KeySpace.HotSet hotSet) {
  private static final long MAX_KEYS = Scenario.MAX_REQUESTS;

  /** Most keys of a mix with deletes, and with a TTL: each needs 8 bytes. */
  private static final long MAX_REMOVABLE = 10_000_000;

  /** Most keys that are written beforehand by default. */
  private static final long MAX_DEFAULT_PREPARED = 1_000_000;

  private static final Set<Operation> WITH_TTL = Set.of(Operation.PUT, Operation.GET);

  static Optional<KeySpaceParser> read(Section top) {
    Section keys = top.requiredSection("keys");
    if (keys.wrong()) {
      return Optional.empty();
    }
    Field<KeySpace.Order> order =
        keys.oneOf("distribution", KeySpace.Order.values(), KeySpace.Order::id);
    return Optional.of(
        new KeySpaceParser(
            keys,
            keys.size("size"),
            order,
            keys.number("count"),
            keys.duration("ttl"),
            hotSet(keys, order)));
  }

  private static KeySpace.HotSet hotSet(Section section, Field<KeySpace.Order> order) {
    Section given = section.section("hotspot");
    Optional<KeySpace.Order> other =
        order.orDefault().filter(chosen -> chosen != KeySpace.Order.HOTSPOT);
    if (section.has("hotspot") && other.isPresent()) {
      String found = "the key 'hotspot' with distribution: " + other.get().id();
      section.report("hotspot", found, "it with distribution: hotspot only");
    }
    Field<Integer> keys = given.count("keys");
    Field<Integer> requests = given.count("requests");
    if (keys.value().isEmpty() || requests.value().isEmpty()) {
      return KeySpace.USUAL_HOT_SET;
    }
    if (requests.get() < keys.get()) {
      requests.report("at least as many as the keys, " + keys.get() + " percent");
    }
    return new KeySpace.HotSet(keys.get(), requests.get());
  }

  void check() {
    checkSize(count.value());
  }

  /** Reports keys that do not fit the requests, whose number may be unknown. */
  void check(MixSpec given, Optional<Long> requests) {
    checkOrder(given);
    checkElections(given);
    checkDeletes(given, requests);
    checkTtl(given);
    OperationMix mix = given.mix();
    if (count.value().isPresent() && mix.has(Operation.TXN) && count.get() < mix.keysPerRequest()) {
      count.report("at least " + mix.keysPerRequest() + ", as the keys of a transaction differ");
    }
    Optional<Long> all =
        count.wrong() ? Optional.empty() : count.value().or(() -> standardCount(given, requests));
    if (all.filter(n -> n > MAX_KEYS).isPresent() && requests.orElse(0L) <= MAX_KEYS) {
      String found =
          "%s keys in %s requests"
              .formatted(Messages.of(all.get()), Messages.of(requests.orElse(0L)));
      String expected = "at most " + Messages.of(MAX_KEYS) + ", or a smaller 'count' to update";
      section.report(section.node(), found, expected);
      return;
    }
    if (ttl.value().isPresent() && all.filter(n -> n > MAX_REMOVABLE).isPresent()) {
      ttl.report(
          "a TTL of %s keys".formatted(Messages.of(all.get())),
          "at most " + Messages.of(MAX_REMOVABLE) + " keys");
    }
    checkSize(all);
    given.range().check(size, count, all);
  }

  /** Reports more than one key of elections, whose leader writes one key. */
  void checkElections(MixSpec given) {
    if (given.mix().has(Operation.ELECT) && !isOne()) {
      section.report(
          count.node().orElse(section.node()),
          "keys of elections",
          "count: 1, as there is one leader");
    }
  }

  void checkByTime(MixSpec given, RunLength time) {
    OperationMix mix = given.mix();
    if (mix.removesEachKey()) {
      String found = "the key 'duration' with " + given.shown() + " by clients";
      String expected =
          "'requests', or a rate instead of clients, because each request removes a key";
      section.report(time.key(), found, expected);
    } else if (mix.isOnly(Operation.REGISTER)) {
      String found = "the key 'duration' with " + given.shown();
      section.report(time.key(), found, "'requests', as each request creates a key");
    } else if (mix.writes() && count.node().isEmpty() && takesEachKeyOnce()) {
      String found = "no key 'count' with clients that write for a duration";
      String expected =
          "how many keys are written beforehand, such as count: 100_000, as the number of requests"
              + " is not known beforehand";
      section.report(section.node(), found, expected);
    }
  }

  private boolean takesEachKeyOnce() {
    return order.effective().takesEachKeyOnce();
  }

  boolean isOne() {
    return count.is(1L);
  }

  /**
   * Reports keys whose events cannot be matched to puts. With watchers there has to be one key,
   * whose values identify the put, or each put has to create a separate key.
   *
   * @param requests number of puts; empty if unknown
   * @return whether no problem was reported, now or before
   */
  boolean checkWatched(Optional<Long> requests) {
    if (count.wrong() || order.wrong()) {
      return false;
    }
    boolean drawn = !order.effective().takesEachKeyOnce();
    boolean fewer = count.value().isPresent() && count.get() < requests.orElse(0L);
    if (!isOne() && (drawn || fewer)) {
      section.report(
          count.node().orElse(section.node()),
          count.value().map(n -> Messages.of(n) + " keys").orElse("keys that are drawn")
              + " with watchers",
          "count: 1, so that one key is watched, or no count, so that each put creates a key");
      return false;
    }
    return true;
  }

  private void checkOrder(MixSpec given) {
    if (order.value().isEmpty()) {
      return;
    }
    KeySpace.Order chosen = order.get();
    OperationMix mix = given.mix();
    String quoted = "'" + chosen.id() + "'";
    if (!chosen.takesEachKeyOnce() && mix.removesEachKey()) {
      String expected = "sequential or random, as each key is removed once";
      order.report(quoted + " with " + given.shown(), expected);
    } else if (!chosen.takesEachKeyOnce() && mix.has(Operation.TXN)) {
      String expected = "sequential or random, as the keys of a transaction differ";
      order.report(quoted + " with transactions", expected);
    } else if (!chosen.takesEachKeyOnce() && count.node().isEmpty()) {
      String expected = "how many keys there are to draw from, such as count: 100_000";
      order.report(quoted + " without the key 'count'", expected);
    }
    if (chosen == KeySpace.Order.LATEST && given.isPhased()) {
      order.report("'latest' with phases or groups", "another distribution");
    }
    if (chosen == KeySpace.Order.LATEST && !mix.writes()) {
      order.report("'latest' with requests that write nothing", "another distribution");
    }
  }

  private void checkDeletes(MixSpec given, Optional<Long> requests) {
    if (given.mix().removesSome() && count.value().filter(n -> n > MAX_REMOVABLE).isPresent()) {
      count.report("at most " + Messages.of(MAX_REMOVABLE) + " in a mix with delete");
    }
    if (!given.mix().removesEachKey() || requests.isEmpty() || count.value().isEmpty()) {
      return;
    }
    long needed = requests.get() * given.mix().keysPerRequest();
    if (count.get() < needed) {
      count.report("at least " + Messages.of(needed) + ", as each request removes a key");
    }
  }

  /** Reports a TTL with requests that a key which has ended would spoil. */
  private void checkTtl(MixSpec given) {
    Set<Operation> others = new LinkedHashSet<>(given.mix().operations());
    others.removeAll(WITH_TTL);
    if (ttl.node().isPresent() && (!others.isEmpty() || !given.mix().writes())) {
      String found = "the key 'ttl' with " + given.shown();
      boolean objects = others.contains(Operation.OPTIMISTIC_CREATE);
      String expected = objects ? "leases: {ttl: ...}" : "it with put, or a mix of put and get";
      section.report("ttl", found, expected);
    }
  }

  /** Reports a TTL next to what needs keys that stay, and stores without one. */
  void checkTtl(Section top, DatabasesParser databases) {
    for (String key : List.of(FaultsSpec.KEY, "watch")) {
      if (ttl.node().isPresent() && top.has(key)) {
        section.report("ttl", "the key 'ttl' with '" + key + "'", "one of them");
      }
    }
    if (ttl.node().isPresent()) {
      databases.checkTtl(problem -> section.report("ttl", problem.found(), problem.expected()));
    }
  }

  /** Checks the key size: keys are decimal numbers from 0, padded with zeros to their size. */
  private void checkSize(Optional<Long> all) {
    if (size.value().isPresent() && all.isPresent()) {
      String last = String.valueOf(all.get() - 1);
      if (last.length() > size.get()) {
        size.report("at least " + last.length() + ", to hold the largest of the keys, " + last);
      }
    }
  }

  /**
   * Returns the key space; only to be called after all problems were thrown.
   *
   * @param unscaled number of requests in the file; empty if unknown
   * @param scaled number of requests that are run; empty if unknown
   */
  KeySpace keySpace(MixSpec given, Optional<Long> unscaled, Optional<Long> scaled) {
    KeySpace.Order chosen = order.effective();
    boolean creates =
        canCreate(given.mix())
            && chosen.takesEachKeyOnce()
            && unscaled.isPresent()
            && count.value().orElse(Long.MAX_VALUE)
                >= unscaled.get() * given.mix().keysPerRequest();
    long all = count.value().or(() -> standardCount(given, scaled)).orElseThrow();
    return new KeySpace(size.get(), chosen, all, !creates, hotSet).ending(ttl.value());
  }

  private static Optional<Long> standardCount(MixSpec given, Optional<Long> requests) {
    OperationMix mix = given.mix();
    long leastKeys = mix.range().keys();
    if (!mix.writes() && !mix.isOnly(Operation.REGISTER)) {
      return Optional.of(Math.max(1, leastKeys));
    }
    if (requests.isEmpty()) {
      return Optional.empty();
    }
    long all = requests.get() * mix.keysPerRequest();
    return canCreate(mix) || mix.removesEachKey()
        ? Optional.of(all)
        : Optional.of(Math.max(leastKeys, Math.min(all, MAX_DEFAULT_PREPARED)));
  }

  private static boolean canCreate(OperationMix mix) {
    return mix.isOnly(Operation.PUT)
        || mix.isOnly(Operation.TXN) && mix.txnParts().isEmpty()
        || mix.isOnly(Operation.REGISTER);
  }
}
