// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static io.quorate.store.ConnectionContract.await;
import static io.quorate.store.ConnectionContract.started;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.ResponseHeader;
import io.grpc.Attributes;
import io.grpc.Server;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.quorate.store.Access;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ReadConsistency;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import io.quorate.store.SilentPort;
import io.quorate.store.StoreClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against gRPC's own server, where it does what etcd does rarely or not as it comes. */
final class EtcdConnectionTest {
  private static final int MEGABYTE = 1 << 20;
  private static final byte[] EMPTY_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

  private final EtcdMap etcd = new EtcdMap();
  private final List<AutoCloseable> closing = new ArrayList<>();
  private final StoreClient client = EtcdStore.STORE.clients().get(0).start();
  private Server server;

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : closing) {
      each.close();
    }
    client.close();
    if (server != null) {
      server.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void values_larger_than_the_window_of_the_server_arrive_whole_in_both_directions()
      throws IOException {
    Connection driver = open(it -> it.flowControlWindow(4096).maxInboundMessageSize(MEGABYTE));
    List<RecordedCompletion> writes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      byte[] value = value(i, 50_000 + i);
      byte[] key = key(i);
      writes.add(started(done -> driver.submit(Request.create(key, value), done)));
    }
    assertThat(writes).allMatch(write -> write.outcome().equals("written"));

    for (int i = 0; i < 20; i++) {
      byte[] key = key(i);
      RecordedCompletion read =
          started(done -> driver.submit(new Request.Get(key, ReadConsistency.LINEARIZABLE), done));
      assertThat(read.outcome()).isEqualTo("found:" + new String(value(i, 50_000 + i), UTF_8));
    }
  }

  @Test
  void never_more_calls_are_under_way_than_the_server_allows() throws IOException {
    Connection driver = open(it -> it.maxConcurrentCallsPerConnection(3));
    List<RecordedCompletion> writes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] key = key(i);
      writes.add(started(done -> driver.submit(Request.create(key, key), done)));
    }
    assertThat(writes).allMatch(write -> write.outcome().equals("written"));
    assertThat(etcd.store).hasSize(200);
    assertThat(etcd.mostUnderWay.get()).isBetween(1, 3);
  }

  @Test
  void a_server_that_ends_connections_again_and_again_loses_no_request() throws IOException {
    AtomicInteger ended = new AtomicInteger();
    Connection driver =
        open(
            it ->
                it.maxConnectionAge(1, TimeUnit.SECONDS) // the least that gRPC takes
                    .maxConnectionAgeGrace(10, TimeUnit.SECONDS)
                    .addTransportFilter(counting(ended)));
    int written = 0;
    for (int told = 0; ended.get() < 2 || written < 100; told++) {
      byte[] key = key(told);
      RecordedCompletion write = started(done -> driver.submit(Request.create(key, key), done));
      if (write.outcome().equals("written")) {
        written++;
        assertThat(etcd.store).containsKey(ByteString.copyFrom(key));
      } else {
        assertThat(write.outcome()).isEqualTo("failed:CONNECTION");
      }
      assertThat(write.timesTold()).isEqualTo(1);
    }
  }

  private static ServerTransportFilter counting(AtomicInteger ended) {
    return new ServerTransportFilter() {
      @Override
      public void transportTerminated(Attributes attributes) {
        ended.incrementAndGet();
      }
    };
  }

  @Test
  void after_an_outage_all_connections_come_back() throws Exception {
    open(it -> it);
    int port = server.getPort();
    List<Connection> drivers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      drivers.add(connect(port));
    }
    closing.addAll(drivers);
    assertThat(server.shutdownNow().awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    // without it, a reconnecting driver could get this port as its local port
    try (SilentPort outage = new SilentPort(port)) {
      for (Connection driver : drivers) {
        await("an error", () -> write(driver).equals("failed:CONNECTION"));
      }
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), outage.port());
      server = NettyServerBuilder.forAddress(address).addService(etcd).build().start();
    }

    for (Connection driver : drivers) {
      await("a write", () -> write(driver).equals("written"));
    }
  }

  private static String write(Connection driver) {
    return started(done -> driver.submit(Request.create(key(1), key(1)), done)).outcome();
  }

  @Test
  void what_the_server_says_is_decoded() throws IOException {
    Connection driver = open(it -> it);
    etcd.refusal = Status.RESOURCE_EXHAUSTED.withDescription("no space: 100% + à peu près");
    RecordedCompletion write = started(done -> driver.submit(Request.create(key(1), key(1)), done));
    assertThat(write.outcome()).isEqualTo("failed:REJECTED");
    assertThat(write.message()).isEqualTo("RESOURCE_EXHAUSTED: no space: 100% + à peu près");
  }

  @Test
  void an_answer_without_header_is_no_acknowledgement() throws IOException {
    Connection driver = open(it -> it);
    etcd.header = ResponseHeader.getDefaultInstance();
    RecordedCompletion write = started(done -> driver.submit(Request.create(key(1), key(1)), done));
    assertThat(write.outcome()).isEqualTo("failed:OTHER");
    assertThat(write.message()).isEqualTo("malformed response: no acknowledgment of a put");
    etcd.header = null;
    RecordedCompletion update =
        started(done -> driver.submit(Request.update(key(1), key(1)), done));
    assertThat(update.outcome()).isEqualTo("failed:OTHER");
    RecordedCompletion read =
        started(done -> driver.submit(new Request.Get(key(1), ReadConsistency.SERIALIZABLE), done));
    assertThat(read.outcome()).isEqualTo("failed:OTHER");
    assertThat(read.message()).isEqualTo("malformed response: no header");
    RecordedCompletion removal = started(done -> driver.submit(new Request.Delete(key(1)), done));
    assertThat(removal.outcome()).isEqualTo("failed:OTHER");
  }

  @Test
  void a_message_that_the_server_finds_too_large_is_an_error_and_the_connection_goes_on()
      throws IOException {
    Connection driver = open(it -> it.flowControlWindow(4096).maxInboundMessageSize(10_000));
    RecordedCompletion large =
        started(done -> driver.submit(Request.create(key(1), value(1, MEGABYTE)), done));
    assertThat(large.outcome()).isEqualTo("failed:REJECTED");
    RecordedCompletion small = started(done -> driver.submit(Request.create(key(2), key(2)), done));
    assertThat(small.outcome()).isEqualTo("written");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 400 Bad Request\r\n\r\n", // no frame
        "\0\0\4\1\5\0\0\0\1\377\377\377\377", // headers that are none
        "\0\0\0\1\4\0\0\0\0", // headers of no stream
        "\0\1\0\0\0\0\0\0\1cut", // the beginning of a frame
        "\0\0\4\10\0\0\0\0\0\177\377\377\377", // a window above the limit
        ""
      })
  void garbage_instead_of_an_answer_ends_the_request_and_not_the_driver(String garbage)
      throws Exception {
    try (var listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread talking = new Thread(() -> talk(listening, garbage), "garbage");
      talking.setDaemon(true);
      talking.start();
      try (Connection driver = connect(listening.getLocalPort())) {
        for (int turn = 0; turn < 3; turn++) {
          RecordedCompletion write =
              started(done -> driver.submit(Request.create(key(1), key(1)), done));
          assertThat(write.outcome()).isEqualTo("failed:CONNECTION");
          assertThat(write.timesTold()).isEqualTo(1);
        }
      }
    }
  }

  /** Greets each connection with empty SETTINGS, and answers the first request with garbage. */
  private static void talk(ServerSocket listening, String garbage) {
    byte[] request = new byte[1 << 16];
    while (!listening.isClosed()) {
      try (Socket connection = listening.accept()) {
        connection.getOutputStream().write(EMPTY_SETTINGS);
        String read = "";
        while (!read.contains("key-1")) {
          int bytes = connection.getInputStream().read(request);
          read = bytes < 0 ? "key-1" : read + new String(request, 0, bytes, ISO_8859_1);
        }
        connection.getOutputStream().write(garbage.getBytes(ISO_8859_1));
      } catch (IOException closed) {
        // by the driver or by the test; the next one, if there is one, is accepted
      }
    }
  }

  @Test
  void a_server_that_accepts_and_says_nothing_is_left_and_asked_again() throws Exception {
    try (var listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      var settings =
          new DriverSettings(
              new Endpoint("127.0.0.1", listening.getLocalPort()),
              Duration.ofSeconds(5),
              Duration.ofSeconds(5),
              Access.PLAIN);
      listening.setSoTimeout(60_000);
      var opening = CompletableFuture.supplyAsync(() -> client.open(settings));
      Connection driver;
      try (Socket first = listening.accept()) {
        first.getOutputStream().write(EMPTY_SETTINGS);
        driver = opening.get();
      }
      closing.add(driver);
      try (Socket silent = listening.accept()) {
        assertThat(silent.getInputStream().readAllBytes())
            .startsWith("PRI * HTTP/2.0".getBytes(UTF_8));
      }
      RecordedCompletion write =
          started(done -> driver.submit(Request.create(key(1), key(1)), done));
      assertThat(write.outcome()).isEqualTo("failed:CONNECTION");
      assertThat(write.message()).isEqualTo("the server does not answer in HTTP/2");
      listening.accept().close();
    }
  }

  private Connection open(UnaryOperator<NettyServerBuilder> how) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    server = how.apply(NettyServerBuilder.forAddress(address)).addService(etcd).build();
    server.start();
    Connection driver = connect(server.getPort());
    closing.add(driver);
    return driver;
  }

  private Connection connect(int port) {
    return client.open(
        new DriverSettings(
            new Endpoint("127.0.0.1", port),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Access.PLAIN));
  }

  private static byte[] key(int number) {
    return ("key-" + number).getBytes(UTF_8);
  }

  private static byte[] value(int number, int bytes) {
    return String.valueOf((char) ('a' + number)).repeat(bytes).getBytes(UTF_8);
  }
}
