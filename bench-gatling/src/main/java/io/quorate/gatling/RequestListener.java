package io.quorate.gatling;

import io.quorate.store.ErrorKind;

/** Receives requests after they were recorded, on one thread at a time. */
interface RequestListener {
  /** Ignores all requests: for warm-up and preparation. */
  RequestListener NOBODY =
      new RequestListener() {
        @Override
        public void succeeded(long startNanos, long endNanos) {}

        @Override
        public void failed(long startNanos, long endNanos, ErrorKind kind, String message) {}
      };

  /** Reports a successful request, with times of the nano clock. */
  void succeeded(long startNanos, long endNanos);

  void failed(long startNanos, long endNanos, ErrorKind kind, String message);
}
