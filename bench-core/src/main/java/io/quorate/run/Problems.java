package io.quorate.run;

import io.quorate.QuorateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Collects the problems of several files, so that they are reported together. */
public final class Problems {
  private final List<String> messages = new ArrayList<>();

  /**
   * Returns the result of reading; empty if that fails with a {@link QuorateException}, which is
   * kept.
   */
  public <T> Optional<T> attempt(Supplier<T> reading) {
    try {
      return Optional.of(reading.get());
    } catch (QuorateException problem) {
      messages.add(problem.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Reports the problems that were collected.
   *
   * @throws QuorateException with all problems, a line or more for each, if there is one
   */
  public void throwIfAny() {
    if (!messages.isEmpty()) {
      throw new QuorateException(String.join("\n", messages));
    }
  }
}
