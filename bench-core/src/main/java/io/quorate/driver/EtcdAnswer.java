package io.quorate.driver;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.function.BiConsumer;

/** Waits for the one answer to one call. */
final class EtcdAnswer<A> extends ClientCall.Listener<A> {
  private final PendingRequest request;
  private final BiConsumer<A, Completion> onAnswer;
  private A answer;

  EtcdAnswer(PendingRequest request, BiConsumer<A, Completion> onAnswer) {
    this.request = request;
    this.onAnswer = onAnswer;
  }

  @Override
  public void onMessage(A message) {
    answer = message;
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    if (!status.isOk()) {
      request.end(completion -> completion.failed(kind(status), message(status)));
    } else if (answer == null) {
      request.end(completion -> completion.failed(ErrorKind.OTHER, "OK: no answer"));
    } else {
      request.end(completion -> onAnswer.accept(answer, completion));
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
