package io.quorate.store.etcd;

import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import io.quorate.store.DriverSettings;
import io.quorate.store.Operation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The headers of gRPC calls to one server, as gRPC over HTTP/2 defines them; made once for each
 * token. For one thread.
 */
final class GrpcHeaders {
  private static final long MAX_TIMEOUT = 99_999_999; // gRPC allows eight digits

  private final DriverSettings settings;
  private final EtcdAccess access;
  private final Map<Operation, Http2Headers> headers = new EnumMap<>(Operation.class);
  private String token;

  GrpcHeaders(DriverSettings settings, EtcdAccess access) {
    this.settings = settings;
    this.access = access;
    make(access.token());
  }

  private void make(String withToken) {
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
    for (Operation operation : EtcdOperation.all()) {
      headers.put(
          operation,
          ReadOnlyHttp2Headers.clientHeaders(
              false,
              AsciiString.cached("POST"),
              EtcdOperation.of(operation).path(),
              AsciiString.cached(settings.access().scheme()),
              AsciiString.of(settings.endpoint().toString()),
              others.toArray(AsciiString[]::new)));
    }
  }

  private static void add(List<AsciiString> to, String name, String value) {
    to.add(AsciiString.cached(name));
    to.add(AsciiString.cached(value));
  }

  /** Returns the headers of a call, with the token of this moment. */
  Http2Headers of(Operation operation) {
    String now = access.token();
    if (!now.equals(token)) {
      make(now);
    }
    return headers.get(operation);
  }
}
