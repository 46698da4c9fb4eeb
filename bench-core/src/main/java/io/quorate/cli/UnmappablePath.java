package io.quorate.cli;

import io.quorate.VisibleText;
import java.nio.file.InvalidPathException;
import java.util.Optional;

/** Explains file names that this JVM cannot encode, because it was started in another encoding. */
final class UnmappablePath {
  /** The advice that follows the problem. */
  static final String REMEDY =
      "for names with other characters than ASCII, set LC_ALL=C.UTF-8 (or another locale of UTF-8)";

  private UnmappablePath() {}

  /** Returns an explanation; empty if a failure has another cause. */
  static Optional<String> explain(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof InvalidPathException invalid) {
        return Optional.of(
            "%s is not a path in the encoding of this system, %s: %s"
                .formatted(
                    VisibleText.quoted(invalid.getInput()),
                    System.getProperty("sun.jnu.encoding"),
                    REMEDY));
      }
    }
    return Optional.empty();
  }
}
