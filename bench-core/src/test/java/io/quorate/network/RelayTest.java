// SPDX-License-Identifier: Apache-2.0
package io.quorate.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.network.RelayPlan.Cable;
import io.quorate.network.RelayPlan.Gate;
import io.quorate.network.RelayPlan.Machine;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Connections and datagrams through a relay. */
@EnabledOnOs(OS.LINUX)
class RelayTest {
  private static final String TARGET = "127.0.4.1";
  private static final String OTHER = "127.0.4.2";
  private static final String GATE = "127.0.5.1";
  private static final String OTHER_GATE = "127.0.5.2";
  private static final int LIMIT_MILLIS = 60_000;

  private final List<String> log = new CopyOnWriteArrayList<>();
  private ServerSocket server;
  private Relay relay;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket();
    server.bind(new InetSocketAddress(TARGET, 0));
    server.setSoTimeout(LIMIT_MILLIS);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    if (relay != null) {
      relay.close();
    }
  }

  @Test
  void all_bytes_come_through_in_their_order_in_both_directions() throws Exception {
    start(Link.of(Duration.ofMillis(2)));
    byte[] there = bytes(3_000_000, 1);
    byte[] back = bytes(2_000_000, 2);
    try (Socket client = connect();
        Socket accepted = server.accept()) {
      CompletableFuture<Void> sending = sendInPieces(client, there, 3);
      CompletableFuture<Void> answering = sendInPieces(accepted, back, 4);
      CompletableFuture<byte[]> answer = CompletableFuture.supplyAsync(() -> readAll(client));

      assertThat(Arrays.equals(readAll(accepted), there)).isTrue();
      assertThat(Arrays.equals(answer.join(), back)).isTrue();
      sending.join();
      answering.join();
    }
  }

  @Test
  void all_bytes_come_through_though_the_other_end_reads_late_and_the_bandwidth_is_limited()
      throws Exception {
    start(new Link(1_000_000, 300_000, OptionalLong.of(400_000_000), Optional.empty()));
    byte[] there = bytes(20_000_000, 5);
    try (Socket client = connect();
        Socket accepted = server.accept()) {
      CompletableFuture<Void> sending = sendInPieces(client, there, 6);
      accepted.getOutputStream().write('x');
      assertThat(client.getInputStream().read()).isEqualTo('x');

      assertThat(Arrays.equals(readAll(accepted), there)).isTrue();
      sending.join();
    }
  }

  @Test
  void a_byte_takes_half_of_the_round_trip_at_least() throws Exception {
    start(Link.of(Duration.ofMillis(60)));
    try (Socket client = connect();
        Socket accepted = server.accept()) {
      client.getOutputStream().write(1);
      accepted.getInputStream().read();
      long sent = System.nanoTime();
      accepted.getOutputStream().write(1);
      client.getInputStream().read();

      assertThat(System.nanoTime() - sent).isGreaterThanOrEqualTo(30_000_000);
    }
  }

  @Test
  void one_direction_may_end_while_the_other_goes_on() throws Exception {
    start(Link.of(Duration.ofMillis(1)));
    try (Socket client = connect();
        Socket accepted = server.accept()) {
      client.getOutputStream().write("ask".getBytes(StandardCharsets.US_ASCII));
      client.shutdownOutput();
      assertThat(readAll(accepted)).asString(StandardCharsets.US_ASCII).isEqualTo("ask");
      accepted.getOutputStream().write("answer".getBytes(StandardCharsets.US_ASCII));
      accepted.shutdownOutput();
      assertThat(readAll(client)).asString(StandardCharsets.US_ASCII).isEqualTo("answer");
    }
  }

  @Test
  void a_reset_is_passed_on() throws Exception {
    start(Link.of(Duration.ofMillis(1)));
    Socket client = connect();
    try (Socket accepted = server.accept()) {
      client.getOutputStream().write(7);
      assertThat(accepted.getInputStream().read()).isEqualTo(7);
      client.setSoLinger(true, 0);
      client.close();

      assertThatThrownBy(() -> accepted.getInputStream().read())
          .isInstanceOf(SocketException.class)
          .hasMessage("Connection reset");
    }
  }

  @Test
  void a_target_that_does_not_listen_resets_the_connection() throws Exception {
    start(Link.of(Duration.ofMillis(1)));
    server.close();
    try (Socket client = connect()) {
      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(SocketException.class)
          .hasMessage("Connection reset");
    }
  }

  @Test
  void a_connection_is_lost_at_the_end_of_its_life() throws Exception {
    start(new Link(1_000_000, 0, OptionalLong.empty(), Optional.of(Duration.ofMillis(5))));
    try (Socket client = connect();
        Socket accepted = server.accept()) {
      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(SocketException.class)
          .hasMessage("Connection reset");
      assertThatThrownBy(() -> accepted.getInputStream().read())
          .isInstanceOf(SocketException.class)
          .hasMessage("Connection reset");
    }
  }

  @Test
  void the_source_of_a_connection_is_the_machine_whose_process_opened_it() throws Exception {
    String here = Path.of("/proc/self/cwd").toRealPath().toString();
    start(here, RelayPlan.BY_PROCESS, Link.of(Duration.ofMillis(60)));
    try (Socket client = connect();
        Socket accepted = server.accept()) {
      long sent = System.nanoTime();
      client.getOutputStream().write(1);
      assertThat(accepted.getInputStream().read()).isEqualTo(1);

      assertThat(System.nanoTime() - sent).isGreaterThanOrEqualTo(30_000_000);
      assertThat(log).isEmpty();
    }
  }

  @Test
  void what_a_process_sends_arrives_even_if_it_closes_the_connection_at_once() throws Exception {
    String here = Path.of("/proc/self/cwd").toRealPath().toString();
    start(here, RelayPlan.BY_PROCESS, Link.of(Duration.ofMillis(60)));
    for (int sent = 0; sent < 20; sent++) {
      long began = System.nanoTime();
      try (Socket client = connect()) {
        client.getOutputStream().write(sent);
      }
      try (Socket accepted = server.accept()) {
        accepted.setSoTimeout(LIMIT_MILLIS);
        assertThat(accepted.getInputStream().read()).isEqualTo(sent);
        assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(30_000_000);
      }
    }
    assertThat(log).isEmpty();
  }

  @Test
  void a_process_of_no_machine_is_refused() throws Exception {
    start("/nowhere", RelayPlan.BY_PROCESS, Link.of(Duration.ofMillis(1)));
    try (Socket client = connect()) {
      assertThatThrownBy(() -> client.getInputStream().read())
          .isInstanceOf(SocketException.class)
          .hasMessage("Connection reset");
      assertThat(log)
          .singleElement()
          .asString()
          .startsWith("refused a connection of a process that belongs to no member: ");
    }
  }

  @Test
  void datagrams_come_from_the_gate_of_their_sender() throws Exception {
    int port = server.getLocalPort();
    List<Gate> gates =
        List.of(
            new Gate(GATE, port, TARGET, 0, RelayPlan.BY_PROCESS, true),
            new Gate(OTHER_GATE, port, OTHER, 1, RelayPlan.BY_PROCESS, true));
    relay = Relay.start(plan("", gates, Link.of(Duration.ofMillis(1))), log::add);
    try (DatagramSocket one = new DatagramSocket(new InetSocketAddress(TARGET, port));
        DatagramSocket two = new DatagramSocket(new InetSocketAddress(OTHER, port))) {
      two.setSoTimeout(LIMIT_MILLIS);
      one.send(
          new DatagramPacket(new byte[] {1, 2, 3}, 3, new InetSocketAddress(OTHER_GATE, port)));
      DatagramPacket received = new DatagramPacket(new byte[10], 10);
      two.receive(received);

      assertThat(received.getLength()).isEqualTo(3);
      assertThat(received.getSocketAddress()).isEqualTo(new InetSocketAddress(GATE, port));
    }
  }

  @Test
  void pings_tell_the_round_trip_of_each_link() throws Exception {
    List<Cable> cables =
        List.of(
            new Cable(0, 1, "a to b", Link.of(Duration.ofMillis(1))),
            new Cable(0, 2, "a to b", Link.of(Duration.ofMillis(1))),
            new Cable(1, 2, "within b", Link.of(Duration.ofMillis(4))));
    Pings pings = new Pings(cables, server.getLocalPort());
    Machine machine = new Machine("", "");
    relay =
        Relay.start(
            new RelayPlan(List.of(machine, machine, machine), pings.gates(), cables, false),
            log::add);

    var measured = pings.measure();
    assertThat(measured).containsOnlyKeys("a to b", "within b");
    assertThat(measured.get("a to b").medianNanos()).isGreaterThan(1_000_000);
    assertThat(measured.get("within b").medianNanos()).isGreaterThan(4_000_000);
    assertThat(measured.get("within b").pings()).isBetween(1, 200);
  }

  private void start(Link link) throws Exception {
    start("", 0, link);
  }

  private void start(String directory, int source, Link link) throws Exception {
    Gate gate = new Gate(GATE, server.getLocalPort(), TARGET, 1, source, false);
    relay = Relay.start(plan(directory, List.of(gate), link), log::add);
  }

  private static RelayPlan plan(String directory, List<Gate> gates, Link link) {
    return new RelayPlan(
        List.of(new Machine("client", directory), new Machine("server", "")),
        gates,
        List.of(new Cable(0, 1, "a to b", link)),
        false);
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(GATE, server.getLocalPort());
    socket.setSoTimeout(LIMIT_MILLIS);
    return socket;
  }

  private static byte[] bytes(int count, long seed) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static CompletableFuture<Void> sendInPieces(Socket socket, byte[] bytes, long seed) {
    Random sizes = new Random(seed);
    return CompletableFuture.runAsync(
        () -> {
          try {
            for (int at = 0; at < bytes.length; ) {
              int size = Math.min(bytes.length - at, 1 + sizes.nextInt(100_000));
              socket.getOutputStream().write(bytes, at, size);
              at += size;
            }
            socket.shutdownOutput();
          } catch (IOException failure) {
            throw new AssertionError(failure);
          }
        });
  }

  private static byte[] readAll(Socket socket) {
    try {
      InputStream in = socket.getInputStream();
      return in.readAllBytes();
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }
}
