// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import io.quorate.VisibleText;
import io.quorate.store.driver.OneLine;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.apache.jute.BinaryOutputArchive;
import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.proto.AuthPacket;
import org.apache.zookeeper.proto.WatcherEvent;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper's protocol on one channel: messages after their length, of which the first opens or
 * resumes a session. The server answers requests in their order. Anything else that it sends ends
 * the channel. Belongs to the event loop; a call ends there, exactly once.
 */
final class ZooKeeperChannel extends ByteToMessageDecoder {
  /** The reserved numbers of messages that answer no request of a caller. */
  private static final int EVENT = -1;

  private static final int PING = -2;
  private static final int AUTH = -4;

  /** Size of the header of an answer, and of the numbers of a new session. */
  private static final int LEAST_BYTES = 2 * Integer.BYTES + Long.BYTES;

  private static final long CLOSE_MILLIS = 1_000;

  /** Size of the buffer of a batch, which grows if needed. */
  private static final int BUFFER_BYTES = 1 << 10;

  /** Limit of one message: a list of 250,000 nodes with names of 256 bytes. */
  private static final int MAX_BYTES = 64 << 20;

  private final ZooKeeperConnection owner;

  /** Calls without an answer, in the order of sending. */
  private final Queue<ZooKeeperCall> open = new ArrayDeque<>();

  /** Calls that are to be written at the end of this turn of the event loop. */
  private final List<ZooKeeperCall> unwritten = new ArrayList<>();

  /** The messages of these calls; null without any. */
  private @Nullable Batch batch;

  private ChannelHandlerContext context;
  private int sentXid;
  private int answeredXid;
  private long heardNanos;
  private long pingNanos;
  private boolean pinged;
  private boolean opened;

  /** Whether the server has answered, and did not refuse the session. */
  private boolean proven;

  private boolean ended;
  private String problem = "the server closed the connection";

  @SuppressWarnings("NullAway.Init") // the pipeline sets the context before it reports anything
  ZooKeeperChannel(ZooKeeperConnection owner) {
    this.owner = owner;
  }

  /** Messages that are written together. */
  private record Batch(ByteBuf bytes, BinaryOutputArchive archive) {
    static Batch in(ByteBuf empty) {
      return new Batch(empty, new BinaryOutputArchive(new ByteBufOutputStream(empty)));
    }

    void add(Record record) {
      try {
        record.serialize(archive, "");
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }

    /** Writes the length of the last message, before which there is space for it. */
    void end(int start) {
      bytes.setInt(start, bytes.writerIndex() - start - Integer.BYTES);
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    Batch first = batch();
    first.bytes().writeInt(0);
    first.add(owner.connectRequest());
    first.end(0);
    flushNow();
    active.executor().schedule(this::requireSession, owner.openMillis(), TimeUnit.MILLISECONDS);
  }

  private void requireSession() {
    if (!opened) {
      fail("the server opened no session within " + owner.openMillis() + " ms");
    }
  }

  /** Sends a call, at the end of this turn of the event loop. */
  void send(ZooKeeperCall call) {
    if (ended) {
      lose(call);
      return;
    }
    sentXid = next(sentXid);
    open.add(call);
    unwritten.add(call);
    write(sentXid, call.type(), call.record());
    if (unwritten.size() == 1) {
      context.executor().execute(this::flushNow);
    }
  }

  private static int next(int xid) {
    return xid == Integer.MAX_VALUE ? 1 : xid + 1; // as in ZooKeeper's client
  }

  private void write(int xid, int type, @Nullable Record record) {
    Batch to = batch();
    int start = to.bytes().writerIndex();
    to.bytes().writeInt(0).writeInt(xid).writeInt(type);
    if (record != null) {
      to.add(record);
    }
    to.end(start);
  }

  private Batch batch() {
    if (batch == null) {
      batch = Batch.in(context.alloc().ioBuffer(BUFFER_BYTES));
    }
    return batch;
  }

  private void flushNow() {
    if (batch != null) {
      ByteBuf full = batch.bytes();
      batch = null;
      context.writeAndFlush(full, context.voidPromise());
    }
    for (ZooKeeperCall call : unwritten) {
      call.sent();
    }
    unwritten.clear();
  }

  /**
   * Sends a ping every third of the timeout of the session, and ends the connection when the server
   * was silent for two thirds.
   */
  private void check() {
    if (ended) {
      return;
    }
    long third = owner.timeoutNanos() / 3;
    long now = System.nanoTime();
    if (now - heardNanos >= 2 * third) {
      fail("the server was silent for " + TimeUnit.NANOSECONDS.toMillis(2 * third) + " ms");
      return;
    }
    if (!pinged && now - pingNanos >= third) {
      pingNanos = now;
      pinged = true;
      write(PING, OpCode.ping, null);
      flushNow();
    }
    long silence = heardNanos + 2 * third - now;
    long next = pingNanos + third - now;
    long wait = next > 0 ? Math.min(silence, next) : silence;
    context.executor().schedule(this::check, wait, TimeUnit.NANOSECONDS);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (ended) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (in.readableBytes() < Integer.BYTES) {
      return;
    }
    int bytes = in.getInt(in.readerIndex());
    if (bytes < 0 || bytes > MAX_BYTES) {
      fail("malformed response: a message of " + bytes + " bytes, expected 0 to 64 MiB");
    } else if (in.readableBytes() - Integer.BYTES >= bytes) {
      receive(in.skipBytes(Integer.BYTES).readSlice(bytes));
    }
  }

  @Override
  protected void decodeLast(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    decode(ctx, in, out);
    if (in.isReadable()) {
      problem = "the server closed the connection within a message";
      in.skipBytes(in.readableBytes());
    }
  }

  private void receive(ByteBuf frame) {
    try {
      if (frame.readableBytes() < LEAST_BYTES) {
        throw new EOFException();
      }
      if (opened) {
        message(frame);
      } else {
        session(frame);
      }
    } catch (IOException tooShort) {
      fail("malformed response: a message is too short");
    }
  }

  /** Reads the answer to the first message; old servers and shims leave out its last field. */
  private void session(ByteBuf frame) throws IOException {
    frame.skipBytes(Integer.BYTES); // version of the protocol
    int timeoutMillis = frame.readInt();
    long session = frame.readLong();
    byte[] password = ZooKeeperReply.archive(frame).readBuffer("");
    // a server that refuses a new session is not asked again at once
    proven = timeoutMillis > 0 || owner.session() != 0;
    if (timeoutMillis <= 0) {
      owner.expired();
      fail("the session has expired");
      return;
    }
    opened = true;
    heardNanos = System.nanoTime();
    pingNanos = heardNanos;
    AuthPacket login = owner.login();
    if (login != null) {
      write(AUTH, OpCode.auth, login);
      flushNow();
    }
    owner.opened(this, timeoutMillis, session, password);
    check();
  }

  private void message(ByteBuf frame) throws IOException {
    int xid = frame.readInt();
    long zxid = frame.readLong();
    int error = frame.readInt();
    heardNanos = System.nanoTime();
    switch (xid) {
      case EVENT -> event(frame, zxid);
      case PING -> pong();
      case AUTH -> login(error);
      default -> answer(xid, zxid, ZooKeeperReply.received(error, frame));
    }
  }

  private void event(ByteBuf frame, long zxid) throws IOException {
    WatcherEvent event = new WatcherEvent();
    event.deserialize(ZooKeeperReply.archive(frame), "");
    EventType type = type(event.getType());
    if (type == null || type == EventType.None || event.getPath() == null) {
      fail("malformed response: an event of the unknown type " + event.getType());
    } else {
      owner.event(type, event.getPath(), zxid);
    }
  }

  private static @Nullable EventType type(int number) {
    for (EventType each : EventType.values()) {
      if (each.getIntValue() == number) {
        return each;
      }
    }
    return null;
  }

  private void pong() {
    if (pinged) {
      pinged = false;
      owner.heard(pingNanos, heardNanos);
      return;
    }
    fail("malformed response: an answer to a ping that was not sent");
  }

  private void login(int error) {
    if (error != Code.OK.intValue()) {
      proven = false;
      fail("the server refused the login: " + ZooKeeperReply.failed(Code.AUTHFAILED, ""));
    }
  }

  private void answer(int xid, long zxid, ZooKeeperReply reply) {
    int expected = next(answeredXid);
    ZooKeeperCall call = xid == expected ? open.poll() : null;
    if (call == null) {
      fail("malformed response: an answer to request " + xid + ", expected " + expected);
      return;
    }
    answeredXid = xid;
    owner.answered(zxid);
    owner.heard(heardNanos, heardNanos);
    try {
      call.outcome().end(reply);
    } catch (IOException | RuntimeException malformed) {
      String why = "malformed response: " + VisibleText.line(OneLine.of(malformed));
      end(call, ZooKeeperReply.failed(Code.MARSHALLINGERROR, why));
      fail(why);
    }
  }

  private void lose(ZooKeeperCall call) {
    end(call, ZooKeeperReply.failed(Code.CONNECTIONLOSS, problem));
  }

  /** Ends a call with a failure, which has no record that could be malformed. */
  static void end(ZooKeeperCall call, ZooKeeperReply failure) {
    try {
      call.outcome().end(failure);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    Throwable inner = cause instanceof DecoderException ? cause.getCause() : null;
    fail(OneLine.of(inner == null ? cause : inner));
  }

  /** Ends the session in the store, and closes the channel when the server does, or soon. */
  void endSession() {
    if (!opened || ended) {
      abandon();
      return;
    }
    sentXid = next(sentXid);
    write(sentXid, OpCode.closeSession, null);
    flushNow();
    end("closed");
    context.executor().schedule(this::abandon, CLOSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Closes the channel, which does not end the session. */
  void abandon() {
    fail("closed");
  }

  private void fail(String why) {
    end(why);
    context.close();
  }

  private void end(String why) {
    if (!ended) {
      ended = true;
      problem = why;
      owner.closed(this, why, proven);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    try {
      super.channelInactive(ctx); // decodes the last data
    } finally {
      end(problem);
      if (batch != null) {
        batch.bytes().release();
        batch = null;
      }
      unwritten.clear();
      for (ZooKeeperCall cut = open.poll(); cut != null; cut = open.poll()) {
        lose(cut);
      }
    }
  }
}
