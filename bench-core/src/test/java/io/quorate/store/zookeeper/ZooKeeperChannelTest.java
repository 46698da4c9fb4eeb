// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.quorate.store.Access;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Login;
import io.quorate.store.driver.EventLoops;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.AfterTry;
import org.apache.zookeeper.MultiResponse;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.SyncRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a server may send, without a network. */
class ZooKeeperChannelTest {
  private static final EventLoops LOOPS = EventLoops.ofSockets("zookeeper-channel-test");
  private static final Access WITH_LOGIN =
      new Access(Optional.empty(), new Login.Password("user", "secret"));

  private static final List<EmbeddedChannel> OPENED = new ArrayList<>();

  @AfterEach
  @AfterTry
  void release() {
    OPENED.forEach(EmbeddedChannel::finishAndReleaseAll);
    OPENED.clear();
  }

  @AfterAll
  @AfterContainer
  static void endLoops() {
    LOOPS.close();
  }

  /** A channel, which opens no other one, and the outcomes of its calls. */
  private static final class Opened {
    final ZooKeeperConnection owner;
    final ZooKeeperChannel session;
    final EmbeddedChannel channel;
    final List<String> outcomes = new ArrayList<>();

    Opened(Access access) {
      this(owner(access));
    }

    Opened(ZooKeeperConnection owner) {
      this.owner = owner;
      session = new ZooKeeperChannel(owner);
      channel = new EmbeddedChannel(session);
      OPENED.add(channel);
    }

    private static ZooKeeperConnection owner(Access access) {
      Duration limit = Duration.ofSeconds(30);
      var settings = new DriverSettings(new Endpoint("127.0.0.1", 1), limit, limit, access);
      var owner =
          new ZooKeeperConnection(
              List.of(settings),
              ZooKeeperConnection.LONG,
              LOOPS,
              Optional.empty(),
              ZooKeeperConnection.Listener.NONE);
      owner.abandon();
      return owner;
    }

    /** Opens the session. */
    static Opened session() {
      Opened opened = new Opened(Access.PLAIN);
      opened.receive(connected(20_000).writeBoolean(false));
      assertThat(opened.owner.session()).isEqualTo(7);
      return opened;
    }

    static ByteBuf connected(int timeoutMillis) {
      return Unpooled.buffer()
          .writeInt(0)
          .writeInt(timeoutMillis)
          .writeLong(7)
          .writeInt(16)
          .writeZero(16);
    }

    void send(ZooKeeperCall.Outcome reader) {
      int call = outcomes.size();
      outcomes.add("");
      session.send(
          new ZooKeeperCall(
              OpCode.sync,
              new SyncRequest("/"),
              reply -> {
                reader.end(reply);
                outcomes.set(call, outcomes.get(call) + reply + ";");
              }));
      channel.runPendingTasks();
    }

    void receive(ByteBuf message) {
      channel.writeInbound(Unpooled.buffer().writeInt(message.readableBytes()).writeBytes(message));
    }

    static ByteBuf reply(int xid, int error) {
      return Unpooled.buffer().writeInt(xid).writeLong(1).writeInt(error);
    }
  }

  @Test
  void replies_come_in_the_order_of_requests_in_pieces_or_together() {
    Opened opened = Opened.session();
    opened.send(reply -> {});
    opened.send(reply -> {});
    opened.send(reply -> {});

    ByteBuf all = Unpooled.buffer();
    for (int xid = 1; xid <= 3; xid++) {
      all.writeInt(16).writeBytes(Opened.reply(xid, xid == 2 ? -101 : 0));
    }
    opened.channel.writeInbound(all.readRetainedSlice(7));
    assertThat(opened.outcomes).containsExactly("", "", "");
    opened.channel.writeInbound(all);

    assertThat(opened.outcomes).containsExactly("OK;", "NONODE;", "OK;");
    assertThat(opened.channel.isActive()).isTrue();
  }

  @Test
  void the_session_of_a_server_that_does_not_say_whether_it_is_read_only_is_opened() {
    Opened opened = new Opened(Access.PLAIN);
    opened.receive(Opened.connected(4_000));

    assertThat(opened.owner.timeoutMillis()).isEqualTo(4_000);
    assertThat(opened.channel.isActive()).isTrue();
  }

  @Test
  void an_expired_session_is_forgotten() {
    Opened opened = Opened.session();
    opened.channel.close();
    assertThat(opened.owner.connectRequest().getSessionId()).isEqualTo(7);
    Opened again = new Opened(opened.owner);
    again.receive(Opened.connected(0));

    assertThat(again.channel.isActive()).isFalse();
    assertThat(opened.owner.connectRequest().getSessionId()).isZero();
    assertThat(opened.owner.connectRequest().getPasswd()).containsOnly(0);
  }

  private static String endOf(ByteBuf bytes) {
    Opened opened = Opened.session();
    opened.send(reply -> {});
    opened.send(reply -> {});
    opened.channel.writeInbound(bytes);
    opened.channel.finishAndReleaseAll();

    assertThat(opened.channel.isActive()).isFalse();
    assertThat(opened.outcomes.get(1)).isEqualTo(opened.outcomes.get(0));
    return opened.outcomes.get(0);
  }

  private static ByteBuf message(ByteBuf content) {
    return Unpooled.buffer().writeInt(content.readableBytes()).writeBytes(content);
  }

  private static ByteBuf event(int type) {
    byte[] path = "/key".getBytes(StandardCharsets.US_ASCII);
    return Opened.reply(-1, 0).writeInt(type).writeInt(3).writeInt(path.length).writeBytes(path);
  }

  @Test
  void what_is_not_the_protocol_ends_the_connection_and_each_call_once_with_the_reason() {
    assertThat(endOf(Unpooled.buffer().writeInt(-1)))
        .isEqualTo("malformed response: a message of -1 bytes, expected 0 to 64 MiB;");
    assertThat(endOf(Unpooled.copiedBuffer("HTTP/1.1 400 Bad Request", StandardCharsets.US_ASCII)))
        .isEqualTo("malformed response: a message of 1213486160 bytes, expected 0 to 64 MiB;");
    assertThat(endOf(Unpooled.buffer().writeInt((64 << 20) + 1)))
        .isEqualTo("malformed response: a message of 67108865 bytes, expected 0 to 64 MiB;");
    assertThat(endOf(Unpooled.buffer().writeInt(16).writeInt(1)))
        .isEqualTo("the server closed the connection within a message;");
    assertThat(endOf(message(Unpooled.buffer().writeInt(1).writeLong(1))))
        .isEqualTo("malformed response: a message is too short;");
    assertThat(endOf(message(Opened.reply(2, 0))))
        .isEqualTo("malformed response: an answer to request 2, expected 1;");
    assertThat(endOf(message(Opened.reply(-3, 0))))
        .isEqualTo("malformed response: an answer to request -3, expected 1;");
    assertThat(endOf(message(Opened.reply(-2, 0))))
        .isEqualTo("malformed response: an answer to a ping that was not sent;");
    assertThat(endOf(message(event(99))))
        .isEqualTo("malformed response: an event of the unknown type 99;");
    assertThat(endOf(message(Opened.reply(-1, 0).writeInt(1).writeInt(3).writeInt(1 << 30))))
        .isEqualTo("malformed response: a message is too short;");
    assertThat(endOf(message(Opened.reply(-4, -115))))
        .isEqualTo("the server refused the login: AUTHFAILED;");
    assertThat(endOf(Unpooled.EMPTY_BUFFER)).isEqualTo("the server closed the connection;");
  }

  @Test
  void endless_messages_do_not_accumulate() {
    var memory = new UnpooledByteBufAllocator(false);
    Opened opened = Opened.session();
    opened.channel.config().setAllocator(memory);
    byte[] event = bytes(message(event(3)));
    byte[] many = new byte[100 * event.length];
    for (int i = 0; i < many.length; i++) {
      many[i] = event[i % event.length];
    }
    for (int i = 0; i < 10_000; i++) { // cut within a message
      opened.channel.writeInbound(memory.buffer(7).writeBytes(many, 0, 7));
      opened.channel.writeInbound(memory.buffer(many.length).writeBytes(many, 7, many.length - 7));
    }

    assertThat(opened.channel.isActive()).isTrue();
    assertThat(memory.metric().usedHeapMemory()).isLessThan(1 << 20);
  }

  @Test
  void a_message_of_the_greatest_size_is_kept_once() {
    var memory = new UnpooledByteBufAllocator(false);
    Opened opened = Opened.session();
    opened.channel.config().setAllocator(memory);
    opened.channel.writeInbound(memory.buffer().writeInt(64 << 20));
    for (int i = 0; i < (64 << 20) - 1; i += 1 << 16) {
      opened.channel.writeInbound(memory.buffer(1 << 16).writeZero((1 << 16) - 1));
      assertThat(memory.metric().usedHeapMemory()).isLessThan(69 << 20);
    }

    opened.channel.finishAndReleaseAll();
    assertThat(memory.metric().usedHeapMemory()).isZero();
  }

  @Test
  void a_reply_without_its_record_fails_and_ends_the_connection() {
    Opened opened = Opened.session();
    opened.send(ZooKeeperChannelTest::stat);
    opened.send(reply -> {});
    opened.receive(Opened.reply(1, 0).writeInt(5));

    assertThat(opened.outcomes.get(0)).startsWith("malformed response: ");
    opened.channel.runPendingTasks();
    assertThat(opened.outcomes.get(1)).isEqualTo(opened.outcomes.get(0));
    assertThat(opened.channel.isActive()).isFalse();
  }

  @Test
  void a_login_follows_the_opening_of_the_session() {
    Opened opened = new Opened(WITH_LOGIN);
    opened.channel.readOutbound();
    assertThat((ByteBuf) opened.channel.readOutbound()).isNull();
    opened.receive(Opened.connected(20_000));

    ByteBuf login = opened.channel.readOutbound();
    assertThat(login.toString(StandardCharsets.US_ASCII))
        .contains("digest")
        .contains("user:secret");
    opened.receive(Opened.reply(-4, 0));
    assertThat(opened.channel.isActive()).isTrue();
  }

  @Test
  void a_server_that_requires_SASL_is_named_as_the_reason() {
    Opened opened = Opened.session();
    opened.send(reply -> {});
    opened.receive(Opened.reply(1, -124));

    assertThat(opened.outcomes)
        .containsExactly(
            "SESSIONCLOSEDREQUIRESASLAUTH: the server requires SASL, which this client does not"
                + " support;");
  }

  private static ZooKeeperCall.Outcome ifOk(ZooKeeperCall.Outcome reader) {
    return reply -> {
      if (reply.isOk()) {
        reader.end(reply);
      }
    };
  }

  private static void stat(ZooKeeperReply reply) throws IOException {
    ifOk(ok -> new Stat().deserialize(ok.record(), "")).end(reply);
  }

  /** Messages of which some are well-formed, and pieces of any size. */
  @Property
  void whatever_a_server_sends_each_call_ends_once(
      @ForAll("messages") List<byte[]> messages, @ForAll @IntRange(min = 1, max = 50) int piece) {
    Opened opened = Opened.session();
    opened.send(ZooKeeperChannelTest::stat);
    opened.send(ifOk(reply -> reply.record().readBuffer("")));
    opened.send(ifOk(ZooKeeperReply::children));
    opened.send(ifOk(reply -> new MultiResponse().deserialize(reply.record(), "")));

    ByteBuf all = Unpooled.buffer();
    messages.forEach(all::writeBytes);
    while (all.isReadable() && opened.channel.isActive()) {
      opened.channel.writeInbound(all.readRetainedSlice(Math.min(piece, all.readableBytes())));
    }
    opened.channel.finishAndReleaseAll();

    assertThat(opened.outcomes).allMatch(each -> each.indexOf(';') == each.length() - 1);
  }

  @Provide
  Arbitrary<List<byte[]>> messages() {
    Arbitrary<byte[]> any = Arbitraries.bytes().array(byte[].class).ofMaxSize(90);
    Arbitrary<byte[]> wellFormed =
        Combinators.combine(
                Arbitraries.of(1, 2, 3, 4, 5, -1, -2, -4),
                Arbitraries.of(0, 0, 0, -101, -124, 12345),
                any)
            .as(
                (xid, error, record) ->
                    bytes(message(Opened.reply(xid, error).writeBytes(record))));
    return Arbitraries.frequencyOf(Tuple.of(6, wellFormed), Tuple.of(1, any)).list().ofMaxSize(8);
  }

  private static byte[] bytes(ByteBuf from) {
    byte[] bytes = new byte[from.readableBytes()];
    from.readBytes(bytes);
    return bytes;
  }
}
