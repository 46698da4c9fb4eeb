// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.format.NumberFormats;
import io.quorate.results.manifest.StoreInfo;
import io.quorate.scenario.FaultPlan;
import java.util.Optional;

/**
 * How much later than its TTL an abandoned session is expected to end, from the settings of the
 * servers. The sources are etcd's {@code lessor.go} (it looks every 500 ms; a new leader grants all
 * leases their TTL and one election timeout again), ZooKeeper's {@code ExpiryQueue} (the end is
 * rounded up to a tick, and followers report keep-alives to the leader every half tick; a new
 * leader starts all timeouts again), and Consul's {@code session_ttl.go} (twice the TTL; a new
 * leader starts it again).
 *
 * @param leastMs shortest time
 * @param mostMs longest time
 */
public record ExpectedOvershoot(double leastMs, double mostMs) {
  private static final double SETTLING_MS = 500;
  private static final double SCAN_OF_ETCD_MS = 500;
  private static final double KEEP_ALIVES_OF_TTL = 3;
  private static final double MS_PER_SECOND = 1000;

  /** Returns what is expected of a fault; empty if it depends on more than the settings. */
  public static Optional<ExpectedOvershoot> of(StoreInfo store, FaultPlan.Kind kind, double ttlMs) {
    return switch (kind.fault()) {
      case KILL_LEADER, PAUSE_LEADER, TRANSFER_LEADER ->
          ExpectedOutage.of(store, kind).flatMap(outage -> of(store, ttlMs, outage));
      case KILL_FOLLOWER, PAUSE_FOLLOWER, LAG_FOLLOWER -> of(store, ttlMs);
      default -> Optional.empty();
    };
  }

  /** Returns what is expected with a new leader: the old one may have ended sessions before. */
  private static Optional<ExpectedOvershoot> of(
      StoreInfo store, double ttlMs, ExpectedOutage outage) {
    double again = store.baseId().equals("etcd") ? TimeoutSetting.ELECTION_TIMEOUT.of(store) : 0;
    return of(store, ttlMs)
        .map(
            usual ->
                new ExpectedOvershoot(
                    usual.leastMs,
                    usual.mostMs + outage.mostMs() + ttlMs / KEEP_ALIVES_OF_TTL + again));
  }

  /** Returns what is expected while no member fails; empty for an unknown store. */
  public static Optional<ExpectedOvershoot> of(StoreInfo store, double ttlMs) {
    return switch (store.baseId()) {
      case "etcd" -> Optional.of(new ExpectedOvershoot(0, SCAN_OF_ETCD_MS + SETTLING_MS));
      case "zookeeper" ->
          Optional.of(
              new ExpectedOvershoot(0, 1.5 * TimeoutSetting.TICK_TIME.of(store) + SETTLING_MS));
      case "consul" -> Optional.of(new ExpectedOvershoot(0, ttlMs + SETTLING_MS));
      default -> Optional.empty();
    };
  }

  /** Returns the range in words: {@code 0.0 to 1.0 s}. */
  public String text() {
    return "%s to %s s"
        .formatted(
            NumberFormats.fixed(leastMs / MS_PER_SECOND, 1),
            NumberFormats.fixed(mostMs / MS_PER_SECOND, 1));
  }
}
