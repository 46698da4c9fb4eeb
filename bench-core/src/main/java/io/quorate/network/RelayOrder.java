// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import java.util.List;
import java.util.Optional;

/**
 * An order to a relay, which is passed to its process as JSON.
 *
 * @param number number that the report repeats
 * @param effect effect that begins; empty to restore the hops
 */
record RelayOrder(int number, Optional<NetworkEffect> effect, List<Hop> hops) {
  RelayOrder {
    hops = List.copyOf(hops);
  }
}
