package io.quorate.install;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.file.FileSystemException;
import java.util.Optional;

/** Why something failed, for a person. */
final class Failure {
  private Failure() {}

  static String reason(IOException failure) {
    if (failure instanceof HttpConnectTimeoutException || failure instanceof ConnectException) {
      return "cannot connect: "
          + Optional.ofNullable(failure.getMessage())
              .orElse("no such host, or nobody listens there");
    }
    if (failure instanceof HttpTimeoutException) {
      return "the server does not answer: " + failure.getMessage();
    }
    if (failure instanceof FileSystemException file && file.getReason() == null) {
      return file.getClass().getSimpleName() + ": " + Printable.of(file.getMessage());
    }
    return Printable.of(Optional.ofNullable(failure.getMessage()).orElse(failure.toString()));
  }
}
