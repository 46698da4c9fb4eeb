// SPDX-License-Identifier: Apache-2.0
package io.quorate.profile;

import io.quorate.QuorateException;
import io.quorate.cluster.MemberProtocol;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.etcd.EtcdTraffic;
import io.quorate.store.etcd.EtcdTraffic.Counter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads the counters of all members of an etcd cluster for a time, without requests for keys. For
 * one thread.
 */
record EtcdObservation(List<Endpoint> members, Access access) {
  private static final Duration ANSWER = Duration.ofSeconds(5);
  private static final int READINGS = 30;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private static final List<Counter> REQUESTS =
      List.of(
          Counter.RANGES,
          Counter.PUTS,
          Counter.DELETES,
          Counter.TXNS,
          Counter.COMPACTIONS,
          Counter.LEASE_GRANTS,
          Counter.LEASE_KEEPALIVES);

  /** The counters of all members, in their order, at about the same time. */
  private record Sweep(List<EtcdTraffic> members, long nanos) {
    double sum(Counter counter) {
      return members.stream().mapToDouble(each -> each.of(counter)).sum();
    }

    double requests() {
      return REQUESTS.stream().mapToDouble(this::sum).sum();
    }
  }

  /**
   * The traffic of a time.
   *
   * @param peakPerSecond highest rate between two readings
   */
  record Result(
      List<EtcdTraffic> before, List<EtcdTraffic> after, Duration time, double peakPerSecond) {

    /** Returns how much a counter has grown on all members together. */
    long growth(Counter counter) {
      long sum = 0;
      for (int i = 0; i < after.size(); i++) {
        sum += Math.round(after.get(i).of(counter) - before.get(i).of(counter));
      }
      return sum;
    }

    /** Returns how much a counter has grown that is the same on all members. */
    long growthOfOne(Counter counter) {
      long most = 0;
      for (int i = 0; i < after.size(); i++) {
        most = Math.max(most, Math.round(after.get(i).of(counter) - before.get(i).of(counter)));
      }
      return most;
    }

    long sum(Counter counter) {
      return Math.round(after.stream().mapToDouble(each -> each.of(counter)).sum());
    }

    long most(Counter counter) {
      return Math.round(after.stream().mapToDouble(each -> each.of(counter)).max().orElse(0));
    }
  }

  /**
   * Observes the members.
   *
   * @param progress receives a line now and then
   * @throws QuorateException if a member does not answer, or was restarted meanwhile
   */
  Result observe(Duration time, Consumer<String> progress) throws InterruptedException {
    long pause = Math.max(NANOS_PER_SECOND, time.toNanos() / READINGS);
    sweep(); // connects, and loads classes, which would make the time of a first reading imprecise
    Sweep first = sweep();
    Sweep last = first;
    double peak = 0;
    while (last.nanos() - first.nanos() < time.toNanos()) {
      long left = time.toNanos() - (System.nanoTime() - first.nanos());
      // a short rest would give an imprecise rate
      Thread.sleep(Math.max(1, (left < 2 * pause ? left : pause) / 1_000_000));
      Sweep next = sweep();
      double seconds = (next.nanos() - last.nanos()) / (double) NANOS_PER_SECOND;
      double rate = (next.requests() - last.requests()) / seconds;
      peak = Math.max(peak, rate);
      requireNoRestart(last, next);
      last = next;
      progress.accept(
          "%d of %d s: %d requests/s"
              .formatted(
                  Math.round((last.nanos() - first.nanos()) / (double) NANOS_PER_SECOND),
                  time.toSeconds(),
                  Math.round(rate)));
    }
    return new Result(
        first.members(), last.members(), Duration.ofNanos(last.nanos() - first.nanos()), peak);
  }

  private Sweep sweep() {
    List<EtcdTraffic> all = new ArrayList<>();
    long begin = System.nanoTime();
    for (Endpoint member : members) {
      try {
        all.add(EtcdTraffic.read(member, access, ANSWER));
      } catch (IOException silent) {
        String why = new MemberProtocol(EtcdStore.STORE, access).why(member, silent);
        throw new QuorateException(member + ": " + why, silent);
      }
    }
    long end = System.nanoTime();
    return new Sweep(all, begin + (end - begin) / 2);
  }

  private void requireNoRestart(Sweep first, Sweep last) {
    for (int i = 0; i < members.size(); i++) {
      for (Counter each : REQUESTS) {
        if (last.members().get(i).of(each) < first.members().get(i).of(each)) {
          throw new QuorateException(
              members.get(i) + ": restarted while it was observed. Run the command again.");
        }
      }
    }
  }
}
