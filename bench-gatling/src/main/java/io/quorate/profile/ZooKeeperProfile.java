// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import io.quorate.QuorateException;
import io.quorate.format.NumberFormats;
import io.quorate.profile.TrafficProfile.Known;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.OperationMix;
import io.quorate.store.Operation;
import io.quorate.store.zookeeper.TransactionLog.Change;
import io.quorate.store.zookeeper.TransactionLog.Kind;
import io.quorate.store.zookeeper.TransactionLog.Transaction;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Derives a scenario from transactions of ZooKeeper. Its memory is bounded, whatever the length of
 * the log. For one thread.
 */
final class ZooKeeperProfile implements Consumer<Transaction> {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** No server writes one log for this long; a wrong clock puts times further apart. */
  private static final Duration MOST_OBSERVED = Duration.ofDays(3660);

  private static final int MAX_CONNECTIONS = 1000;
  private static final int MAX_PUTS_PER_TXN = 128;
  private static final int MAX_KEY_BYTES = 4096;
  private static final long MAX_PRELOADED = 1_000_000;
  private static final int HOT_PERCENT = 20;
  private static final int MOST_PERCENT = 99;
  private static final double MILLIS_PER_SECOND = 1e3;

  private final Instant from;
  private final Instant until;
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final SizeDistribution sizes = new SizeDistribution();
  private final KeySample written = new KeySample();
  private final KeySample updated = new KeySample();
  private final KeySample sessions = new KeySample();
  private long parts;
  private long timeoutMillis;
  private long pathBytes;
  private long firstMillis = Long.MAX_VALUE;
  private long lastMillis = Long.MIN_VALUE;
  private long second = Long.MIN_VALUE;
  private long inSecond;
  private long peak;

  /** Creates an empty profile of the transactions of a time. */
  ZooKeeperProfile(Instant from, Instant until) {
    this.from = from;
    this.until = until;
  }

  @Override
  public void accept(Transaction transaction) {
    Instant time = Instant.ofEpochMilli(transaction.timeMillis());
    if (time.isBefore(from) || !time.isBefore(until)) {
      return;
    }
    firstMillis = Math.min(firstMillis, transaction.timeMillis());
    lastMillis = Math.max(lastMillis, transaction.timeMillis());
    counts.merge(transaction.kind(), 1L, Long::sum);
    if (transaction.kind() == Kind.OPEN_SESSION) {
      timeoutMillis += transaction.timeoutMillis();
      return;
    }
    if (transaction.kind() == Kind.REFUSED || transaction.kind() == Kind.CLOSE_SESSION) {
      return;
    }
    sessions.add(Long.toString(transaction.session()));
    countPeak(transaction.timeMillis() / 1000);
    transaction.changes().forEach(this::add);
    if (transaction.kind() == Kind.MULTI) {
      parts += transaction.changes().stream().filter(ZooKeeperProfile::writes).count();
    }
  }

  private static boolean writes(Change change) {
    return change.kind() == Kind.CREATE || change.kind() == Kind.SET_DATA;
  }

  private void add(Change change) {
    if (!writes(change)) {
      return;
    }
    sizes.add(change.bytes());
    written.add(change.path());
    pathBytes += Math.max(1, change.path().length() - 1);
    if (change.kind() == Kind.SET_DATA) {
      updated.add(change.path());
    }
  }

  private void countPeak(long its) {
    inSecond = its == second ? inSecond + 1 : 1;
    second = its;
    peak = Math.max(peak, inSecond);
  }

  private long count(Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /**
   * Returns the scenario.
   *
   * @param reads reads per second, which a log does not contain; empty for none
   * @throws QuorateException if there are too few writes
   */
  TrafficProfile profile(OptionalLong reads) {
    Map<Operation, Long> requests = new LinkedHashMap<>();
    requests.put(Operation.PUT, count(Kind.CREATE) + count(Kind.SET_DATA));
    requests.put(Operation.TXN, parts == 0 ? 0 : count(Kind.MULTI));
    requests.values().removeIf(count -> count == 0);
    if (requests.isEmpty() || lastMillis <= firstMillis) {
      throw new QuorateException(
          "found %s, expected creates or changes of nodes at different times. Check --from and --until."
              .formatted(requests.isEmpty() ? "no writes" : "writes at one time only"));
    }
    Instant first = Instant.ofEpochMilli(firstMillis);
    Instant last = Instant.ofEpochMilli(lastMillis);
    if (Duration.between(first, last).compareTo(MOST_OBSERVED) > 0) {
      throw new QuorateException(
          "found transactions from %s to %s, expected at most 10 years: was a clock wrong? Choose some with --from and --until."
              .formatted(first, last));
    }
    Duration observed = observed();
    reads.ifPresent(
        rate -> {
          long gets = Math.round(rate * observed.toMillis() / 1e3);
          if (gets > 0) {
            requests.put(Operation.GET, gets);
          }
        });
    boolean skewed = updated.isSkewed() && !requests.containsKey(Operation.TXN);
    int hot = Math.max(HOT_PERCENT, Math.min(MOST_PERCENT, updated.percentOfWrites(HOT_PERCENT)));
    return new TrafficProfile(
        ZooKeeperStore.STORE,
        "Profile of ZooKeeper: %s in %s"
            .formatted(
                NumberFormats.count(
                    count(Kind.CREATE) + count(Kind.SET_DATA) + count(Kind.MULTI), "write"),
                TrafficProfile.text(observed)),
        findings(reads),
        requests,
        reads.isPresent()
            ? "measured: transactions; reads as given by --reads"
            : "measured: transactions; the log has no reads",
        observed,
        observed.compareTo(LONGEST) > 0 ? LONGEST : observed,
        Optional.empty(),
        new Known<>(
            Math.max(putsPerTxn(), Math.min(MAX_PRELOADED, written.distinct())),
            (written.isSampled() ? "estimated from a sample" : "measured")
                + ": different nodes that were written, at most 1,000,000"),
        new Known<>(keyBytes(), "measured: mean length of paths"),
        new Known<>(
            sizes.sizes(),
            sizes.isExact()
                ? "measured: sizes of written data"
                : "measured: means of parts of the written data, from the smallest to the largest"),
        order(requests, skewed),
        new KeySpace.HotSet(HOT_PERCENT, hot),
        new Known<>(1L, ""),
        new Known<>(putsPerTxn(), "measured: mean number of nodes that a multi writes"),
        new Known<>(0L, ""),
        new Known<>(OperationMix.USUAL_LEASES, ""),
        new Known<>(
            (int) Math.max(1, Math.min(MAX_CONNECTIONS, sessions.distinct())),
            "measured: sessions that wrote, at most 1,000"),
        Optional.empty());
  }

  /**
   * Returns the time of the transactions: n of them at equal intervals take n intervals, not n - 1.
   */
  private Duration observed() {
    long all = counts.values().stream().mapToLong(Long::longValue).sum();
    double span = lastMillis - firstMillis;
    return Duration.ofMillis(Math.round(span * all / Math.max(1, all - 1)));
  }

  private int keyBytes() {
    int least = String.valueOf(Math.min(MAX_PRELOADED, written.distinct())).length() + 1;
    long mean = Math.round(pathBytes / (double) Math.max(1, sizes.count()));
    return (int) Math.max(least, Math.min(MAX_KEY_BYTES, mean));
  }

  private int putsPerTxn() {
    return (int)
        Math.max(
            1,
            Math.min(
                MAX_PUTS_PER_TXN, Math.round(parts / (double) Math.max(1, count(Kind.MULTI)))));
  }

  private Known<KeySpace.Order> order(Map<Operation, Long> requests, boolean skewed) {
    if (requests.containsKey(Operation.TXN)) {
      return new Known<>(KeySpace.Order.RANDOM, "chosen: with transactions, keys come one by one");
    }
    return skewed
        ? new Known<>(
            KeySpace.Order.HOTSPOT, "measured: part of the changes of the most changed fifth")
        : new Known<>(
            KeySpace.Order.UNIFORM, "measured: no nodes are changed much more often than others");
  }

  private List<String> findings(OptionalLong reads) {
    double seconds = observed().toMillis() / MILLIS_PER_SECOND;
    List<String> findings = new ArrayList<>();
    findings.add(
        "Written by quorate profile zookeeper from transactions of %s s. It contains no paths, data or ids of sessions."
            .formatted(NumberFormats.commas(Math.round(seconds))));
    findings.add(
        "Writes: %s creates, %s setData, %s deletes, %s multi; the most in one second were %s."
            .formatted(
                shown(Kind.CREATE),
                shown(Kind.SET_DATA),
                shown(Kind.DELETE),
                shown(Kind.MULTI),
                NumberFormats.commas(peak)));
    findings.add(
        "Sessions: %s opened, %s closed or expired%s."
            .formatted(
                shown(Kind.OPEN_SESSION),
                shown(Kind.CLOSE_SESSION),
                count(Kind.OPEN_SESSION) == 0
                    ? ""
                    : "; mean timeout "
                        + NumberFormats.commas(timeoutMillis / count(Kind.OPEN_SESSION))
                        + " ms"));
    if (reads.isEmpty()) {
      findings.add("A transaction log has no reads. Add them with --reads, such as --reads 900/s.");
    }
    if (count(Kind.CREATE) > 0) {
      findings.add("Creates are puts, which update keys that exist if there are fewer keys.");
    }
    if (count(Kind.DELETE) > 0) {
      findings.add(
          "Left out: %s/s deletes, which a mix cannot have. Use operation: delete alone."
              .formatted(NumberFormats.threeDigits(count(Kind.DELETE) / seconds)));
    }
    if (count(Kind.REFUSED) > 0) {
      findings.add(
          "Left out: %s requests that were refused, such as creates of nodes that existed."
              .formatted(shown(Kind.REFUSED)));
    }
    return findings;
  }

  private String shown(Kind kind) {
    return NumberFormats.commas(count(kind));
  }
}
