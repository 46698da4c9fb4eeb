package io.quorate.gatling;

import io.quorate.store.ErrorKind;

/** Told of requests after they were recorded, by one thread at a time. */
interface RequestListener {
  /** Whom nothing matters: for warm-up and preparation. */
  RequestListener NOBODY =
      new RequestListener() {
        @Override
        public void succeeded(long startNanos, long endNanos) {}

        @Override
        public void failed(long startNanos, long endNanos, ErrorKind kind, String message) {}
      };

  /** Times of the nano clock. */
  void succeeded(long startNanos, long endNanos);

  void failed(long startNanos, long endNanos, ErrorKind kind, String message);
}
