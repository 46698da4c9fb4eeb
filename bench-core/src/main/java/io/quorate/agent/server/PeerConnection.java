package io.quorate.agent.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;

/**
 * A connection to an agent. It is closed at once, and without a word to the layers above, when more
 * comes than its limits allow: little before it has a session, more during one.
 */
final class PeerConnection extends ChannelInboundHandlerAdapter {
  private enum State {
    WITHOUT_SESSION,
    HOLDING,
    CLOSING
  }

  private final ConnectionLimits limits;
  private final FrameLimit frames;
  private volatile State state = State.WITHOUT_SESSION;
  private volatile long silentSinceNanos = System.nanoTime();
  private volatile ChannelHandlerContext context;
  private boolean begun;
  private long bytesWithoutSession;

  PeerConnection(ConnectionLimits limits) {
    this.limits = limits;
    this.frames = new FrameLimit(this, limits);
  }

  boolean isWithoutSession() {
    return state == State.WITHOUT_SESSION;
  }

  boolean isHolding() {
    return state == State.HOLDING;
  }

  /**
   * Returns whether the connection has been shown to speak HTTP/2, with a key where one is needed.
   */
  boolean isKnown() {
    return frames.haveCome();
  }

  /** Returns the time when the connection was opened, or ended its session. */
  long silentSinceNanos() {
    return silentSinceNanos;
  }

  /** Marks the connection as holding the agent. */
  synchronized void hold() {
    if (state == State.WITHOUT_SESSION) {
      state = State.HOLDING;
    }
  }

  /** Marks the end of its session. */
  synchronized void release() {
    if (state == State.HOLDING) {
      silentSinceNanos = System.nanoTime();
      state = State.WITHOUT_SESSION;
    }
  }

  /** Closes it unless it holds the agent; false if it does, or is being closed already. */
  boolean closeIfWithoutSession() {
    synchronized (this) {
      if (state != State.WITHOUT_SESSION) {
        return false;
      }
      state = State.CLOSING;
    }
    closeSocket();
    return true;
  }

  /** Closes the connection, discarding unsent data. */
  void close() {
    synchronized (this) {
      state = State.CLOSING;
    }
    closeSocket();
  }

  /** Closes the socket; called without the lock, because the listeners take other locks. */
  private void closeSocket() {
    ChannelHandlerContext present = context;
    if (present != null) {
      present.close();
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    if (state == State.CLOSING) {
      added.close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext here, Object message) {
    if (state == State.CLOSING) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (!begun) {
      begun = true;
      countFrames(here);
    }
    if (state == State.WITHOUT_SESSION) {
      bytesWithoutSession += ((ByteBuf) message).readableBytes();
      if (bytesWithoutSession > limits.bytesWithoutSession()) {
        ReferenceCountUtil.release(message);
        close();
        return;
      }
    }
    here.fireChannelRead(message);
  }

  /** Counts frames from now on, behind the encryption if there is one. */
  private void countFrames(ChannelHandlerContext here) {
    ChannelHandlerContext encryption = here.pipeline().context(SslHandler.class);
    here.pipeline().addAfter(encryption == null ? here.name() : encryption.name(), null, frames);
  }
}
