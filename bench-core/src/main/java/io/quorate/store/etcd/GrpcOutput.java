package io.quorate.store.etcd;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;

/**
 * What one HTTP/2 connection sends (RFC 9113): the frames of one turn of the event loop are put
 * into one buffer, which costs one system call. Data above the windows of the server waits here.
 */
final class GrpcOutput {
  /** Of an answer, and of the windows that the server is given. */
  static final int MAX_MESSAGE_BYTES = 16 << 20;

  private static final int DEFAULT_WINDOW = 65_535;
  private static final int DEFAULT_FRAME_BYTES = 16_384;
  private static final int PREFIX_BYTES = 5;
  private static final int FLUSH_BYTES = 1 << 18;
  private static final Http2Flags NONE = new Http2Flags();
  private static final Http2Flags ACK = new Http2Flags().ack(true);
  private static final Http2Flags END_OF_HEADERS = new Http2Flags().endOfHeaders(true);
  private static final Http2Flags END_OF_STREAM = new Http2Flags().endOfStream(true);
  private static final int SETTING_BYTES = 6;
  private static final long CANCEL = 8;

  private final ChannelHandlerContext context;
  private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
  private final Map<EtcdCall.Method, Http2Headers> headers = new EnumMap<>(EtcdCall.Method.class);
  private final Deque<EtcdCall> blocked = new ArrayDeque<>();
  private ByteBuf out = Unpooled.EMPTY_BUFFER;
  private int window = DEFAULT_WINDOW;
  private int initialWindow = DEFAULT_WINDOW;
  private int frameBytes = DEFAULT_FRAME_BYTES;
  private int receivedBytes;

  GrpcOutput(ChannelHandlerContext context, String authority) {
    this.context = context;
    for (EtcdCall.Method method : EtcdCall.Method.values()) {
      headers.put(
          method,
          ReadOnlyHttp2Headers.clientHeaders(
              false,
              AsciiString.cached("POST"),
              method.path(),
              AsciiString.cached("http"),
              AsciiString.of(authority),
              AsciiString.cached("content-type"),
              AsciiString.cached("application/grpc"),
              AsciiString.cached("te"),
              AsciiString.cached("trailers"),
              AsciiString.cached("user-agent"),
              AsciiString.cached("quorate")));
    }
  }

  /** The first bytes of a connection. */
  void preface() {
    ByteBuf to = room(Http2CodecUtil.connectionPrefaceBuf().readableBytes());
    to.writeBytes(Http2CodecUtil.connectionPrefaceBuf());
    frame(2 * SETTING_BYTES, Http2FrameTypes.SETTINGS, NONE, 0);
    setting(Http2CodecUtil.SETTINGS_ENABLE_PUSH, 0);
    setting(Http2CodecUtil.SETTINGS_INITIAL_WINDOW_SIZE, MAX_MESSAGE_BYTES);
    windowUpdate(MAX_MESSAGE_BYTES - DEFAULT_WINDOW);
  }

  private void setting(char name, int value) {
    out.writeShort(name).writeInt(value);
  }

  /** The server said how it wants the connection to be. */
  void apply(Http2Settings settings, Iterable<EtcdCall> open) throws Http2Exception {
    if (settings.headerTableSize() != null) {
      encoder.maxHeaderTableSize(settings.headerTableSize());
    }
    if (settings.maxFrameSize() != null) {
      frameBytes = settings.maxFrameSize();
    }
    if (settings.initialWindowSize() != null) {
      int change = settings.initialWindowSize() - initialWindow;
      initialWindow = settings.initialWindowSize();
      for (EtcdCall call : open) {
        call.window = widened(call.window, change);
      }
    }
    frame(0, Http2FrameTypes.SETTINGS, ACK, 0);
    unblock();
  }

  /** Sends a call on a stream of its own. */
  void call(EtcdCall call, int streamId) throws Http2Exception {
    call.streamId = streamId;
    call.window = initialWindow;
    headers(call);
    MessageLite message = call.message();
    int bytes = PREFIX_BYTES + message.getSerializedSize();
    if (bytes <= frameBytes && bytes <= window && bytes <= call.window) {
      window -= bytes;
      ByteBuf to = frame(bytes, Http2FrameTypes.DATA, END_OF_STREAM, streamId);
      write(message, bytes, to);
    } else {
      call.unsent = write(message, bytes, Unpooled.buffer(bytes));
      blocked.add(call);
      unblock();
    }
    if (out.readableBytes() > FLUSH_BYTES) {
      flush();
    }
  }

  private void headers(EtcdCall call) throws Http2Exception {
    ByteBuf to = frame(0, Http2FrameTypes.HEADERS, END_OF_HEADERS, call.streamId);
    int start = to.writerIndex();
    encoder.encodeHeaders(call.streamId, headers.get(call.method()), to);
    to.setMedium(start - Http2CodecUtil.FRAME_HEADER_LENGTH, to.writerIndex() - start);
  }

  private static ByteBuf write(MessageLite message, int bytes, ByteBuf to) {
    int messageBytes = bytes - PREFIX_BYTES;
    to.writeByte(0).writeInt(messageBytes);
    try {
      CodedOutputStream coded =
          CodedOutputStream.newInstance(to.nioBuffer(to.writerIndex(), messageBytes));
      message.writeTo(coded);
      coded.flush();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return to.writerIndex(to.writerIndex() + messageBytes);
  }

  /** The server takes more data, of one call or, if there is none, of all together. */
  void widen(EtcdCall call, int bytes) throws Http2Exception {
    if (call == null) {
      window = widened(window, bytes);
    } else {
      call.window = widened(call.window, bytes);
    }
    unblock();
  }

  private static int widened(int window, int bytes) throws Http2Exception {
    long widened = (long) window + bytes;
    if (widened > Integer.MAX_VALUE) {
      throw Http2Exception.connectionError(
          Http2Error.FLOW_CONTROL_ERROR, "a window of %d bytes", widened);
    }
    return (int) widened;
  }

  private void unblock() {
    for (Iterator<EtcdCall> calls = blocked.iterator(); window > 0 && calls.hasNext(); ) {
      EtcdCall call = calls.next();
      while (call.unsent.isReadable() && window > 0 && call.window > 0) {
        int most = Math.min(window, Math.min(call.window, frameBytes));
        int bytes = Math.min(most, call.unsent.readableBytes());
        window -= bytes;
        call.window -= bytes;
        boolean last = bytes == call.unsent.readableBytes();
        frame(bytes, Http2FrameTypes.DATA, last ? END_OF_STREAM : NONE, call.streamId)
            .writeBytes(call.unsent, bytes);
      }
      if (!call.unsent.isReadable()) {
        calls.remove();
      }
    }
  }

  /** Sends no more of a call. */
  void forget(EtcdCall call) {
    blocked.remove(call);
  }

  /** The server answered before it had all, or nobody waits for it any more. */
  void cancel(EtcdCall call) {
    forget(call);
    frame(Integer.BYTES, Http2FrameTypes.RST_STREAM, NONE, call.streamId).writeInt((int) CANCEL);
  }

  /** Data came; the window of the connection is opened again before it is used up. */
  void received(int bytes) {
    receivedBytes += bytes;
    if (receivedBytes > MAX_MESSAGE_BYTES / 2) {
      windowUpdate(receivedBytes);
      receivedBytes = 0;
    }
  }

  private void windowUpdate(int bytes) {
    frame(Integer.BYTES, Http2FrameTypes.WINDOW_UPDATE, NONE, 0).writeInt(bytes);
  }

  void answerPing(long data) {
    frame(Long.BYTES, Http2FrameTypes.PING, ACK, 0).writeLong(data);
  }

  private ByteBuf frame(int bytes, byte type, Http2Flags flags, int streamId) {
    ByteBuf to = room(Http2CodecUtil.FRAME_HEADER_LENGTH + bytes);
    Http2CodecUtil.writeFrameHeader(to, bytes, type, flags, streamId);
    return to;
  }

  private ByteBuf room(int bytes) {
    if (out == Unpooled.EMPTY_BUFFER) {
      out = context.alloc().directBuffer(Math.max(bytes, DEFAULT_FRAME_BYTES));
    }
    return out.ensureWritable(bytes);
  }

  /** Sends what was put together. */
  void flush() {
    if (out != Unpooled.EMPTY_BUFFER) {
      ByteBuf full = out;
      out = Unpooled.EMPTY_BUFFER;
      context.writeAndFlush(full, context.voidPromise());
    }
  }

  void close() {
    encoder.close();
    out.release();
    out = Unpooled.EMPTY_BUFFER;
  }
}
