// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.handler.codec.http2.StreamBufferingEncoder;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.util.AsciiString;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.driver.OneLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Sends gRPC calls with one message on one HTTP/2 connection. Netty handles frames, flow control,
 * streams and the end of a connection; the messages are in gRPC's format. Everything happens on the
 * event loop of the connection; a call ends there, exactly once.
 */
final class GrpcSession extends Http2ConnectionHandler {
  private static final long MAX_TIMEOUT = 99_999_999; // gRPC allows eight digits

  private final EtcdConnection owner;
  private final DriverSettings settings;
  private final EtcdAccess access;

  /** The headers of calls, as gRPC over HTTP/2 defines them; created once for each token. */
  private final Map<EtcdOperation<?, ?>, Http2Headers> headers = new IdentityHashMap<>();

  private String token;
  private final IntObjectMap<EtcdCall> open = new IntObjectHashMap<>();

  /** Calls that are to be written at the end of this turn of the event loop. */
  private final List<EtcdCall> unwritten = new ArrayList<>();

  private ChannelHandlerContext context;

  private boolean heard;

  private boolean pinged;
  private boolean flushing;
  private boolean settled;
  private boolean ended;
  private String problem = "the server closed the connection";

  @SuppressWarnings("NullAway.Init") // the pipeline sets the context before it reports anything
  private GrpcSession(
      Http2Parts parts, EtcdConnection owner, DriverSettings settings, EtcdAccess access) {
    super(parts.decoder(), parts.encoder(), parts.settings());
    this.owner = owner;
    this.settings = settings;
    this.access = access;
    makeHeaders(access.token());
    parts.decoder().frameListener(new Answers());
    connection().addListener(new Streams());
    gracefulShutdownTimeoutMillis(0);
  }

  /** Returns a session; the connect timeout is also the time for the server to speak HTTP/2. */
  static GrpcSession of(EtcdConnection owner, DriverSettings settings, EtcdAccess access) {
    return new GrpcSession(Http2Parts.ofClient(), owner, settings, access);
  }

  @Override
  public void channelActive(ChannelHandlerContext active) throws Exception {
    context = active;
    super.channelActive(active);
    connection()
        .local()
        .flowController()
        .incrementWindowSize(
            connection().connectionStream(),
            DriverSettings.MAX_MESSAGE_BYTES - Http2CodecUtil.DEFAULT_WINDOW_SIZE);
    flush(active);
    long limit = settings.connectTimeout().toMillis();
    active.executor().schedule(this::requireSettings, limit, TimeUnit.MILLISECONDS);
    active.executor().schedule(this::check, GrpcChannel.SILENCE_SECONDS, TimeUnit.SECONDS);
  }

  private void requireSettings() {
    if (!settled) {
      fail("the server does not answer in HTTP/2");
    }
  }

  /** Sends a ping when the server is silent; ends the connection if there is no answer. */
  private void check() {
    if (!context.channel().isActive()) {
      return;
    }
    if (pinged && !heard) {
      fail("the server did not answer a ping within " + GrpcChannel.SILENCE_SECONDS + " s");
      return;
    }
    pinged = !heard && !open.isEmpty();
    if (pinged) {
      encoder().writePing(context, false, System.nanoTime(), context.newPromise());
      flush(context);
    }
    heard = false;
    context.executor().schedule(this::check, GrpcChannel.SILENCE_SECONDS, TimeUnit.SECONDS);
  }

  private void makeHeaders(String withToken) {
    token = withToken;
    long timeoutMillis = Math.min(MAX_TIMEOUT, settings.requestTimeout().toMillis());
    List<AsciiString> others = new ArrayList<>();
    add(others, "content-type", "application/grpc");
    add(others, "te", "trailers");
    add(others, "user-agent", "quorate");
    add(others, "grpc-timeout", timeoutMillis + "m");
    if (!token.isEmpty()) {
      add(others, EtcdAccess.TOKEN, token);
    }
    for (EtcdOperation<?, ?> operation : EtcdOperation.values()) {
      headers.put(
          operation,
          ReadOnlyHttp2Headers.clientHeaders(
              false,
              AsciiString.cached("POST"),
              operation.path(),
              AsciiString.cached(settings.access().scheme()),
              AsciiString.of(settings.endpoint().toString()),
              others.toArray(AsciiString[]::new)));
    }
  }

  private static void add(List<AsciiString> to, String name, String value) {
    to.add(AsciiString.cached(name));
    to.add(AsciiString.cached(value));
  }

  private Http2Headers headersOf(EtcdOperation<?, ?> operation) {
    String now = access.token();
    if (!now.equals(token)) {
      makeHeaders(now);
    }
    return Objects.requireNonNull(headers.get(operation));
  }

  /** Sends a call, at the end of this turn of the event loop. */
  void send(EtcdCall call) {
    if (ended) {
      call.failed(ErrorKind.CONNECTION, problem);
      return;
    }
    int stream = connection().local().incrementAndGetNextStreamId();
    if (stream < 0) {
      end("no stream is left");
      call.failed(ErrorKind.CONNECTION, problem);
      return;
    }
    call.streamId = stream;
    open.put(stream, call);
    encoder()
        .writeHeaders(context, stream, headersOf(call.operation()), 0, false, context.newPromise())
        .addListener(sent -> unsent(stream, sent.cause()));
    ByteBuf message = call.message(context.alloc());
    encoder().writeData(context, stream, message, 0, true, context.newPromise());
    unwritten.add(call);
    flushSoon();
  }

  private void unsent(int stream, Throwable cause) {
    EtcdCall call = cause == null ? null : open.remove(stream);
    if (call != null) {
      call.failed(ErrorKind.CONNECTION, ended ? problem : OneLine.of(cause));
    }
  }

  void cancel(EtcdCall call) {
    if (open.remove(call.streamId) != null) {
      reset(call.streamId);
    }
  }

  private void reset(int stream) {
    encoder().writeRstStream(context, stream, Http2Error.CANCEL.code(), context.newPromise());
    flushSoon();
  }

  private void flushSoon() {
    if (!flushing) {
      flushing = true;
      context.executor().execute(this::flushNow);
    }
  }

  private void flushNow() {
    flushing = false;
    flush(context);
    for (EtcdCall call : unwritten) {
      call.request().sent();
    }
    unwritten.clear();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object read) throws Exception {
    heard = true;
    super.channelRead(ctx, read);
  }

  @Override
  protected void onConnectionError(
      ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception http2) {
    fail(OneLine.of(cause));
  }

  /** Ends the connection on a failure of the network, such as a reset. */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    if (Http2CodecUtil.getEmbeddedHttp2Exception(cause) == null) {
      fail(OneLine.of(cause));
    } else {
      super.exceptionCaught(ctx, cause);
    }
  }

  private void fail(String why) {
    end(why);
    context.channel().close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    try {
      super.channelInactive(ctx); // prints the last data, which may be garbage
    } finally {
      end(problem);
      List<EtcdCall> cut = new ArrayList<>(open.values());
      open.clear();
      cut.forEach(call -> call.failed(ErrorKind.CONNECTION, problem));
    }
  }

  private void end(String why) {
    if (!ended) {
      ended = true;
      problem = why;
      owner.closed(this, why);
      closeIfIdle();
    }
  }

  private void closeIfIdle() {
    if (ended && open.isEmpty()) {
      context.channel().close();
    }
  }

  private void failed(int stream, ErrorKind kind, String why) {
    EtcdCall call = open.remove(stream);
    if (call != null) {
      call.failed(kind, why);
      closeIfIdle();
    }
  }

  /** Handles streams that end without an answer. */
  private final class Streams extends Http2ConnectionAdapter {
    @Override
    public void onStreamClosed(Http2Stream stream) {
      failed(stream.id(), ErrorKind.CONNECTION, problem);
    }

    @Override
    public void onGoAwayReceived(int lastStream, long code, ByteBuf debugData) {
      end("the server ends the connection, with code " + code);
    }
  }

  private final class Answers extends Http2FrameAdapter {
    @Override
    public int onDataRead(
        ChannelHandlerContext ctx, int stream, ByteBuf data, int padding, boolean last) {
      int bytes = data.readableBytes() + padding;
      EtcdCall call = open.get(stream);
      if (call == null) {
        return bytes;
      }
      try {
        call.received(data);
      } catch (IOException garbage) {
        failed(stream, ErrorKind.OTHER, "malformed response: " + garbage.getMessage());
        reset(stream);
        return bytes;
      }
      if (last || call.receivedBytes() >= GrpcChannel.MAX_MESSAGE_BYTES) {
        failed(
            stream,
            ErrorKind.OTHER,
            last ? "an answer without a status" : "an answer above 512 MiB");
        if (!last) {
          reset(stream);
        }
      }
      return bytes;
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx, int stream, Http2Headers received, int padding, boolean last) {
      EtcdCall call = last ? open.remove(stream) : null;
      if (call == null) {
        return;
      }
      Status status = EtcdStatus.of(received);
      if (status.isOk()) {
        call.answered();
      } else {
        call.failed(EtcdStatus.kind(status), EtcdStatus.message(status));
        access.failed(status, settings.endpoint());
      }
      closeIfIdle();
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int stream,
        Http2Headers received,
        int dependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean last) {
      onHeadersRead(ctx, stream, received, padding, last);
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int stream, long code) {
      // servers cancel a call at its deadline, which may pass there just before it passes here
      ErrorKind kind = code == Http2Error.CANCEL.code() ? ErrorKind.TIMEOUT : ErrorKind.OTHER;
      failed(stream, kind, "the server reset the stream with code " + code);
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings theirs) {
      if (!settled && !ended) {
        settled = true;
        owner.opened(GrpcSession.this);
      }
    }
  }

  /**
   * Netty's parts of the client's end of an HTTP/2 connection. Its window lets a server send a
   * whole answer without waiting.
   */
  private record Http2Parts(
      Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
    private static final long MAX_HEADER_BYTES = 64 << 10;

    /** Returns new parts; calls beyond the server's limit of streams wait in the encoder. */
    static Http2Parts ofClient() {
      Http2Connection connection = new DefaultHttp2Connection(false);
      // streams have no priorities, so the order of sending needs no tree of weights
      connection
          .remote()
          .flowController(
              new DefaultHttp2RemoteFlowController(
                  connection, new UniformStreamByteDistributor(connection)));
      Http2ConnectionEncoder encoder =
          new StreamBufferingEncoder(
              new DefaultHttp2ConnectionEncoder(connection, new DefaultHttp2FrameWriter()));
      Http2ConnectionDecoder decoder =
          new DefaultHttp2ConnectionDecoder(
              connection,
              encoder,
              new DefaultHttp2FrameReader(new DefaultHttp2HeadersDecoder(false, MAX_HEADER_BYTES)));
      Http2Settings settings =
          Http2Settings.defaultSettings()
              .pushEnabled(false)
              .initialWindowSize(DriverSettings.MAX_MESSAGE_BYTES)
              .maxHeaderListSize(MAX_HEADER_BYTES);
      return new Http2Parts(decoder, encoder, settings);
    }
  }
}
