package io.quorate.driver;

import io.grpc.Status;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** What the status of a gRPC call means. */
final class EtcdStatus {
  private EtcdStatus() {}

  /**
   * That of trailers.
   *
   * @param code as in {@code grpc-status}
   * @param message as in {@code grpc-message}, percent-encoded; null if there is none
   */
  static Status of(String code, CharSequence message) {
    Status status;
    try {
      status = Status.fromCodeValue(Integer.parseInt(code));
    } catch (NumberFormatException notANumber) {
      return Status.UNKNOWN.withDescription("found grpc-status " + code + ", expected a number");
    }
    return message == null || message.length() == 0
        ? status
        : status.withDescription(decoded(message.toString()));
  }

  private static String decoded(String message) {
    try {
      // what a plus sign means differs between the two encodings
      return URLDecoder.decode(message.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return message;
    }
  }

  static ErrorKind kind(Status status) {
    return switch (status.getCode()) {
      case DEADLINE_EXCEEDED -> ErrorKind.TIMEOUT;
      case UNAVAILABLE -> unavailable(status.getDescription());
      // gRPC's words for a request that found its connection just closed
      case UNKNOWN ->
          "channel closed".equals(status.getDescription()) ? ErrorKind.CONNECTION : ErrorKind.OTHER;
      case INVALID_ARGUMENT,
          NOT_FOUND,
          ALREADY_EXISTS,
          PERMISSION_DENIED,
          UNAUTHENTICATED,
          RESOURCE_EXHAUSTED,
          FAILED_PRECONDITION,
          OUT_OF_RANGE ->
          ErrorKind.REJECTED;
      default -> ErrorKind.OTHER;
    };
  }

  /** UNAVAILABLE is gRPC's word for a lost connection and etcd's for a cluster that cannot now. */
  private static ErrorKind unavailable(String description) {
    if (description == null || !description.startsWith("etcdserver: ")) {
      return ErrorKind.CONNECTION;
    }
    if (description.startsWith("etcdserver: request timed out")) {
      return ErrorKind.TIMEOUT;
    }
    return description.startsWith("etcdserver: server stopped")
        ? ErrorKind.CONNECTION
        : ErrorKind.REJECTED;
  }

  static String message(Status status) {
    String description = status.getDescription();
    return description == null
        ? status.getCode().name()
        : status.getCode() + ": " + description.lines().findFirst().orElse("");
  }
}
