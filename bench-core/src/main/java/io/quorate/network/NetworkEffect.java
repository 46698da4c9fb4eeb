// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import io.quorate.Named;
import java.time.Duration;

/** What a relay does with the data of a {@link Hop}, until the hop is restored. */
public enum NetworkEffect implements Named {
  /**
   * Keeps data, and connections that are opened meanwhile, until the hop is restored: both ends
   * observe silence. Datagrams are lost.
   */
  HOLD,
  /** Resets all connections, and those that are opened meanwhile. Datagrams are lost. */
  REFUSE,
  /** Delivers data later by {@link #EXTRA}. */
  DELAY,
  /** Resets all connections once; later ones are not affected. */
  RESET;

  /** The additional delay of each direction. */
  public static final Duration EXTRA = Duration.ofMillis(50);

  /** Returns whether no data is delivered. */
  boolean cuts() {
    return this == HOLD || this == REFUSE;
  }

  /** Returns whether connections are reset when it begins. */
  boolean resets() {
    return this == REFUSE || this == RESET;
  }
}
