package io.quorate.install;

import java.io.IOException;

/** Thrown when there are more bytes than a limit. */
final class LimitExceededException extends IOException {
  private static final long serialVersionUID = 1;

  LimitExceededException(String message) {
    super(message);
  }
}
