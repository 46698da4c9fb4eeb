package io.quorate.report.findings;

import io.quorate.format.NumberFormats;
import java.util.OptionalLong;

/**
 * A time of a second or more in which no request succeeded.
 *
 * @param longestSeconds the longest such time of a run
 * @param totalSeconds all such times together
 * @param clients that the step of the longest one had; of an open loop its connections
 * @param watched whether it was measured when requests ended; if not, only the whole seconds are
 *     known of which no request that was sent in them succeeded
 * @param ratePerSecond that was offered; empty in a closed loop
 * @param ofLoadGenerator whether the load generator stood still, so that it is not the store's
 */
public record Stall(
    double longestSeconds,
    double totalSeconds,
    int clients,
    boolean watched,
    OptionalLong ratePerSecond,
    boolean ofLoadGenerator) {
  /** Creates a stall of the store. */
  public Stall(
      double longestSeconds,
      double totalSeconds,
      int clients,
      boolean watched,
      OptionalLong ratePerSecond) {
    this(longestSeconds, totalSeconds, clients, watched, ratePerSecond, false);
  }

  /** Returns this stall as the longest of stalls that took so long together. */
  Stall within(double allSeconds) {
    return new Stall(longestSeconds, allSeconds, clients, watched, ratePerSecond, ofLoadGenerator);
  }

  private String load() {
    return ratePerSecond.isPresent()
        ? "at " + Prose.count(ratePerSecond.getAsLong()) + "/s"
        : "with " + Prose.clients(clients);
  }

  /** Returns a sentence without an end. */
  public String text() {
    return text("");
  }

  /**
   * Returns the sentence about one of several databases.
   *
   * @param of such as {@code " of etcd"}
   */
  String text(String of) {
    if (ofLoadGenerator) {
      return "the load generator stood still, so no request%s succeeded for %s s (%s)"
          .formatted(of, NumberFormats.fixed(longestSeconds, 1), load());
    }
    if (!watched) {
      return "no request%s that was sent in %s succeeded (%s)"
          .formatted(
              of,
              longestSeconds == 1
                  ? "one whole second"
                  : NumberFormats.fixed(longestSeconds, 0) + " whole seconds in a row",
              load());
    }
    String all =
        totalSeconds - longestSeconds < 0.05
            ? ""
            : ", and for %s s in all such times of a second or more"
                .formatted(NumberFormats.fixed(totalSeconds, 1));
    return "no request%s succeeded for %s s at a stretch (%s)%s"
        .formatted(of, NumberFormats.fixed(longestSeconds, 1), load(), all);
  }
}
