package io.quorate.capacity;

import java.util.Optional;

/**
 * The outcome of a search.
 *
 * @param holds the highest load that was found to hold; empty if none was
 * @param fails the lowest load above it that was found not to hold, or that the load generator
 *     could not make; empty if none was
 * @param trials how many were made, spoiled ones included
 */
public record Conclusion(
    Outcome outcome, Optional<Bound> holds, Optional<Bound> fails, int trials) {
  /** Returns whether a load is known to hold. */
  public boolean isKnown() {
    return holds.isPresent() && outcome != Outcome.UNSTABLE;
  }
}
