package io.quorate.agent.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.util.ReferenceCountUtil;
import io.quorate.agent.RateLimit;
import java.nio.charset.StandardCharsets;

/**
 * Counts the HTTP/2 frames of all kinds that arrive on a connection, before they are handled, and
 * closes it when there are too many: resets, settings, pings, empty data and others.
 */
final class FrameLimit extends ChannelInboundHandlerAdapter {
  private static final int PREFACE_BYTES = 24;
  private static final int HEADER_BYTES = 9;
  private static final int LENGTH_BYTES = 3;
  private static final int GO_AWAY_BYTES = 8;
  private static final byte[] WHY = "too many frames".getBytes(StandardCharsets.US_ASCII);

  /** Seconds' worth of frames that may arrive at once. */
  private static final int BURST_SECONDS = 2;

  private final PeerConnection connection;
  private final ConnectionLimits limits;
  private final RateLimit holderFrames;
  private final RateLimit holderControlFrames;
  private int framesWithoutSession;
  private int skipBytes = PREFACE_BYTES;
  private int headerBytes;
  private int length;
  private volatile boolean haveCome;

  FrameLimit(PeerConnection connection, ConnectionLimits limits) {
    this.connection = connection;
    this.limits = limits;
    this.holderFrames = new RateLimit(limits.holderFramesPerSecond(), BURST_SECONDS);
    this.holderControlFrames =
        new RateLimit(limits.holderControlFramesPerSecond(), 5 * BURST_SECONDS);
  }

  boolean haveCome() {
    return haveCome;
  }

  @Override
  public void channelRead(ChannelHandlerContext here, Object message) {
    if (message instanceof ByteBuf bytes && !count(bytes)) {
      ReferenceCountUtil.release(message);
      here.writeAndFlush(goAway(here));
      connection.close();
    } else {
      here.fireChannelRead(message);
    }
  }

  /** Counts the frames in these bytes; false if there are too many. */
  private boolean count(ByteBuf bytes) {
    int end = bytes.writerIndex();
    int at = bytes.readerIndex();
    while (at < end) {
      if (skipBytes > 0) {
        int skipped = Math.min(skipBytes, end - at);
        skipBytes -= skipped;
        at += skipped;
      } else if (!countByte(bytes.getUnsignedByte(at++))) {
        return false;
      }
    }
    return true;
  }

  /** Takes one byte of the header of a frame: three bytes are its length, one is its type. */
  private boolean countByte(int value) {
    boolean fine = true;
    if (headerBytes < LENGTH_BYTES) {
      length = length << Byte.SIZE | value;
    } else if (headerBytes == LENGTH_BYTES) {
      fine = isAllowed((byte) value);
    }
    headerBytes++;
    if (headerBytes == HEADER_BYTES) {
      headerBytes = 0;
      skipBytes = length;
      length = 0;
    }
    return fine;
  }

  private boolean isAllowed(byte type) {
    haveCome = true;
    if (!connection.isHolding()) {
      return ++framesWithoutSession <= limits.framesWithoutSession();
    }
    long now = System.nanoTime();
    boolean cheap =
        type == Http2FrameTypes.DATA
            || type == Http2FrameTypes.WINDOW_UPDATE
            || type == Http2FrameTypes.PING;
    return holderFrames.take(now) && (cheap || holderControlFrames.take(now));
  }

  private static ByteBuf goAway(ChannelHandlerContext here) {
    ByteBuf frame = here.alloc().buffer(HEADER_BYTES + GO_AWAY_BYTES + WHY.length);
    frame.writeMedium(GO_AWAY_BYTES + WHY.length);
    frame.writeByte(Http2FrameTypes.GO_AWAY);
    frame.writeByte(0);
    frame.writeInt(0);
    frame.writeInt(0);
    frame.writeInt((int) Http2Error.ENHANCE_YOUR_CALM.code());
    frame.writeBytes(WHY);
    return frame;
  }
}
