// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.QuorateException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Chooses the ports of servers. */
public interface Ports {
  /** Distance between the first ports of members that have a base port. */
  int STRIDE = 10;

  /** Address where the members of a local cluster listen. */
  String LOOPBACK = "127.0.0.1";

  /** Returns ports that nothing listens on now, for each of the members. */
  List<List<Integer>> choose(int members, int perMember);

  /** Returns whether another choice may succeed after a port was found to be taken. */
  default boolean canChooseAgain() {
    return true;
  }

  /**
   * Returns a source of free ports of an address of this machine, drawn at random. They are below
   * the ports of outgoing connections (Linux: from 32768). Otherwise an outgoing connection could
   * take the port of a server between this choice and the start.
   */
  static Ports free(String host, RandomGenerator random) {
    return new Ports() {
      private static final int FIRST = 15_000;
      private static final int LAST = 30_000;
      private static final int TRIES = 2_000;

      @Override
      public List<List<Integer>> choose(int members, int perMember) {
        List<List<Integer>> chosen = new ArrayList<>();
        List<Integer> current = new ArrayList<>();
        List<Integer> all = new ArrayList<>();
        for (int tries = 0; chosen.size() < members; tries++) {
          if (tries == TRIES) {
            throw new QuorateException(
                "found no free ports on " + host + " between " + FIRST + " and " + LAST);
          }
          int port = random.nextInt(FIRST, LAST);
          if (!all.contains(port) && isFree(host, port)) {
            all.add(port);
            current.add(port);
          }
          if (current.size() == perMember) {
            chosen.add(List.copyOf(current));
            current.clear();
          }
        }
        return chosen;
      }
    };
  }

  /**
   * Returns a source of ports of 127.0.0.1 from a base port on. The first member's clients use the
   * base port, the clients of each further member a port higher by {@value #STRIDE}. A member's
   * further ports follow its first one.
   */
  static Ports from(int base) {
    return new Ports() {
      @Override
      public List<List<Integer>> choose(int members, int perMember) {
        return IntStream.range(0, members)
            .map(member -> base + member * STRIDE)
            .mapToObj(first -> IntStream.range(first, first + perMember))
            .map(ports -> ports.map(this::checked).boxed().toList())
            .toList();
      }

      private int checked(int port) {
        if (port > 65_535) {
          throw new QuorateException(
              "base port " + base + " is too high: port " + port + " would be needed");
        }
        if (!isFree(LOOPBACK, port)) {
          throw new QuorateException(
              ("port %s of 127.0.0.1 is taken: stop what listens there or choose another base port"
                      + " than %s")
                  .formatted(port, base));
        }
        return port;
      }

      @Override
      public boolean canChooseAgain() {
        return false;
      }
    };
  }

  /** Returns whether nothing listens on this port of an address of this machine now. */
  static boolean isFree(String host, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(host, port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
