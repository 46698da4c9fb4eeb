// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.network.RelayPlan.Gate;
import io.quorate.network.RelayPlan.Machine;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A relay whose hops are cut, slow or reset: between clients and one server, without delay. */
@EnabledOnOs(OS.LINUX)
class DisturbedRelayTest {
  private static final String TARGET = "127.0.4.1";
  private static final String OTHER = "127.0.4.2";
  private static final String GATE = "127.0.5.1";
  private static final String OTHER_GATE = "127.0.5.2";
  private static final int LIMIT_MILLIS = 60_000;
  private static final Hop FORTH = new Hop(0, 1);
  private static final Hop BACK = new Hop(1, 0);

  private final List<String> log = new CopyOnWriteArrayList<>();
  private ServerSocket server;
  private Relay relay;

  @BeforeEach
  void start() throws Exception {
    server = new ServerSocket();
    server.bind(new InetSocketAddress(TARGET, 0));
    server.setSoTimeout(LIMIT_MILLIS);
    int port = server.getLocalPort();
    Machine machine = new Machine("", "");
    List<Gate> gates =
        List.of(
            new Gate(GATE, port, TARGET, 1, 0, true),
            new Gate(OTHER_GATE, port, OTHER, 0, 1, true));
    relay = Relay.start(new RelayPlan(List.of(machine, machine), gates, List.of(), true), log::add);
  }

  @AfterEach
  void stop() throws IOException {
    relay.close();
    server.close();
    assertThat(log).isEmpty();
  }

  @Test
  void a_cut_holds_data_until_the_hop_is_restored() throws Exception {
    try (Socket client = connect();
        Socket accepted = accept()) {
      assertThat(exchange(client, accepted)).isEqualTo(7);
      assertThat(begin(NetworkEffect.HOLD, FORTH, BACK).connections()).isEqualTo(1);
      client.getOutputStream().write(1);
      accepted.getOutputStream().write(2);
      awaitHeldBytes(FORTH, 1);
      awaitHeldBytes(BACK, 1);
      assertThat(accepted.getInputStream().available()).isZero();
      assertThat(client.getInputStream().available()).isZero();

      restore(FORTH, BACK);
      assertThat(accepted.getInputStream().read()).isEqualTo(1);
      assertThat(client.getInputStream().read()).isEqualTo(2);
      assertThat(exchange(client, accepted)).isEqualTo(7);
    }
  }

  @Test
  void one_direction_can_be_cut_while_the_other_goes_on() throws Exception {
    try (Socket client = connect();
        Socket accepted = accept()) {
      begin(NetworkEffect.HOLD, FORTH);
      client.getOutputStream().write(1);
      awaitHeldBytes(FORTH, 1);
      assertThat(exchange(accepted, client)).isEqualTo(7);
      assertThat(accepted.getInputStream().available()).isZero();
      client.shutdownOutput();

      restore(FORTH);
      assertThat(accepted.getInputStream().readAllBytes()).containsExactly(1);
    }
  }

  @Test
  void a_connection_that_is_opened_during_a_cut_waits() throws Exception {
    begin(NetworkEffect.HOLD, BACK);
    try (Socket abandoned = connect()) {
      abandoned.getOutputStream().write(3);
      abandoned.shutdownOutput();
      assertThat(endOf(abandoned)).isTrue();
    }
    try (Socket client = connect()) {
      client.getOutputStream().write(4);
      restore(BACK);
      try (Socket accepted = accept()) {
        assertThat(accepted.getInputStream().read()).isEqualTo(4);
        assertThat(exchange(accepted, client)).isEqualTo(7);
      }
    }
  }

  @Test
  void connections_are_refused_until_the_hop_is_restored() throws Exception {
    try (Socket client = connect();
        Socket accepted = accept()) {
      assertThat(exchange(client, accepted)).isEqualTo(7);
      assertThat(begin(NetworkEffect.REFUSE, FORTH, BACK).connections()).isEqualTo(1);
      assertReset(client);
      assertReset(accepted);
      try (Socket refused = connect()) {
        assertReset(refused);
      }
    }
    restore(FORTH, BACK);
    try (Socket client = connect();
        Socket accepted = accept()) {
      assertThat(exchange(client, accepted)).isEqualTo(7);
    }
  }

  @Test
  void a_reset_affects_only_the_connections_of_that_moment() throws Exception {
    try (Socket client = connect();
        Socket accepted = accept()) {
      assertThat(exchange(client, accepted)).isEqualTo(7);
      assertThat(begin(NetworkEffect.RESET, FORTH).connections()).isEqualTo(1);
      assertReset(client);
      assertReset(accepted);
    }
    try (Socket client = connect();
        Socket accepted = accept()) {
      assertThat(exchange(client, accepted)).isEqualTo(7);
      assertThat(begin(NetworkEffect.HOLD, FORTH).connections()).isEqualTo(1);
    }
  }

  @Test
  void a_slow_hop_takes_longer_in_its_direction() throws Exception {
    try (Socket client = connect();
        Socket accepted = accept()) {
      assertThat(exchange(client, accepted)).isEqualTo(7);
      begin(NetworkEffect.DELAY, FORTH);
      long sent = System.nanoTime();
      assertThat(exchange(client, accepted)).isEqualTo(7);
      assertThat(System.nanoTime() - sent).isGreaterThanOrEqualTo(NetworkEffect.EXTRA.toNanos());
      assertThat(restore(FORTH).bytes()).isEqualTo(1);
      assertThat(exchange(client, accepted)).isEqualTo(7);
    }
  }

  @Test
  void a_closed_connection_holds_nothing_any_more() throws Exception {
    Socket client = connect();
    Socket accepted = accept();
    assertThat(exchange(client, accepted)).isEqualTo(7);
    begin(NetworkEffect.HOLD, FORTH);
    client.getOutputStream().write(new byte[100_000]);
    awaitHeldBytes(FORTH, 100_000);
    client.setSoLinger(true, 0);
    client.close();
    accepted.setSoLinger(true, 0);
    accepted.close();
    while (begin(NetworkEffect.HOLD, FORTH).connections() > 0) {
      Thread.onSpinWait();
    }
    restore(FORTH);
  }

  @Test
  void datagrams_of_a_cut_hop_are_lost() throws Exception {
    int port = server.getLocalPort();
    try (DatagramSocket one = new DatagramSocket(new InetSocketAddress(OTHER, port));
        DatagramSocket two = new DatagramSocket(new InetSocketAddress(TARGET, port))) {
      two.setSoTimeout(LIMIT_MILLIS);
      begin(NetworkEffect.HOLD, FORTH);
      one.send(new DatagramPacket(new byte[] {1, 1}, 2, new InetSocketAddress(GATE, port)));
      awaitHeldBytes(FORTH, 2);
      restore(FORTH);
      one.send(new DatagramPacket(new byte[] {9}, 1, new InetSocketAddress(GATE, port)));
      DatagramPacket received = new DatagramPacket(new byte[10], 10);
      two.receive(received);

      assertThat(received.getLength()).isEqualTo(1);
      assertThat(received.getData()[0]).isEqualTo((byte) 9);
    }
  }

  private RelayReport begin(NetworkEffect effect, Hop... hops) throws Exception {
    return relay.carryOut(new RelayOrder(1, Optional.of(effect), List.of(hops)));
  }

  private RelayReport restore(Hop... hops) throws Exception {
    return relay.carryOut(new RelayOrder(2, Optional.empty(), List.of(hops)));
  }

  /** Waits until the relay has read bytes that it holds; each repeated order counts anew. */
  private void awaitHeldBytes(Hop hop, long bytes) throws Exception {
    for (long held = 0; held < bytes; ) {
      held += begin(NetworkEffect.HOLD, hop).bytes();
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(GATE, server.getLocalPort());
    socket.setSoTimeout(LIMIT_MILLIS);
    return socket;
  }

  private Socket accept() throws IOException {
    Socket socket = server.accept();
    socket.setSoTimeout(LIMIT_MILLIS);
    return socket;
  }

  private static int exchange(Socket from, Socket to) throws IOException {
    from.getOutputStream().write(7);
    return to.getInputStream().read();
  }

  /** Returns whether the other end closes the connection, in an orderly way or not. */
  private static boolean endOf(Socket socket) {
    try {
      return socket.getInputStream().read() == -1;
    } catch (IOException reset) {
      return reset instanceof SocketException;
    }
  }

  private static void assertReset(Socket socket) {
    assertThatThrownBy(() -> socket.getInputStream().read())
        .isInstanceOf(SocketException.class)
        .hasMessage("Connection reset");
  }
}
