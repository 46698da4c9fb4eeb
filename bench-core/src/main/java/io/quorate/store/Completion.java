package io.quorate.store;

/**
 * Receives the outcome of a request, once, on a thread of the driver or on the calling thread. It
 * must not block and must not throw.
 */
public interface Completion {
  /** Reports that the store carried the request out, or found nothing to carry it out on. */
  void answered(Answer answer);

  /**
   * Reports a failed request; whether the store carried it out is unknown for {@link
   * ErrorKind#TIMEOUT}, {@link ErrorKind#CONNECTION} and {@link ErrorKind#OTHER}.
   *
   * @param message what the client library or the server said, one line
   */
  void failed(ErrorKind kind, String message);
}
