package io.quorate.load;

import io.quorate.store.ErrorKind;

/** Receives requests after they were recorded, on one thread at a time. */
public interface RequestListener {
  /** Ignores all requests: for warm-up and preparation. */
  RequestListener NOBODY =
      new RequestListener() {
        @Override
        public void succeeded(int operation, long startNanos, long endNanos) {}

        @Override
        public void failed(
            int operation, long startNanos, long endNanos, ErrorKind kind, String message) {}
      };

  /**
   * Reports a successful request.
   *
   * @param operation its position among the operations of the step
   * @param startNanos when it was due, a time of the nano clock
   */
  void succeeded(int operation, long startNanos, long endNanos);

  /** Reports a failed request, as {@link #succeeded} does. */
  void failed(int operation, long startNanos, long endNanos, ErrorKind kind, String message);
}
