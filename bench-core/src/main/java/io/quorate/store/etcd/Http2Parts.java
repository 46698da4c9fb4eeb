package io.quorate.store.etcd;

import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.StreamBufferingEncoder;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;

/**
 * Netty's parts of the client's end of an HTTP/2 connection, with the sizes that a server may use:
 * it can send a whole answer without waiting for its window to be opened again.
 */
record Http2Parts(
    Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
  static final int MAX_MESSAGE_BYTES = 16 << 20;
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
            .initialWindowSize(MAX_MESSAGE_BYTES)
            .maxHeaderListSize(MAX_HEADER_BYTES);
    return new Http2Parts(decoder, encoder, settings);
  }
}
