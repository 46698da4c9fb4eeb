// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.DiskSpace;
import io.quorate.VisibleText;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.util.Optional;

/** Describes a failure for the user. */
final class Failure {
  private Failure() {}

  static String reason(IOException failure) {
    if (failure instanceof HttpConnectTimeoutException || failure instanceof ConnectException) {
      return "cannot connect: "
          + Optional.ofNullable(failure.getMessage())
              .orElse("no such host, or no server listens there");
    }
    if (failure instanceof HttpTimeoutException) {
      return "the server does not answer: " + failure.getMessage();
    }
    if (failure instanceof EOFException) {
      return "it ends too early: it is incomplete, so get it again";
    }
    if (failure instanceof ClosedChannelException || "closed".equals(failure.getMessage())) {
      return "the connection was closed before all of it had come: try again";
    }
    if (DiskSpace.tells(String.valueOf(failure.getMessage()))) {
      return "No space left on device: make room there, or set QUORATE_CACHE to a directory on"
          + " another one";
    }
    if (failure instanceof FileSystemException file && file.getReason() == null) {
      return file.getClass().getSimpleName()
          + ": "
          + VisibleText.line(String.valueOf(file.getMessage()));
    }
    return VisibleText.line(Optional.ofNullable(failure.getMessage()).orElse(failure.toString()));
  }
}
