// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import io.quorate.format.NumberFormats;
import io.quorate.profile.TrafficProfile.Known;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.ValueSizes;
import io.quorate.scenario.WatchLoad;
import io.quorate.store.Operation;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.etcd.EtcdTraffic.Counter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Derives a scenario from counters of etcd.
 *
 * @param observed number of members that were observed
 * @param given length of keys that the user states; empty to derive it
 */
record EtcdProfile(EtcdObservation.Result traffic, int observed, OptionalInt given) {
  private static final int ASSUMED_KEY_BYTES = 64;
  private static final int MAX_KEY_BYTES = 4096;
  private static final int MAX_VALUE_BYTES = 1_000_000;
  private static final long MAX_PRELOADED = 1_000_000;
  private static final int MAX_PUTS_PER_TXN = 128;
  private static final int MAX_RANGE = 1_000_000;
  private static final int MAX_WATCHERS = 10_000;
  private static final int MAX_STREAMS = 1000;
  private static final int CONNECTIONS = 100;
  private static final int MIN_TTL = 10;
  private static final int MAX_TTL = 3600;

  /** Bytes of the message of a Range without its key: tag and length. */
  private static final int RANGE_REQUEST = 2;

  /** Bytes of the message that keeps a lease alive, or grants one. */
  private static final int LEASE_REQUEST = 10;

  /** Bytes of an answer without keys and values: mostly its header, with the ids of the cluster. */
  private static final int ANSWER = 30;

  /** Bytes of a key and a value in an answer, without them: tags, lengths and revisions. */
  private static final int ENTRY = 17;

  /** Keys that a Range returns on average, from which on it is a range and not a get. */
  private static final double LEAST_RANGE = 5;

  /** Returns the profile, with watchers if a scenario can have them with these requests. */
  TrafficProfile profile() {
    return watch()
        .map(known -> profile(Optional.of(known)))
        .filter(TrafficProfile::isAccepted)
        .orElseGet(() -> profile(Optional.empty()));
  }

  private TrafficProfile profile(Optional<Known<WatchLoad>> watch) {
    Known<Integer> keyBytes = keyBytes();
    return new TrafficProfile(
        EtcdStore.STORE,
        "Profile of etcd: %s, %s".formatted(NumberFormats.count(members(), "member"), seconds()),
        findings(keyBytes, watch.isPresent()),
        requests(),
        "measured: grpc_server_handled_total of all members",
        traffic.time(),
        traffic.time(),
        Optional.of(members()).filter(count -> count == 1 || count == 3 || count == 5),
        keys(),
        keyBytes,
        valueSizes(keyBytes),
        new Known<>(
            has(Counter.TXNS) ? KeySpace.Order.RANDOM : KeySpace.Order.UNIFORM,
            "assumed: metrics do not say which keys are used"),
        KeySpace.USUAL_HOT_SET,
        new Known<>(
            rangeKeys(),
            "derived: %s: about %s keys in an answer"
                .formatted(Counter.SENT_BYTES.metric(), NumberFormats.threeDigits(keysPerRange()))),
        new Known<>(
            putsPerTxn(),
            (traffic.growthOfOne(Counter.APPLIED_PUTS) > 0
                    ? "derived: %s without Put requests, per transaction; at least 1"
                    : "assumed: %s did not grow")
                .formatted(Counter.APPLIED_PUTS.metric())),
        new Known<>(
            Math.max(0, traffic.most(Counter.REVISION) - traffic.most(Counter.COMPACTED_REVISION)),
            (traffic.most(Counter.REVISION) > 0
                    ? "measured: %s less the compacted one"
                    : "assumed: %s is not reported")
                .formatted(Counter.REVISION.metric())),
        leases(),
        new Known<>(
            (int) Math.max(1, Math.min(CONNECTIONS, rate())),
            "assumed: metrics do not say how many clients there are"),
        watch);
  }

  /** Returns the number of members of the cluster: at least those that were observed. */
  private int members() {
    return (int) Math.max(observed, 1 + traffic.most(Counter.PEERS));
  }

  private String seconds() {
    return TrafficProfile.text(traffic.time());
  }

  private double rate() {
    return requests().values().stream().mapToLong(Long::longValue).sum()
        / (traffic.time().toNanos() / 1e9);
  }

  private boolean has(Counter counter) {
    return traffic.growth(counter) > 0;
  }

  private Map<Operation, Long> requests() {
    Map<Operation, Long> requests = new LinkedHashMap<>();
    long compactions = traffic.growth(Counter.COMPACTIONS);
    // a compaction of a scenario has a put
    long puts = traffic.growth(Counter.PUTS) - compactions;
    requests.put(Operation.PUT, puts);
    requests.put(
        keysPerRange() < LEAST_RANGE ? Operation.GET : Operation.RANGE,
        traffic.growth(Counter.RANGES));
    requests.put(Operation.TXN, traffic.growth(Counter.TXNS));
    requests.put(Operation.COMPACT, compactions);
    requests.put(Operation.LEASE_GRANT, traffic.growth(Counter.LEASE_GRANTS));
    requests.put(Operation.LEASE_KEEPALIVE, traffic.growth(Counter.LEASE_KEEPALIVES));
    requests.values().removeIf(count -> count <= 0);
    return requests;
  }

  private List<String> findings(Known<Integer> keyBytes, boolean isWatched) {
    List<String> findings = new ArrayList<>();
    findings.add(
        "Written by quorate profile etcd from the metrics of %s over %s. It contains no keys or values."
            .formatted(NumberFormats.count(observed, "member"), seconds()));
    if (observed < members()) {
      findings.add(
          "The cluster has %s; requests to the others are not included. Name all of them with --endpoints."
              .formatted(NumberFormats.count(members(), "member")));
    }
    findings.add(
        "The highest rate between two readings was %s/s."
            .formatted(NumberFormats.commas(Math.round(traffic.peakPerSecond()))));
    findings.add(
        "Not known from metrics: the distribution of value sizes (the scenario uses the mean),"
            + " which keys are hot, whether reads are linearizable, and how many clients there"
            + " are.");
    long failed = traffic.growth(Counter.FAILED);
    if (failed > 0) {
      findings.add("Failed requests are included: %s.".formatted(NumberFormats.commas(failed)));
    }
    long deletes = traffic.growth(Counter.DELETES);
    if (deletes > 0) {
      findings.add(
          "Left out: %s/s deletes, which a mix cannot have. Use operation: delete alone."
              .formatted(perSecond(deletes)));
    }
    if (has(Counter.TXNS)) {
      findings.add(
          "Transactions of a scenario only write; etcd's may also read, compare or delete.");
    }
    long watchers = traffic.sum(Counter.WATCHERS);
    if (watchers > 0 && !isWatched) {
      findings.add(
          ("Left out: %s watchers in %s streams, which received %s events/s. A scenario has"
                  + " watchers with operation: put only, and has limits for the numbers of puts and"
                  + " events.")
              .formatted(
                  NumberFormats.commas(watchers),
                  NumberFormats.commas(traffic.sum(Counter.WATCH_STREAMS)),
                  perSecond(traffic.growth(Counter.EVENTS))));
    }
    long keys = traffic.most(Counter.KEYS);
    if (keys > MAX_PRELOADED) {
      findings.add(
          "The database has %s keys; the scenario preloads %s."
              .formatted(NumberFormats.commas(keys), NumberFormats.commas(MAX_PRELOADED)));
    }
    if (storedBytes() - keyBytes.value() > MAX_VALUE_BYTES) {
      findings.add("Values are larger than the 1 MB that a scenario can have.");
    }
    return findings;
  }

  private String perSecond(long count) {
    return NumberFormats.threeDigits(count / (traffic.time().toNanos() / 1e9));
  }

  private Known<Long> keys() {
    long least = Math.max(1, Math.max(putsPerTxn(), rangeKeys()));
    return new Known<>(
        Math.max(least, Math.min(MAX_PRELOADED, traffic.most(Counter.KEYS))),
        (traffic.most(Counter.KEYS) > 0
                ? "measured: %s, at most 1,000,000"
                : "assumed: %s is 0 or not reported")
            .formatted(Counter.KEYS.metric()));
  }

  /** Returns the mean length of a written key with its value; of a read one without puts. */
  private double storedBytes() {
    if (hasPutSizes()) {
      return traffic.growthOfOne(Counter.APPLIED_PUT_BYTES)
          / (double) traffic.growthOfOne(Counter.APPLIED_PUTS);
    }
    long ranges = traffic.growth(Counter.RANGES);
    return ranges == 0
        ? ASSUMED_KEY_BYTES
        : Math.max(1, traffic.growth(Counter.SENT_BYTES) / (double) ranges - ANSWER - ENTRY);
  }

  /** Returns the number of keys in an answer to a Range, by its size; 1 if it cannot be known. */
  private double keysPerRange() {
    long ranges = traffic.growth(Counter.RANGES);
    long others = traffic.growth(Counter.PUTS) + traffic.growth(Counter.TXNS);
    if (ranges == 0 || traffic.growthOfOne(Counter.APPLIED_PUTS) == 0) {
      return 1;
    }
    double each = storedBytes() + ENTRY;
    double sent =
        traffic.growth(Counter.SENT_BYTES)
            - (double) (ranges + others) * ANSWER
            - traffic.growth(Counter.EVENTS) * each;
    return Math.max(0, sent / ranges / each);
  }

  private long rangeKeys() {
    if (keysPerRange() < LEAST_RANGE) {
      return 1;
    }
    return Math.min(MAX_RANGE, Math.round(Math.pow(10, Math.round(Math.log10(keysPerRange())))));
  }

  private int putsPerTxn() {
    long txns = traffic.growth(Counter.TXNS);
    long puts = traffic.growthOfOne(Counter.APPLIED_PUTS) - traffic.growth(Counter.PUTS);
    return txns == 0
        ? 1
        : (int) Math.max(1, Math.min(MAX_PUTS_PER_TXN, Math.round(puts / (double) txns)));
  }

  /**
   * Returns the length of keys. The messages of puts are known from the length of what they write;
   * the rest is the keys of Ranges.
   */
  private Known<Integer> keyBytes() {
    int least = String.valueOf(Math.max(1, keys().value() - 1)).length() + 1;
    if (given.isPresent()) {
      return new Known<>(Math.max(least, given.getAsInt()), "given: --key-size");
    }
    long ranges = traffic.growth(Counter.RECEIVED_RANGES);
    long puts = traffic.growth(Counter.RECEIVED_PUTS);
    boolean simple = !has(Counter.TXNS) && !has(Counter.DELETES) && ranges >= puts / 10;
    if (simple && ranges > 0) {
      double stored = storedBytes();
      double received =
          traffic.growth(Counter.RECEIVED_BYTES)
              - puts * (stored + putRequest(stored))
              - (double) LEASE_REQUEST
                  * (traffic.growth(Counter.LEASE_GRANTS)
                      + traffic.growth(Counter.LEASE_KEEPALIVES));
      long bytes = Math.round(received / ranges) - RANGE_REQUEST;
      if (bytes >= least && bytes <= Math.min(MAX_KEY_BYTES, stored)) {
        return new Known<>(
            (int) bytes,
            "derived: %s, per Range request".formatted(Counter.RECEIVED_BYTES.metric()));
      }
    }
    return new Known<>(
        (int) Math.max(least, Math.min(ASSUMED_KEY_BYTES, storedBytes() / 2)),
        "assumed: these requests do not tell it; pass --key-size");
  }

  /** Returns the bytes of the message of a put without key and value: tags and lengths. */
  private static int putRequest(double stored) {
    return stored < 128 ? 4 : stored < 16_384 ? 5 : 6;
  }

  /**
   * Returns the sizes of values: what is stored, of which only the sum is measured, less the key.
   */
  private Known<ValueSizes> valueSizes(Known<Integer> keyBytes) {
    String stored =
        hasPutSizes()
            ? Counter.APPLIED_PUT_BYTES.metric() + " per put"
            : has(Counter.RANGES) && has(Counter.SENT_BYTES)
                ? Counter.SENT_BYTES.metric() + " per Range"
                : "";
    long bytes = Math.round(storedBytes()) - keyBytes.value();
    return new Known<>(
        ValueSizes.fixed((int) Math.max(0, Math.min(MAX_VALUE_BYTES, bytes))),
        stored.isEmpty()
            ? "assumed: etcd reported no sizes"
            : "%s: %s, without the key".formatted(kind(keyBytes), stored));
  }

  /** Returns what a size without the key is: not more certain than the key. */
  private String kind(Known<Integer> keyBytes) {
    String key = keyBytes.basis().substring(0, keyBytes.basis().indexOf(':'));
    return key.equals("given") && hasPutSizes()
        ? "measured"
        : key.equals("given") ? "derived" : key;
  }

  private boolean hasPutSizes() {
    return traffic.growthOfOne(Counter.APPLIED_PUTS) > 0
        && traffic.growthOfOne(Counter.APPLIED_PUT_BYTES) > 0;
  }

  private Known<OperationMix.Leases> leases() {
    long live = traffic.most(Counter.GRANTED_LEASES) - traffic.most(Counter.REVOKED_LEASES);
    long with = traffic.most(Counter.LEASES_WITH_SECONDS);
    long ttl = with == 0 ? MIN_TTL : traffic.most(Counter.LEASE_SECONDS) / with;
    return new Known<>(
        new OperationMix.Leases(
            (int) Math.max(1, Math.min(MAX_RANGE, live)),
            (int) Math.max(MIN_TTL, Math.min(MAX_TTL, ttl))),
        with == 0
            ? "assumed: %s has no values".formatted(Counter.LEASE_SECONDS.metric())
            : "derived: %s less the revoked ones, since the start of the member; mean of %s"
                .formatted(Counter.GRANTED_LEASES.metric(), Counter.LEASE_SECONDS.metric()));
  }

  private Optional<Known<WatchLoad>> watch() {
    long watchers = traffic.sum(Counter.WATCHERS);
    boolean onlyPuts = requests().keySet().equals(Set.of(Operation.PUT));
    if (!onlyPuts || watchers < 1 || watchers > MAX_WATCHERS) {
      return Optional.empty();
    }
    long streams = Math.max(1, Math.min(traffic.sum(Counter.WATCH_STREAMS), MAX_STREAMS));
    return Optional.of(
        new Known<>(
            new WatchLoad((int) watchers, (int) Math.min(watchers, streams), 0),
            "measured: %s; these watch all keys".formatted(Counter.WATCHERS.metric())));
  }
}
