package io.quorate.store;

/**
 * Receives the outcome of a request, once, on a thread of the driver or on the calling thread. It
 * must not block and must not throw.
 */
public interface Completion {
  /** Reports a write that was acknowledged by the quorum. */
  void written();

  /**
   * Reports a read that found the key.
   *
   * @param value the stored bytes, not to be changed; of length 0 for an empty value
   */
  void found(byte[] value);

  /** Reports that a read, an update or a delete found no such key. */
  void missing();

  /**
   * Reports a failed request; whether the store carried it out is unknown for {@link
   * ErrorKind#TIMEOUT}, {@link ErrorKind#CONNECTION} and {@link ErrorKind#OTHER}.
   *
   * @param message what the client library or the server said, one line
   */
  void failed(ErrorKind kind, String message);
}
