package io.quorate.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The result of reading keys back after a load, through the database, and comparing them with what
 * was acknowledged.
 *
 * @param acknowledged how many keys the store has acknowledged to have written or removed
 * @param chosen how many of them were to be read back
 * @param read how many were
 * @param missing how many of these are not there, though they should be
 * @param wrong how many have another value than they should, or are there though they were removed
 * @param first the first of those that are missing or wrong, by their order
 * @param leastCount how many keys the store should count at least
 * @param counted how many it does; empty if it cannot, or was not asked
 * @param valuesCompared whether each value was compared with what was written to its key; if not,
 *     the values are so short that they repeat
 * @param obstacle why some could not be read; empty if all were
 * @param elapsedNanos how long it took
 */
public record Verification(
    long acknowledged,
    long chosen,
    long read,
    long missing,
    long wrong,
    List<Fault> first,
    long leastCount,
    OptionalLong counted,
    boolean valuesCompared,
    Optional<String> obstacle,
    long elapsedNanos) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int NAMED = 3;
  private static final int SHOWN_OF_KEY = 20;

  /**
   * A key that is not as it should be.
   *
   * @param found what is wrong with it: a sentence without a full stop
   */
  public record Fault(String key, String found) {
    /** Returns the key, a long one by its end, and the problem. */
    @Override
    public String toString() {
      String shown =
          key.length() > SHOWN_OF_KEY ? "..." + key.substring(key.length() - SHOWN_OF_KEY) : key;
      return shown + ": " + found;
    }
  }

  public Verification {
    first = List.copyOf(first);
  }

  /** Returns how many keys fewer than it should the store counts; 0 if none, or it cannot. */
  public long uncounted() {
    return Math.max(0, leastCount - counted.orElse(leastCount));
  }

  /** Returns whether something that was acknowledged is missing or wrong. */
  public boolean failed() {
    return missing + wrong + uncounted() > 0;
  }

  /** Returns the result in a line. */
  public String text() {
    List<String> parts = new ArrayList<>();
    parts.add(
        acknowledged == chosen && read == chosen
            ? number(read, "acknowledged key") + " read back"
            : String.format(
                Locale.ROOT, "%,d of %,d acknowledged keys read back", read, acknowledged));
    if (read > 0) {
      parts.add(faults());
    }
    obstacle.ifPresent(
        why ->
            parts.add(String.format(Locale.ROOT, "%,d could not be read: %s", chosen - read, why)));
    counted.ifPresent(count -> parts.add("the store counts " + number(count, "key")));
    parts.add(String.format(Locale.ROOT, "%.1f s", elapsedNanos / NANOS_PER_SECOND));
    return String.join(", ", parts);
  }

  private String faults() {
    if (missing + wrong > 0) {
      return String.format(Locale.ROOT, "%,d missing and %,d wrong", missing, wrong);
    }
    return valuesCompared ? "all as written" : "all there, with values too short to tell apart";
  }

  /** Returns why the run has failed, with the first keys. */
  public String reason() {
    List<String> found = new ArrayList<>();
    if (missing + wrong > 0) {
      found.add(
          String.format(
              Locale.ROOT,
              "of %s read back, %,d %s missing and %,d wrong",
              number(read, "acknowledged key"),
              missing,
              missing == 1 ? "is" : "are",
              wrong));
      first.stream().limit(NAMED).map(Fault::toString).forEach(found::add);
    }
    if (uncounted() > 0) {
      found.add(
          String.format(
              Locale.ROOT,
              "the store counts %s, %,d fewer than it acknowledged",
              number(counted.orElse(0), "key"),
              uncounted()));
    }
    return String.join("; ", found);
  }

  private static String number(long count, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", count, what, count == 1 ? "" : "s");
  }
}
