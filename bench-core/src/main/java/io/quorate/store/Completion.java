package io.quorate.store;

/**
 * Told once how a request ended, on a thread of the driver or on the calling thread. It must not
 * block and must not throw.
 */
public interface Completion {
  /** A write was acknowledged by the quorum. */
  void written();

  /**
   * A read found the key.
   *
   * @param value the stored bytes, not to be changed; of length 0 for an empty value
   */
  void found(byte[] value);

  /** A read, an update or a delete was answered: there is no such key. */
  void missing();

  /**
   * The request failed; whether the store carried it out is unknown for {@link ErrorKind#TIMEOUT},
   * {@link ErrorKind#CONNECTION} and {@link ErrorKind#OTHER}.
   *
   * @param message what the client library or the server said, one line
   */
  void failed(ErrorKind kind, String message);
}
