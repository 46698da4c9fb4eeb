// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import io.quorate.DaemonThreads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures the round trip of each link of a relay through separate gates. */
@SuppressWarnings("try") // an echo works until it is closed, and has no methods to call
public record Pings(List<RelayPlan.Cable> cables, int port) {
  /** The address that sends bytes back; the gates are at the addresses after it. */
  public static final String HOST = "127.0.3.1";

  private static final String NETWORK = "127.0.3.";
  private static final int FIRST = 2;
  private static final int MOST = 200;
  private static final Duration LIMIT = Duration.ofSeconds(1);

  /** Plans gates at a port, one for each link between zones. */
  public Pings {
    Map<String, RelayPlan.Cable> links = new LinkedHashMap<>();
    cables.forEach(cable -> links.putIfAbsent(cable.zones(), cable));
    cables = List.copyOf(links.values());
  }

  public List<RelayPlan.Gate> gates() {
    List<RelayPlan.Gate> gates = new ArrayList<>();
    for (RelayPlan.Cable cable : cables) {
      String host = NETWORK + (FIRST + gates.size());
      gates.add(new RelayPlan.Gate(host, port, HOST, cable.other(), cable.one(), false));
    }
    return gates;
  }

  /**
   * Measures the round trip of each link within about a second, one after the other.
   *
   * @return the round trips by the zones of the link
   * @throws IOException if the relay does not carry them
   */
  public Map<String, RoundTrip> measure() throws IOException {
    Map<String, RoundTrip> measured = new LinkedHashMap<>();
    try (Echo echo = Echo.start(new InetSocketAddress(HOST, port))) {
      for (int link = 0; link < cables.size(); link++) {
        InetSocketAddress gate = new InetSocketAddress(NETWORK + (FIRST + link), port);
        measured.put(cables.get(link).zones(), RoundTrip.measure(gate, MOST, LIMIT));
      }
    }
    return measured;
  }

  /** Sends back every byte that it gets, in separate threads. */
  private record Echo(ServerSocket socket) implements AutoCloseable {
    static Echo start(InetSocketAddress address) throws IOException {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(address);
      Echo echo = new Echo(socket);
      DaemonThreads.start("echo", echo::accept);
      return echo;
    }

    private void accept() {
      while (!socket.isClosed()) {
        try {
          Socket connection = socket.accept();
          DaemonThreads.start("echo", () -> answer(connection));
        } catch (IOException closed) {
          return;
        }
      }
    }

    private static void answer(Socket connection) {
      try (connection) {
        connection.setTcpNoDelay(true);
        connection.getInputStream().transferTo(connection.getOutputStream());
      } catch (IOException ended) {
        return;
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
