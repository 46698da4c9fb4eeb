// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.format.NumberFormats;
import io.quorate.load.workload.WarmUp;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Requests;
import io.quorate.scenario.Step;
import io.quorate.store.server.ServerProtocol;
import java.time.Duration;
import java.util.Optional;

/**
 * How much the database of a store that keeps the history of keys grows at most by a load, until it
 * is compacted.
 *
 * @param bytes growth by the writes whose number is known, or assumed
 * @param bytesPerWrite growth by each write
 * @param isBounded whether the number of writes is known; false for a search, and for clients that
 *     send as much as they can for a time, which are assumed to send 1,000 requests a second
 */
record DatabaseGrowth(long bytes, long bytesPerWrite, boolean isBounded) {
  /** Bytes of etcd for each revision of a key, in addition to key and value, rounded up. */
  private static final long PER_REVISION = 100;

  private static final long ASSUMED_PER_SECOND = 1_000;

  /**
   * Returns the growth by a load, with its warm-up, and by data that a search adds; of all shards,
   * as if each had this share.
   *
   * @param search time of a search after this load; zero without one
   */
  static DatabaseGrowth of(LoadShare share, long mostKeys, long preloadedBytes, Duration search) {
    Requests requests = share.scenario().requests();
    long each = requests.bytesPerKey() + PER_REVISION;
    boolean bounded =
        search.isZero()
            && share.load().steps().stream()
                .flatMap(step -> step.parts().stream())
                .noneMatch(DatabaseGrowth::isUnlimited);
    long others =
        new WarmUp(requests, share.load()).mostRequests() + search.toSeconds() * ASSUMED_PER_SECOND;
    double written =
        requests.mix().keysWritten(others, requests.mix().shares())
            + share.load().keysWritten(requests.mix(), DatabaseGrowth::requests);
    double bytes = Math.max(written, mostKeys) * each + preloadedBytes;
    double ofShards = Math.min(Long.MAX_VALUE / 2.0, bytes * share.shard().count());
    return new DatabaseGrowth((long) ofShards, each, bounded);
  }

  private static boolean isUnlimited(Step step) {
    return step.endsByTime()
        && step.model() instanceof LoadModel.Closed closed
        && closed.limitPerSecond().isEmpty();
  }

  private static long requests(Step step) {
    return isUnlimited(step)
        ? step.duration().orElseThrow().toSeconds() * ASSUMED_PER_SECOND
        : step.requests();
  }

  String text(ServerProtocol.Space space) {
    String more =
        isBounded
            ? ""
            : " at %s requests a second, and by %s with each further write"
                .formatted(
                    NumberFormats.commas(ASSUMED_PER_SECOND),
                    NumberFormats.humanizedBytes(bytesPerWrite));
    String free =
        space.quotaBytes() == 0
            ? "it does not report its quota, so how much is free is unknown"
            : NumberFormats.humanizedBytes(space.freeBytes())
                + " are free of its quota of "
                + NumberFormats.humanizedBytes(space.quotaBytes());
    return "its database keeps the history of keys: it may grow by %s%s; %s"
        .formatted(NumberFormats.humanizedBytes(bytes), more, free);
  }

  /** Returns why the load is refused: it may take more than half of the free space. */
  Optional<String> obstacle(ServerProtocol.Space space) {
    return space.quotaBytes() == 0 || bytes <= space.freeBytes() / 2
        ? Optional.empty()
        : Optional.of(
            "the database may grow by %s, more than half of the %s that are free: compact and defragment it, send fewer requests (--scale), or permit it with --yes"
                .formatted(
                    NumberFormats.humanizedBytes(bytes),
                    NumberFormats.humanizedBytes(space.freeBytes())));
  }
}
