// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The plan of a relay, which is passed to its process as JSON.
 *
 * @param machines machines whose links it simulates, identified by their index in this list
 * @param gates addresses where it listens
 * @param cables links between machines; other machines have no delay between them
 * @param takesOrders whether it carries out the orders of a {@link RelayControl}
 */
public record RelayPlan(
    List<Machine> machines, List<Gate> gates, List<Cable> cables, boolean takesOrders) {
  /**
   * Source of a gate that determines the machine of each connection by the process that opened it.
   */
  public static final int BY_PROCESS = -1;

  public RelayPlan {
    machines = List.copyOf(machines);
    gates = List.copyOf(gates);
    cables = List.copyOf(cables);
  }

  /**
   * A simulated machine, which consists of processes of this machine.
   *
   * @param directory working directory of its processes; an empty text if they need not be
   *     distinguished
   */
  public record Machine(String name, String directory) {}

  /**
   * An address where the relay listens.
   *
   * @param host the IPv4 address at which others reach the target
   * @param targetHost the IPv4 address of the target itself
   * @param port port of the gate and of the target
   * @param target the machine
   * @param source machine that connections come from, or {@link #BY_PROCESS}
   * @param datagrams whether it takes datagrams in addition to connections
   */
  public record Gate(
      String host, int port, String targetHost, int target, int source, boolean datagrams) {}

  /**
   * A link between two machines.
   *
   * @param zones name of the link between their zones; all its connections share its bandwidth
   */
  public record Cable(int one, int other, String zones, Link link) {
    private boolean joins(int first, int second) {
      return one == first && other == second || one == second && other == first;
    }
  }

  /**
   * Returns the machine with the longest round trip to another one, of those that have a directory
   * and are allowed; empty if there is none.
   */
  Optional<Integer> farthestFrom(int target, IntPredicate allowed) {
    return IntStream.range(0, machines.size())
        .filter(machine -> machine != target && !machines.get(machine).directory().isEmpty())
        .filter(allowed)
        .boxed()
        .max(Comparator.comparingLong(machine -> roundTripNanos(machine, target)));
  }

  private long roundTripNanos(int one, int other) {
    return between(one, other).map(cable -> cable.link().roundTripNanos()).orElse(0L);
  }

  /** Returns the cable between two machines; empty if there is none. */
  Optional<Cable> between(int one, int other) {
    return cables.stream().filter(cable -> cable.joins(one, other)).findFirst();
  }
}
