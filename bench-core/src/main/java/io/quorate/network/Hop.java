// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import java.util.List;

/**
 * One direction between two machines of a {@link RelayPlan}, by their index: all connections and
 * datagrams.
 */
public record Hop(int from, int to) {
  /** The index of the clients, which are one machine. */
  public static final int CLIENTS = 0;

  /** Returns both directions between two machines. */
  public static List<Hop> both(int one, int other) {
    return List.of(new Hop(one, other), new Hop(other, one));
  }
}
