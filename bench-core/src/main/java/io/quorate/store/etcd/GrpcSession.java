package io.quorate.store.etcd;

import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.OneLine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * gRPC on one HTTP/2 connection, as far as calls with one message each way need it. Everything
 * happens on the event loop of the connection; a call ends there, exactly once.
 */
final class GrpcSession extends ByteToMessageDecoder {
  /** What the owner of a connection has to know. */
  interface Owner {
    /** The server speaks HTTP/2: calls can be sent. */
    void opened(GrpcSession session);

    /** No further call can be sent; those under way may still end. Once. */
    void closed(GrpcSession session, String why);
  }

  private static final int LAST_STREAM = Integer.MAX_VALUE - 2;
  private static final long MAX_HEADER_BYTES = 64 << 10;

  private final Owner owner;
  private final DriverSettings settings;
  private final DefaultHttp2FrameReader reader =
      new DefaultHttp2FrameReader(new DefaultHttp2HeadersDecoder(false, MAX_HEADER_BYTES));
  private final Frames frames = new Frames();
  private final IntObjectMap<EtcdCall> open = new IntObjectHashMap<>();
  private final Deque<EtcdCall> waiting = new ArrayDeque<>();
  private ChannelHandlerContext context;
  private GrpcOutput output;
  private int nextStream = 1;
  private long maxStreams = Long.MAX_VALUE;
  private boolean reading;
  private boolean flushing;
  private boolean settled;
  private boolean ended;
  private String problem = "the server closed the connection";

  /**
   * A session that begins when its channel does.
   *
   * @param settings whose connect timeout is also the time for the server to speak HTTP/2
   */
  GrpcSession(Owner owner, DriverSettings settings) {
    this.owner = owner;
    this.settings = settings;
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    context = active;
    output = new GrpcOutput(active, settings.endpoint().toString());
    output.preface();
    output.flush();
    long limit = settings.connectTimeout().toMillis();
    context.executor().schedule(this::requireSettings, limit, TimeUnit.MILLISECONDS);
  }

  private void requireSettings() {
    if (!settled && !ended) {
      end("the server does not answer in HTTP/2");
      context.close();
    }
  }

  /** Sends a call, at the end of this turn of the event loop. */
  void send(EtcdCall call) {
    if (ended) {
      call.failed(ErrorKind.CONNECTION, problem);
    } else if (open.size() >= maxStreams) {
      waiting.add(call);
    } else {
      begin(call);
    }
  }

  private void begin(EtcdCall call) {
    int stream = nextStream;
    nextStream += 2;
    try {
      open.put(stream, call);
      output.call(call, stream);
      flushSoon();
    } catch (Http2Exception | RuntimeException broken) {
      fail(broken);
    }
    if (nextStream >= LAST_STREAM) {
      end("no stream is left");
    }
  }

  /** Nobody waits for the call any more. */
  void cancel(EtcdCall call) {
    if (call.streamId == 0) {
      waiting.remove(call);
    } else if (open.remove(call.streamId) != null) {
      output.cancel(call);
      flushSoon();
      next();
    }
  }

  private void flushSoon() {
    if (!reading && !flushing) {
      flushing = true;
      context.executor().execute(this::flush);
    }
  }

  private void flush() {
    flushing = false;
    output.flush();
  }

  private void next() {
    while (!waiting.isEmpty() && open.size() < maxStreams && !ended) {
      begin(waiting.remove());
    }
    if (ended && open.isEmpty()) {
      context.close();
    }
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> none)
      throws Http2Exception {
    reading = true;
    reader.readFrame(ctx, in, frames);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    reading = false;
    output.flush();
    super.channelReadComplete(ctx);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    fail(cause);
  }

  private void fail(Throwable cause) {
    problem = OneLine.of(cause);
    context.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    try {
      super.channelInactive(ctx); // looks at what came last, which may be garbage
    } finally {
      cut();
    }
  }

  private void cut() {
    end(problem);
    List<EtcdCall> cut = new ArrayList<>(open.values());
    cut.addAll(waiting);
    open.clear();
    waiting.clear();
    cut.forEach(call -> call.failed(ErrorKind.CONNECTION, problem));
    output.close();
    reader.close();
  }

  private void end(String why) {
    if (!ended) {
      ended = true;
      problem = why;
      owner.closed(this, why);
    }
  }

  private void closed(int streamId, Http2Headers trailers) {
    EtcdCall call = open.remove(streamId);
    if (call == null) {
      return;
    }
    if (call.unsent.isReadable()) {
      output.cancel(call);
    }
    Status status = EtcdStatus.of(trailers);
    if (status.isOk()) {
      call.answered();
    } else {
      call.failed(EtcdStatus.kind(status), EtcdStatus.message(status));
    }
    next();
  }

  /** What the server sends. */
  private final class Frames extends Http2FrameAdapter {
    @Override
    public int onDataRead(
        ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean last) {
      int bytes = data.readableBytes() + padding;
      output.received(bytes);
      EtcdCall call = open.get(streamId);
      if (call != null) {
        call.received(data);
        if (last || call.receivedBytes() >= GrpcOutput.MAX_MESSAGE_BYTES) {
          open.remove(streamId);
          output.cancel(call);
          call.failed(
              ErrorKind.OTHER, last ? "an answer without a status" : "an answer above 16 MiB");
          next();
        }
      }
      return bytes;
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean last) {
      if (last) {
        closed(streamId, headers);
      }
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int streamId,
        Http2Headers headers,
        int dependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean last) {
      onHeadersRead(ctx, streamId, headers, padding, last);
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long code) {
      EtcdCall call = open.remove(streamId);
      if (call != null) {
        output.forget(call);
        call.failed(ErrorKind.OTHER, "the server reset the stream with code " + code);
        next();
      }
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings)
        throws Http2Exception {
      if (settings.maxConcurrentStreams() != null) {
        maxStreams = settings.maxConcurrentStreams();
      }
      output.apply(settings, open.values());
      if (!settled && !ended) {
        settled = true;
        owner.opened(GrpcSession.this);
      }
      next();
    }

    @Override
    public void onPingRead(ChannelHandlerContext ctx, long data) {
      output.answerPing(data);
    }

    @Override
    public void onGoAwayRead(
        ChannelHandlerContext ctx, int lastStreamId, long code, ByteBuf debugData) {
      end("the server ends the connection, with code " + code);
      List<EtcdCall> unheard =
          open.values().stream().filter(call -> call.streamId > lastStreamId).toList();
      unheard.forEach(call -> open.remove(call.streamId));
      unheard.forEach(call -> call.failed(ErrorKind.CONNECTION, problem));
      next();
    }

    @Override
    public void onWindowUpdateRead(ChannelHandlerContext ctx, int streamId, int bytes)
        throws Http2Exception {
      EtcdCall call = open.get(streamId);
      if (streamId == 0 || call != null) {
        output.widen(call, bytes);
      }
    }
  }
}
