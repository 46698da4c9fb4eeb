package io.quorate.load.verify;

import java.time.Duration;

/**
 * Limits of the time that reading keys back takes.
 *
 * @param withoutSuccess after so long without an answer it is given up
 * @param total after so long it is given up whatever it finds
 */
public record VerificationLimits(Duration withoutSuccess, Duration total) {
  /** Limits after a run that was made to its end. */
  public static final VerificationLimits PATIENT =
      new VerificationLimits(Duration.ofSeconds(30), Duration.ofDays(1));

  /** Limits after a run that was stopped early, whose servers may be gone. */
  public static final VerificationLimits AFTER_FAILURE =
      new VerificationLimits(Duration.ofSeconds(10), Duration.ofMinutes(2));

  /** Limits when a person waits for the end. */
  public static final VerificationLimits AFTER_INTERRUPT =
      new VerificationLimits(Duration.ofSeconds(5), Duration.ofSeconds(10));
}
