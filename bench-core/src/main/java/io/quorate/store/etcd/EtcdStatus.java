// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.grpc.Status;
import io.netty.handler.codec.http2.Http2Headers;
import io.quorate.store.ErrorKind;
import io.quorate.store.driver.OneLine;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Interprets the status of a gRPC call. */
public final class EtcdStatus {
  /**
   * Messages of refusals before a member proposes anything. Other reasons to be unavailable, such
   * as a new leader, may have occurred while a write was in flight.
   */
  private static final List<String> UNDONE =
      List.of("etcdserver: unhealthy cluster", "etcdserver: rpc not supported for learner");

  private EtcdStatus() {}

  static Status of(Http2Headers trailers) {
    CharSequence code = trailers.get("grpc-status");
    if (code == null) {
      return Status.UNKNOWN.withDescription("no gRPC status, HTTP status " + trailers.status());
    }
    CharSequence message = trailers.get("grpc-message"); // percent-encoded
    Status status;
    try {
      status = Status.fromCodeValue(Integer.parseInt(code.toString()));
    } catch (NumberFormatException notANumber) {
      return Status.UNKNOWN.withDescription("found grpc-status " + code + ", expected a number");
    }
    return message == null || message.length() == 0
        ? status
        : status.withDescription(decoded(message.toString()));
  }

  private static String decoded(String message) {
    try {
      // the two encodings differ in the meaning of a plus sign
      return URLDecoder.decode(message.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return message;
    }
  }

  public static ErrorKind kind(Status status) {
    return switch (status.getCode()) {
      case DEADLINE_EXCEEDED -> ErrorKind.TIMEOUT;
      case UNAVAILABLE -> unavailable(status.getDescription());
      // gRPC's message for a request on a connection that was just closed
      case UNKNOWN ->
          "channel closed".equals(status.getDescription()) ? ErrorKind.CONNECTION : ErrorKind.OTHER;
      case INVALID_ARGUMENT,
          NOT_FOUND,
          ALREADY_EXISTS,
          PERMISSION_DENIED,
          UNAUTHENTICATED,
          RESOURCE_EXHAUSTED, // at the quota, puts in flight are still carried out
          FAILED_PRECONDITION,
          OUT_OF_RANGE ->
          ErrorKind.REJECTED;
      default -> ErrorKind.OTHER;
    };
  }

  /**
   * Returns the kind of UNAVAILABLE, which is gRPC's status for a lost connection and etcd's for a
   * cluster that cannot serve now.
   */
  private static ErrorKind unavailable(String description) {
    if (description == null || !description.startsWith("etcdserver: ")) {
      return ErrorKind.CONNECTION;
    }
    if (description.startsWith("etcdserver: request timed out")) {
      return ErrorKind.TIMEOUT;
    }
    if (description.startsWith("etcdserver: no leader")) {
      return ErrorKind.NO_LEADER;
    }
    if (description.startsWith("etcdserver: server stopped")) {
      return ErrorKind.CONNECTION;
    }
    return UNDONE.stream().anyMatch(description::startsWith) ? ErrorKind.REJECTED : ErrorKind.OTHER;
  }

  public static String message(Status status) {
    String description = status.getDescription();
    return description == null
        ? status.getCode().name()
        : status.getCode() + ": " + OneLine.of(description);
  }
}
