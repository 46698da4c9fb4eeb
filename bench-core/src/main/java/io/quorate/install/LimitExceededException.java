package io.quorate.install;

import java.io.IOException;

/** There are more bytes than somebody is ready to take. */
final class LimitExceededException extends IOException {
  private static final long serialVersionUID = 1;

  LimitExceededException(String message) {
    super(message);
  }
}
