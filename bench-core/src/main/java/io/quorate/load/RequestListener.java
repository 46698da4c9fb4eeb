// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import io.quorate.store.ErrorKind;

/** Receives requests after they were recorded, on one thread at a time. */
public interface RequestListener {
  /** Ignores all requests: for warm-up and preparation. */
  RequestListener NOBODY = new RequestListener() {};

  /** Reports a success: the index of its operation in the step, and its times of the nano clock. */
  default void succeeded(int operation, long startNanos, long endNanos) {}

  /** Reports a failed request, as {@link #succeeded} does. */
  default void failed(
      int operation, long startNanos, long endNanos, ErrorKind kind, String message) {}
}
