// SPDX-License-Identifier: Apache-2.0
package io.quorate.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The result of reading keys back from the database after a load, and comparing them with the
 * acknowledged writes.
 *
 * @param acknowledgedKeys number of keys with acknowledged writes or removals
 * @param chosenKeys how many of these keys were to be read back
 * @param readKeys how many of the chosen keys were read back
 * @param missingKeys how many of the read keys are missing although they should exist
 * @param wrongKeys how many of the read keys have a wrong value, or exist although they were
 *     removed
 * @param firstFaults the first of the missing or wrong keys, in order
 * @param leastKeyCount least number of keys that the store should count
 * @param keyCount number of keys that the store counts; empty if it cannot count or was not asked
 * @param valuesCompared whether each value was compared with the written ones; false if values are
 *     so short that they repeat
 * @param obstacle why some keys could not be read; empty if all were read
 */
public record Verification(
    long acknowledgedKeys,
    long chosenKeys,
    long readKeys,
    long missingKeys,
    long wrongKeys,
    List<Fault> firstFaults,
    long leastKeyCount,
    OptionalLong keyCount,
    boolean valuesCompared,
    Optional<String> obstacle,
    long elapsedNanos) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int NAMED = 3;
  private static final int SHOWN_OF_KEY = 20;

  /** A missing or wrong key, and the reason: a sentence without a full stop. */
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
    firstFaults = List.copyOf(firstFaults);
    if (chosenKeys > acknowledgedKeys
        || readKeys > chosenKeys
        || missingKeys > readKeys
        || wrongKeys > readKeys - missingKeys) {
      throw new IllegalArgumentException(
          "expected no more keys missing and wrong than read, chosen and acknowledged");
    }
  }

  /** Returns how many keys are missing in the store's count; 0 if none, or if it cannot count. */
  public long uncounted() {
    return Math.max(0, leastKeyCount - keyCount.orElse(leastKeyCount));
  }

  /** Returns whether an acknowledged write is missing or wrong. */
  public boolean failed() {
    return missingKeys + wrongKeys + uncounted() > 0;
  }

  /** Returns whether all chosen keys were read back. */
  public boolean isComplete() {
    return readKeys == chosenKeys && obstacle.isEmpty();
  }

  public String text() {
    return text(false);
  }

  /**
   * Returns what was read back, in words.
   *
   * @param lost whether writes were lost before, although later ones made the last values correct
   */
  public String text(boolean lost) {
    List<String> parts = new ArrayList<>();
    parts.add(
        acknowledgedKeys == chosenKeys && readKeys == chosenKeys
            ? number(readKeys, "acknowledged key") + " verified"
            : String.format(
                Locale.ROOT, "%,d of %,d acknowledged keys verified", readKeys, acknowledgedKeys));
    if (readKeys > 0) {
      parts.add(faults(lost));
    }
    obstacle.ifPresent(
        why ->
            parts.add(
                String.format(
                    Locale.ROOT, "%,d could not be read: %s", chosenKeys - readKeys, why)));
    keyCount.ifPresent(count -> parts.add("the database counts " + number(count, "key")));
    parts.add(String.format(Locale.ROOT, "%.1f s", elapsedNanos / NANOS_PER_SECOND));
    return String.join(", ", parts);
  }

  private String faults(boolean lost) {
    if (missingKeys + wrongKeys > 0) {
      return String.format(Locale.ROOT, "%,d missing and %,d wrong", missingKeys, wrongKeys);
    }
    if (lost || uncounted() > 0) {
      return "none of these missing or wrong at the end";
    }
    return valuesCompared ? "all correct" : "all present; values too short to compare";
  }

  /** Returns why the run has failed, with the first keys. */
  public String reason() {
    List<String> found = new ArrayList<>();
    if (missingKeys + wrongKeys > 0) {
      found.add(
          String.format(
              Locale.ROOT,
              "of %s verified, %,d %s missing and %,d wrong",
              number(readKeys, "acknowledged key"),
              missingKeys,
              missingKeys == 1 ? "is" : "are",
              wrongKeys));
      firstFaults.stream().limit(NAMED).map(Fault::toString).forEach(found::add);
    }
    if (uncounted() > 0) {
      found.add(
          String.format(
              Locale.ROOT,
              "the database counts %s, %,d fewer than it acknowledged",
              number(keyCount.orElse(0), "key"),
              uncounted()));
    }
    return String.join("; ", found);
  }

  private static String number(long count, String what) {
    return String.format(Locale.ROOT, "%,d %s%s", count, what, count == 1 ? "" : "s");
  }
}
