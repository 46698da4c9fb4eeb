// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.store.ReadConsistency;
import io.quorate.store.Security;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Scenarios for tests. */
public final class Scenarios {
  private Scenarios() {}

  /**
   * Returns a scenario in plain text with a member on this machine and a cold start, after which a
   * sample of the keys is read back.
   */
  public static Scenario of(
      OperationMix mix,
      ReadConsistency consistency,
      long requests,
      long warmUp,
      KeySpace keys,
      int valueBytes,
      Duration timeout,
      StoreLoad load) {
    return new Scenario(
        new Heading("test", "Test", "", ""),
        new Requests(
            mix,
            consistency,
            requests,
            warmUp,
            true,
            keys,
            ValueSizes.fixed(valueBytes),
            7,
            timeout,
            Routing.SPREAD,
            ConnectionBinding.PINNED,
            KeysToVerify.SAMPLE),
        new ClusterSpec(1, List.of(), Security.NONE, Optional.empty()),
        List.of(load),
        new Goals(List.of(), List.of(), Optional.empty()),
        Optional.empty(),
        1);
  }
}
