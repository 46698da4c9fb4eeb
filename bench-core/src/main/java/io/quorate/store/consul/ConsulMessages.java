package io.quorate.store.consul;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;

/** Makes the HTTP messages of requests to one Consul server. */
final class ConsulMessages {
  private static final AsciiString TOKEN = AsciiString.cached(ConsulToken.HEADER);

  private final AsciiString host;
  private final AsciiString token;

  /**
   * @param host of every message
   * @param token of every message; empty for none
   */
  ConsulMessages(AsciiString host, AsciiString token) {
    this.host = host;
    this.token = token;
  }

  /** Returns the message of a request. */
  DefaultFullHttpRequest of(ConsulRequest request) {
    ConsulOperation operation = ConsulOperation.of(request);
    return message(
        operation.method(), operation.path(request.asked()), operation.body(request.asked()));
  }

  private DefaultFullHttpRequest message(HttpMethod method, String path, byte[] content) {
    ByteBuf body = Unpooled.wrappedBuffer(content);
    var message = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, method, path, body);
    message.headers().set(HttpHeaderNames.HOST, host);
    if (!token.isEmpty()) {
      message.headers().set(TOKEN, token);
    }
    if (method.equals(HttpMethod.PUT)) {
      message.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
    }
    return message;
  }
}
