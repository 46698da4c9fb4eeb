package io.quorate.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.quorate.QuorateException;
import io.quorate.agent.wire.Address;
import io.quorate.agent.wire.AgentGrpc;
import io.quorate.agent.wire.Plan;
import io.quorate.agent.wire.Reply;
import io.quorate.agent.wire.Request;
import io.quorate.agent.wire.Slice;
import io.quorate.agent.wire.Start;
import io.quorate.agent.wire.Store;
import io.quorate.agent.wire.Welcome;
import io.quorate.cluster.Await;
import io.quorate.driver.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever is refused is told why, and the agent goes on. */
class AgentSecurityTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String HOST = "127.0.0.1";

  @TempDir static Path sets;
  private static Path ours;
  private static Path others;
  private static Path expired;

  @TempDir Path directory;
  private final Queue<String> console = new ConcurrentLinkedQueue<>();
  private AgentServer agent;

  @BeforeAll
  static void makeKeys() throws IOException {
    ours = keys("ours", Instant.now());
    others = keys("others", Instant.now());
    expired = keys("expired", Instant.now().minus(Duration.ofDays(10)));
    // so that ours knows who made the expired ones
    Files.writeString(
        ours.resolve("agents/127.0.0.1/ca.crt"),
        Files.readString(ours.resolve("client/ca.crt"))
            + Files.readString(expired.resolve("client/ca.crt")));
  }

  private static Path keys(String name, Instant now) {
    KeyMaker.make(sets.resolve(name), List.of(HOST), now, Duration.ofDays(9));
    return sets.resolve(name);
  }

  @BeforeEach
  void start() {
    agent =
        start(
            Optional.of(new KeyDirectory(ours.resolve("agents/127.0.0.1"))),
            Protocol.SILENCE_LIMIT);
  }

  private AgentServer start(Optional<KeyDirectory> keys, Duration silenceLimit) {
    Path data = directory.resolve("agent-" + keys.isPresent() + silenceLimit.toMillis());
    return TestAgents.start(HOST, data, keys, Clock.systemUTC(), silenceLimit, console);
  }

  @AfterEach
  void stop() {
    agent.close();
  }

  private static Optional<KeyDirectory> client() {
    return Optional.of(new KeyDirectory(ours.resolve("client")));
  }

  private static AgentConnection open(AgentServer agent, Optional<KeyDirectory> keys) {
    return AgentConnection.open(
        agent.address(), keys, Clock.systemUTC(), RawClient.hello().build());
  }

  private void assertServes() {
    assertServes(agent, client());
  }

  /** Holds it, and has a member planned. */
  private static void assertServes(AgentServer agent, Optional<KeyDirectory> keys) {
    try (AgentConnection connection = open(agent, keys)) {
      Reply reply =
          connection.await(
              connection.ask(Request.newBuilder().setPlan(plan(Store.STORE_ZOOKEEPER)).build()),
              SOON,
              "does not plan");
      assertThat(reply.getPlanned().getAddress().getPortsList()).hasSize(3);
    }
  }

  private static Plan plan(Store store) {
    return Plan.newBuilder().setStore(store).setIndex(1).setMembers(1).build();
  }

  private static SslContext tls(Path trusted, Optional<Path> own, String name) throws IOException {
    SslContextBuilder builder =
        SslContextBuilder.forClient().trustManager(trusted.resolve("ca.crt").toFile());
    own.ifPresent(
        keys ->
            builder.keyManager(
                keys.resolve(name + ".crt").toFile(), keys.resolve(name + ".key").toFile()));
    return GrpcSslContexts.configure(builder, SslProvider.JDK).build();
  }

  private String refusal(Optional<SslContext> tls) throws Exception {
    try (RawClient client = new RawClient(agent.address(), tls)) {
      client.send(Request.newBuilder().setHello(RawClient.hello()));
      return client.problem();
    }
  }

  private RawClient trusted() throws IOException {
    return new RawClient(
        agent.address(),
        Optional.of(tls(ours.resolve("client"), Optional.of(ours.resolve("client")), "client")));
  }

  private RawClient holding() throws IOException, InterruptedException {
    RawClient client = trusted();
    client.send(Request.newBuilder().setHello(RawClient.hello()));
    assertThat(client.next().hasWelcome()).isTrue();
    return client;
  }

  @Test
  void nobody_comes_in_without_a_certificate() throws Exception {
    assertThat(refusal(Optional.of(tls(ours.resolve("client"), Optional.empty(), ""))))
        .isEqualTo(
            "agent %s: the agent does not accept our certificate, or we have none: both need keys of the same"
                    .formatted(agent.address())
                + " ./quorate agent keys, one agents/127.0.0.1, the other client");
    assertServes();
  }

  @Test
  void a_certificate_that_somebody_else_made_is_refused() throws Exception {
    assertThat(
            refusal(
                Optional.of(
                    tls(ours.resolve("client"), Optional.of(others.resolve("client")), "client"))))
        .contains("the agent does not accept our certificate, as it was made by somebody else, has")
        .contains("both need keys of the same ./quorate agent keys");
    assertServes();
  }

  @Test
  void an_agent_whose_certificate_somebody_else_made_is_not_talked_to() {
    assertThatThrownBy(() -> open(agent, Optional.of(new KeyDirectory(others.resolve("client")))))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("its certificate was made by somebody we do not know");
    assertServes();
  }

  @Test
  void an_expired_certificate_is_refused_by_the_agent() throws Exception {
    assertThat(
            refusal(
                Optional.of(
                    tls(ours.resolve("client"), Optional.of(expired.resolve("client")), "client"))))
        .contains(
            "the agent does not accept our certificate, as it was made by somebody else, has expired,");
    assertServes();
  }

  @Test
  void expired_keys_are_not_even_used() {
    assertThatThrownBy(() -> new KeyDirectory(expired.resolve("client")).forLoadGenerator())
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            expired.resolve("client/client.crt")
                + " has expired: make new ones with ./quorate agent keys");
    KeyDirectory keys = new KeyDirectory(expired.resolve("agents/127.0.0.1"));
    assertThatThrownBy(() -> start(Optional.of(keys), Duration.ofSeconds(1)))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("agent.crt has expired");
  }

  @Test
  void the_keys_of_an_agent_do_not_let_anybody_into_another_one() throws Exception {
    assertThat(
            refusal(
                Optional.of(
                    tls(
                        ours.resolve("client"),
                        Optional.of(ours.resolve("agents/127.0.0.1")),
                        "agent"))))
        .contains("the agent does not accept our certificate");
    assertServes();
  }

  @Test
  void an_agent_with_the_certificate_of_another_host_is_not_talked_to() {
    KeyDirectory keys = new KeyDirectory(ours.resolve("agents/127.0.0.1"));
    try (AgentServer elsewhere =
        TestAgents.start("127.0.0.2", directory.resolve("2"), Optional.of(keys))) {
      assertThatThrownBy(() -> open(elsewhere, client()))
          .isInstanceOf(QuorateException.class)
          .hasMessageContaining("its certificate is not for 127.0.0.2: make keys with that host");
    }
  }

  @Test
  void who_does_not_encrypt_is_refused() {
    assertThatThrownBy(() -> open(agent, Optional.empty()))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "agent %s: it ended the connection: one with keys lets nobody in without, so name the keys"
                    .formatted(agent.address())
                + " of the load generator (--agent-keys DIR/client or -Dagent.keys=DIR/client)");
    assertServes();
  }

  @Test
  void who_encrypts_is_told_of_an_agent_that_does_not() {
    try (AgentServer open = start(Optional.empty(), Protocol.SILENCE_LIMIT)) {
      assertThatThrownBy(() -> open(open, client()))
          .isInstanceOf(QuorateException.class)
          .hasMessageContaining("it has no keys: start it with --keys, or leave out the keys");
      assertServes(open, Optional.empty());
    }
  }

  @Test
  void without_keys_only_this_machine_is_listened_to() {
    assertThatThrownBy(() -> TestAgents.start("0.0.0.0", directory.resolve("a"), Optional.empty()))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith("0.0.0.0 can be reached from other machines, and without keys")
        .hasMessageContaining("./quorate agent keys --directory DIR --hosts 0.0.0.0");
    assertThat(directory.resolve("a")).doesNotExist();
  }

  @Test
  void a_private_key_that_others_may_read_is_not_used() throws IOException {
    Path keys = keys("open", Instant.now()).resolve("client");
    Files.setPosixFilePermissions(
        keys.resolve("client.key"), PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> new KeyDirectory(keys).forLoadGenerator())
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("client.key is a private key, but others may read or write it");
  }

  @ParameterizedTest
  @CsvSource({
    "100000, found a message of 100025 bytes",
    "2000000, it takes no message as large as ours"
  })
  void an_oversized_message_is_refused(int characters, String why) throws Exception {
    try (RawClient client = holding()) {
      client.send(Request.newBuilder().setHello(RawClient.hello().setRun("a".repeat(characters))));
      assertThat(client.problem()).contains(why);
    }
    Await.until(
        "it is free again",
        SOON,
        () -> console.stream().anyMatch(line -> line.startsWith("free again")));
    assertServes();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../up",
        "..",
        "/etc",
        "a/b",
        "a\\b",
        "a\nb",
        "",
        ".hidden",
        "a\u202Eb",
        "a\u0000"
      })
  void a_run_whose_name_is_a_path_or_worse_is_refused(String run) throws Exception {
    try (RawClient client = trusted()) {
      client.send(Request.newBuilder().setHello(RawClient.hello().setRun(run)));
      assertThat(client.problem())
          .contains("expected a name of letters, digits, '.', '_' and '-' that is no path");
    }
    try (Stream<Path> all = Files.walk(directory)) {
      assertThat(all.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder(
              directory.getFileName().toString(), "agent-true15000", "agent.lock", "runs");
    }
    Await.until("it is free again", SOON, this::isFree);
    assertServes();
  }

  private boolean isFree() {
    try (RawClient client = trusted()) {
      client.send(Request.newBuilder().setHello(RawClient.hello()));
      return client.next().hasWelcome();
    } catch (IOException | InterruptedException | AssertionError held) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 99, -1})
  void an_unknown_database_is_refused(int store) throws Exception {
    try (RawClient client = holding()) {
      client.send(
          Request.newBuilder()
              .setPlan(Plan.newBuilder().setStoreValue(store).setIndex(1).setMembers(1)));
      assertThat(client.next().getFailed().getReason())
          .isEqualTo("found the database " + store + ", which this agent does not know");
      client.send(Request.newBuilder().setPlan(plan(Store.STORE_ZOOKEEPER)));
      assertThat(client.next().hasPlanned()).isTrue();
    }
  }

  @Test
  void addresses_of_members_cannot_smuggle_in_settings() throws Exception {
    try (RawClient client = holding()) {
      client.send(Request.newBuilder().setPlan(plan(Store.STORE_ZOOKEEPER)));
      assertThat(client.next().hasPlanned()).isTrue();
      client.send(
          Request.newBuilder()
              .setStart(
                  Start.newBuilder()
                      .addMembers(
                          Address.newBuilder()
                              .setHost("127.0.0.1\nadmin.enableServer=true")
                              .addPorts(1))));
      assertThat(client.next().getFailed().getReason())
          .isEqualTo(
              "found the host 127.0.0.1\\u000aadmin.enableServer=true, expected an IPv4 address");
    }
    assertServes();
  }

  @Test
  void a_second_load_generator_is_told_who_holds_the_agent() throws Exception {
    try (RawClient first = holding()) {
      assertThatThrownBy(() -> open(agent, client()))
          .isInstanceOf(QuorateException.class)
          .hasMessageMatching(
              "agent 127\\.0\\.0\\.1:\\d+: load generator a test \\(127\\.0\\.0\\.1\\) for the run"
                  + " run-1 holds the agent since 20\\S+Z: wait until it has ended, or use other"
                  + " agents");
      first.send(Request.newBuilder().setPlan(plan(Store.STORE_ZOOKEEPER)));
      assertThat(first.next().hasPlanned()).isTrue();
    }
    Await.until("it is free again", SOON, this::isFree);
    assertServes();
  }

  @Test
  void another_version_of_the_protocol_is_refused_with_both_versions() throws Exception {
    try (RawClient client = trusted()) {
      client.send(
          Request.newBuilder()
              .setHello(RawClient.hello().setProtocol(7).setSuite("9.9.9\u001b[2J")));
      assertThat(client.problem())
          .contains(
              "the load generator is Quorate 9.9.9\\x1b[2J with protocol 7, the agent is Quorate ")
          .contains(" with protocol 1: run the same version on both");
    }
    assertServes();
  }

  @Test
  void who_does_not_say_hello_first_is_refused() throws Exception {
    try (RawClient client = trusted()) {
      client.send(Request.newBuilder().setPlan(plan(Store.STORE_ZOOKEEPER)));
      assertThat(client.problem()).contains("found no Hello as the first message");
    }
    assertServes();
  }

  @Test
  void who_says_nothing_for_too_long_loses_the_agent() throws Exception {
    try (AgentServer impatient = start(Optional.empty(), Duration.ofMillis(800))) {
      try (RawClient client = new RawClient(impatient.address(), Optional.empty())) {
        client.send(Request.newBuilder().setHello(RawClient.hello()));
        assertThat(client.next().hasWelcome()).isTrue();
        assertThat(client.problem())
            .contains(
                "nothing was heard of the load generator for 0.8 s, so its member was stopped");
      }
      assertServes(impatient, Optional.empty());
    }
  }

  @Test
  void connections_that_say_nothing_do_not_keep_others_out() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 60; i++) {
        silent.add(new Socket(HOST, agent.address().port()));
      }
      silent.get(0).getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
      assertServes();
      for (int i = 0; i < 20; i++) {
        silent.add(new Socket(HOST, agent.address().port()));
      }
      Socket last = silent.get(silent.size() - 1);
      last.setSoTimeout((int) SOON.toMillis());
      assertThat(isClosed(last)).isTrue();
    } finally {
      for (Socket each : silent) {
        each.close();
      }
    }
    Await.until("it serves again", SOON, this::isFree);
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException reset) {
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"../../up.csv", "/etc/passwd", "manifest.json", "a\u001b[2J"})
  void an_agent_cannot_write_what_is_no_file_of_the_run(String file) throws Exception {
    Slice slice =
        Slice.newBuilder().setFile(file).setContent(ByteString.copyFromUtf8("x\n")).build();
    Server hostile =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getByName(HOST), 0))
            .addService(new Hostile(slice))
            .build()
            .start();
    Endpoint address = new Endpoint(HOST, hostile.getPort());
    try (AgentConnection connection =
        AgentConnection.open(
            address, Optional.empty(), Clock.systemUTC(), RawClient.hello().build())) {
      Await.until("it is given up", SOON, () -> connection.lost().isPresent());
      assertThat(connection.failures().get(0))
          .startsWith("agent " + address + ": it sent the file '")
          .endsWith("', which is none of the run")
          .doesNotContain("\u001b");
    } finally {
      hostile.shutdownNow();
    }
  }

  /** Sends what it likes. */
  private static final class Hostile extends AgentGrpc.AgentImplBase {
    private final Slice slice;

    Hostile(Slice slice) {
      this.slice = slice;
    }

    @Override
    public StreamObserver<Request> hold(StreamObserver<Reply> replies) {
      replies.onNext(Reply.newBuilder().setWelcome(Welcome.getDefaultInstance()).build());
      replies.onNext(Reply.newBuilder().setSlice(slice).build());
      return new StreamObserver<>() {
        @Override
        public void onNext(Request request) {}

        @Override
        public void onError(Throwable gone) {}

        @Override
        public void onCompleted() {
          replies.onCompleted();
        }
      };
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "../up", "a..b", "host:7300", "-a", "a/b", "::1"})
  void keys_are_made_for_hosts_only(String host) {
    Path keys = directory.resolve("keys");
    assertThatThrownBy(
            () -> KeyMaker.make(keys, List.of("fine", host), Instant.now(), Duration.ofDays(1)))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "host '%s': expected a name or an IPv4 address, without a port".formatted(host));
    assertThat(keys).doesNotExist();
  }

  @Test
  void no_key_is_ever_overwritten() throws IOException {
    Path key = ours.resolve("client/client.key");
    String before = Files.readString(key);
    assertThatThrownBy(() -> KeyMaker.make(ours, List.of("a"), Instant.now(), Duration.ofDays(1)))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("is not empty, and no key is ever overwritten");
    assertThat(Files.readString(key)).isEqualTo(before);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
  }

  @Test
  void two_agents_do_not_share_a_directory() {
    Path data = directory.resolve("agent-true15000");
    assertThatThrownBy(() -> TestAgents.start(HOST, data, Optional.empty()))
        .isInstanceOf(QuorateException.class)
        .hasMessage("another agent uses " + data + ": name another directory with --data");
  }
}
