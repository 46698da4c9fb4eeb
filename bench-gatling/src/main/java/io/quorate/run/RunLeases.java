// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import io.quorate.QuorateException;
import io.quorate.RunPart;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.scenario.OperationMix;
import io.quorate.store.Operation;

/** The leases that a run has in an existing cluster: announces them, and revokes those of keys. */
final class RunLeases implements RunPart {
  private final RunContext run;
  private final OperationMix mix;
  private boolean revokes;

  RunLeases(RunContext run) {
    this.run = run;
    this.mix = run.scenario().requests().mix();
    this.revokes = mix.needsLeases() && !run.settings().servers().keepKeys();
    if (revokes) {
      run.say(
          "makes %s in the existing cluster, and revokes them afterwards"
              .formatted(NumberFormats.count(mix.leases().count(), "lease")));
    }
    if (!revokes || mix.has(Operation.LEASE_GRANT)) {
      run.say(
          "makes%s leases in the existing cluster, which expire by themselves %d s after the run"
              .formatted(revokes ? " further" : "", mix.leases().ttlSeconds()));
    }
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
          "the leases expire by themselves %d s after the run, as they cannot be revoked: %s"
              .formatted(mix.leases().ttlSeconds(), VisibleText.of(failure.getMessage())));
    }
  }
}
