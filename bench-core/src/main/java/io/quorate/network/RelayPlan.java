package io.quorate.network;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The plan of a relay, which is handed to its process as JSON.
 *
 * @param machines between which it stands; they are known by their place in this list
 * @param gates where it listens
 * @param cables between machines; there is nothing between others
 */
public record RelayPlan(List<Machine> machines, List<Gate> gates, List<Cable> cables) {
  /** The source of a gate whose connections come from the machine whose process opened them. */
  public static final int BY_PROCESS = -1;

  public RelayPlan {
    machines = List.copyOf(machines);
    gates = List.copyOf(gates);
    cables = List.copyOf(cables);
  }

  /**
   * A machine, which in truth is processes of this one.
   *
   * @param directory in which its processes work; empty text if they need not be distinguished
   */
  public record Machine(String name, String directory) {}

  /**
   * A place where the relay listens.
   *
   * @param host the IPv4 address at which others reach the target
   * @param port of the gate and of the target
   * @param targetHost the IPv4 address of the target itself
   * @param target the machine
   * @param source the machine that connections come from, or {@link #BY_PROCESS}
   * @param datagrams whether it takes datagrams in addition to connections
   */
  public record Gate(
      String host, int port, String targetHost, int target, int source, boolean datagrams) {}

  /**
   * A link between two machines.
   *
   * @param zones names the link between their zones, all of whose connections share its bandwidth
   */
  public record Cable(int one, int other, String zones, Link link) {
    private boolean joins(int first, int second) {
      return one == first && other == second || one == second && other == first;
    }
  }

  /** Returns the machine, of those with a directory, with the longest round trip to another one. */
  int farthestFrom(int target) {
    return IntStream.range(0, machines.size())
        .filter(machine -> machine != target && !machines.get(machine).directory().isEmpty())
        .boxed()
        .max(Comparator.comparingLong(machine -> roundTripNanos(machine, target)))
        .orElse(target);
  }

  private long roundTripNanos(int one, int other) {
    return between(one, other).map(cable -> cable.link().roundTripNanos()).orElse(0L);
  }

  /** Returns the cable between two machines; empty if nothing is between them. */
  Optional<Cable> between(int one, int other) {
    return cables.stream().filter(cable -> cable.joins(one, other)).findFirst();
  }
}
