// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failure that the user can resolve: its message says what was found, what was expected and what
 * to do. {@code main} prints the message alone and exits with a code other than 0; a stack trace is
 * never shown for it.
 */
public class QuorateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public QuorateException(String message) {
    super(message);
  }

  public QuorateException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Returns the message, which every instance has. */
  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }

  /** Throws a problem if there is one. */
  public static void throwIf(Optional<String> problem) {
    throwIfAny(problem.stream().toList());
  }

  /** Throws problems together, each once on a separate line, if there are any. */
  public static void throwIfAny(Collection<String> problems) {
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", new LinkedHashSet<>(problems)));
    }
  }
}
