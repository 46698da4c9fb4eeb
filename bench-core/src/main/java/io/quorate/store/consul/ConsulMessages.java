package io.quorate.store.consul;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.Returned;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Makes the HTTP messages of requests to one Consul server. */
final class ConsulMessages {
  private static final JsonFactory JSON = new JsonFactory();
  private static final byte[] NO_BODY = new byte[0];

  private static final AsciiString TOKEN = AsciiString.cached(ConsulToken.HEADER);

  private final AsciiString host;
  private final AsciiString token;

  /**
   * Makes messages that have no token.
   *
   * @param host of every message
   */
  ConsulMessages(AsciiString host) {
    this(host, AsciiString.EMPTY_STRING);
  }

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
    Request asked = request.asked();
    if (request.isForLeader()) {
      return message(HttpMethod.GET, "/v1/status/leader", NO_BODY);
    } else if (asked instanceof Request.Put put) {
      return message(HttpMethod.PUT, path(put.key()), put.value());
    } else if (asked instanceof Request.Get get) {
      String query = get.consistency() == ReadConsistency.DEFAULT ? "" : "?";
      return message(
          HttpMethod.GET, path(get.key()) + query + consistency(get.consistency()), NO_BODY);
    } else if (asked instanceof Request.Delete delete) {
      return message(HttpMethod.DELETE, path(delete.key()), NO_BODY);
    } else if (asked instanceof Request.Range range) {
      String what = range.returned() == Returned.KEYS ? "?keys" : "?recurse";
      String query = range.consistency() == ReadConsistency.DEFAULT ? what : what + "&";
      return message(
          HttpMethod.GET, path(range.prefix()) + query + consistency(range.consistency()), NO_BODY);
    } else if (asked instanceof Request.CompareAndSet compared) {
      return message(
          HttpMethod.PUT, path(compared.key()) + "?cas=" + compared.revision(), compared.value());
    }
    return message(HttpMethod.PUT, "/v1/txn", json(((Request.Txn) asked).puts()));
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

  private static String path(byte[] key) {
    return "/v1/kv/" + new String(key, ISO_8859_1);
  }

  private static String consistency(ReadConsistency consistency) {
    return switch (consistency) {
      case LINEARIZABLE -> "consistent";
      case STALE -> "stale";
      case DEFAULT -> "";
    };
  }

  private static byte[] json(List<Request.Put> puts) {
    var bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartArray();
      for (Request.Put put : puts) {
        json.writeStartObject();
        json.writeObjectFieldStart("KV");
        json.writeStringField("Verb", "set");
        json.writeStringField("Key", new String(put.key(), ISO_8859_1));
        json.writeBinaryField("Value", put.value());
        json.writeEndObject();
        json.writeEndObject();
      }
      json.writeEndArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }
}
