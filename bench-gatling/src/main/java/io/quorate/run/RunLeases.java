// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.QuorateException;
import io.quorate.RunPart;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.load.workload.Leases;
import io.quorate.scenario.OperationMix;
import io.quorate.store.Capabilities;
import io.quorate.store.Operation;
import java.time.Duration;
import java.util.Optional;

/** The leases that a run has in an existing cluster: announces them, and revokes those of keys. */
final class RunLeases implements RunPart {
  private final RunContext run;
  private final OperationMix mix;
  private final Optional<Duration> ttl;
  private boolean revokes;

  RunLeases(RunContext run) {
    this.run = run;
    this.mix = run.scenario().requests().mix();
    this.ttl = ttlOfKeys(run);
    boolean mayStay = run.settings().servers().keepKeys();
    boolean ofServer = run.database().capabilities().can(Operation.LEASE_KEEPALIVE);
    this.revokes = (mix.usesLeases() && ofServer || ttl.isPresent()) && !mayStay;
    if (ttl.isPresent()) {
      run.say(
          "attaches keys to leases or sessions in the existing cluster, "
              + (revokes ? "and ends them afterwards" : "with which they end by themselves"));
      return;
    }
    if (revokes && mix.needsLeases()) {
      run.say(
          "makes %s in the existing cluster, and revokes them afterwards"
              .formatted(NumberFormats.count(mix.leases().count(), "lease")));
    }
    if (!revokes) {
      run.say(
          "makes leases in the existing cluster, which expire by themselves %d s after the run"
              .formatted(mix.leases().ttlSeconds()));
    } else if (mix.has(Operation.LEASE_GRANT)) {
      run.say(
          "is granted leases by the existing cluster, and revokes the last %s of them afterwards"
              .formatted(NumberFormats.commas(Leases.MOST_REVOKED)));
    }
  }

  /** Returns whether requests have leases in an existing cluster. */
  static boolean areUsedBy(RunContext run) {
    return run.settings().usesExistingCluster()
        && (run.scenario().requests().mix().usesLeases() || ttlOfKeys(run).isPresent());
  }

  private static Optional<Duration> ttlOfKeys(RunContext run) {
    return run.scenario()
        .requests()
        .keys()
        .ttl()
        .filter(any -> run.database().capabilities().expiry() == Capabilities.Expiry.LEASE);
  }

  /** Revokes the leases that keys of the load may have. */
  @Override
  public synchronized void close() {
    if (!revokes) {
      return;
    }
    revokes = false;
    try {
      run.load().revokeLeases(RunPrefix.LAST_REQUESTS_LIMIT);
    } catch (QuorateException failure) {
      run.say(
          "the leases or sessions end by themselves some time after their TTL of %d s, as they cannot be revoked: %s"
              .formatted(
                  ttl.map(Duration::toSeconds).orElse((long) mix.leases().ttlSeconds()),
                  VisibleText.of(failure.getMessage())));
    }
  }
}
