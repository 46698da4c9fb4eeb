package io.quorate.store.etcd;

import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import io.quorate.store.DriverSettings;
import io.quorate.store.Operation;
import java.util.EnumMap;
import java.util.Map;

/** The headers of gRPC calls to one server, as gRPC over HTTP/2 defines them; made once. */
final class GrpcHeaders {
  private static final long MAX_TIMEOUT = 99_999_999; // gRPC allows eight digits

  private final Map<Operation, Http2Headers> headers = new EnumMap<>(Operation.class);

  GrpcHeaders(DriverSettings settings) {
    long timeoutMillis = Math.min(MAX_TIMEOUT, settings.requestTimeout().toMillis());
    for (Operation operation : EtcdOperation.all()) {
      headers.put(
          operation,
          ReadOnlyHttp2Headers.clientHeaders(
              false,
              AsciiString.cached("POST"),
              EtcdOperation.of(operation).path(),
              AsciiString.cached("http"),
              AsciiString.of(settings.endpoint().toString()),
              AsciiString.cached("content-type"),
              AsciiString.cached("application/grpc"),
              AsciiString.cached("te"),
              AsciiString.cached("trailers"),
              AsciiString.cached("user-agent"),
              AsciiString.cached("quorate"),
              AsciiString.cached("grpc-timeout"),
              AsciiString.of(timeoutMillis + "m")));
    }
  }

  Http2Headers of(Operation operation) {
    return headers.get(operation);
  }
}
