package io.quorate.gatling;

import io.quorate.driver.ErrorKind;

/** Told of each request after it was recorded; on the thread on which it ended, must not block. */
interface RequestLog {
  /** Keeps nothing: for warm-up and preparation. */
  RequestLog NONE =
      new RequestLog() {
        @Override
        public void succeeded(long startNanos, long endNanos) {}

        @Override
        public void failed(long startNanos, long endNanos, ErrorKind kind, String message) {}

        @Override
        public void ended() {}
      };

  /** Times of the nano clock. */
  void succeeded(long startNanos, long endNanos);

  void failed(long startNanos, long endNanos, ErrorKind kind, String message);

  /** There will be no further request. */
  void ended();
}
