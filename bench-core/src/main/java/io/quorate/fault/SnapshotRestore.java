// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.QuorateException;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberControl;
import io.quorate.cluster.MemberControl.RestoredServer;
import io.quorate.format.NumberFormats;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Restores a snapshot of the leader into a new cluster of one server, and ends it. Nothing of it is
 * left after {@link #run}. For one thread.
 */
final class SnapshotRestore {
  private static final Duration POLL = Duration.ofMillis(20);

  /** Number of keys of sessions, locks and watches next to the load, which come and go. */
  private static final long OTHERS = 64;

  /** The part of the keys by which a load that removes keys may change their number meanwhile. */
  private static final double CHANGING = 0.01;

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final MemberControl control;
  private final StopSignal stop;
  private final Runnable begins;
  private OptionalLong servingNanos = OptionalLong.empty();

  /**
   * @param begins runs when the snapshot was saved, just before it is restored
   */
  SnapshotRestore(MemberControl control, StopSignal stop, Runnable begins) {
    this.control = control;
    this.stop = stop;
    this.begins = begins;
  }

  /** Returns when the restored server served all keys; empty if it never did. */
  OptionalLong servingNanos() {
    return servingNanos;
  }

  /**
   * Saves a snapshot and restores it.
   *
   * @param limit time limit for each of both
   * @return what was observed, in words
   * @throws QuorateException if one of them fails, or if keys are missing
   */
  String run(Member leader, Duration limit) {
    try (RestoredServer server = control.restored(leader)) {
      long keysBefore = server.keys(true, limit);
      long savingNanos = System.nanoTime();
      long bytes = server.save(limit);
      long savedNanos = System.nanoTime();
      long keysAfter = server.keys(true, limit);
      begins.run();
      long startNanos = System.nanoTime();
      server.start();
      stop.await(
          () -> server.end().isPresent() || server.isServing(), startNanos + limit.toNanos(), POLL);
      server
          .end()
          .ifPresent(
              why -> {
                throw new QuorateException(server.name() + " ended: " + why);
              });
      if (stop.isStopped()) {
        throw new QuorateException("the run ended before " + server.name() + " served");
      }
      if (!server.isServing()) {
        throw new QuorateException(server.name() + " did not serve in time");
      }
      server.load(limit);
      long keys = server.keys(false, limit);
      servingNanos = OptionalLong.of(System.nanoTime());
      String text =
          "%s: snapshot of %s saved in %s, %s keys served after %s"
              .formatted(
                  server.name(),
                  NumberFormats.humanizedBytes(bytes),
                  seconds(savedNanos - savingNanos),
                  NumberFormats.commas(keys),
                  seconds(servingNanos.getAsLong() - startNanos));
      long most = Math.max(keysBefore, keysAfter);
      long slack = OTHERS + (long) (CHANGING * most);
      if (keys < Math.min(keysBefore, keysAfter) - slack || keys > most + slack) {
        servingNanos = OptionalLong.empty();
        throw new QuorateException(
            "%s, of %s keys of %s when it was saved"
                .formatted(text, NumberFormats.commas(keysAfter), leader.name()));
      }
      return text;
    }
  }

  private static String seconds(long nanos) {
    return NumberFormats.fixed(nanos / NANOS_PER_SECOND, 2) + " s";
  }
}
