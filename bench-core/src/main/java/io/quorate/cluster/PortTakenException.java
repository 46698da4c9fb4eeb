// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import io.quorate.QuorateException;

/** Thrown when a server could not listen on the port that was chosen for it. */
public final class PortTakenException extends QuorateException {
  private static final long serialVersionUID = 1L;

  PortTakenException(String message) {
    super(message);
  }
}
