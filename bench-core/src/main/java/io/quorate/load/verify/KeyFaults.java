package io.quorate.load.verify;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.quorate.load.workload.ExpectedKeys;
import io.quorate.measure.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Counts the keys that were read back, and those that are not as they should be. Any thread. */
final class KeyFaults {
  private static final int MOST_NAMED = 10;

  private final TreeMap<String, String> first = new TreeMap<>();
  private long read;
  private long missing;
  private long wrong;

  /**
   * Counts a key.
   *
   * @param found what is wrong with it
   */
  synchronized void add(byte[] key, Optional<String> found) {
    read++;
    if (found.isEmpty()) {
      return;
    }
    if (found.get().equals(ExpectedKeys.MISSING)) {
      missing++;
    } else {
      wrong++;
    }
    first.put(new String(key, US_ASCII), found.get());
    if (first.size() > MOST_NAMED) {
      first.pollLastEntry();
    }
  }

  synchronized long read() {
    return read;
  }

  synchronized long missing() {
    return missing;
  }

  synchronized long wrong() {
    return wrong;
  }

  /** Returns the first ones, by their keys. */
  synchronized List<Verification.Fault> first() {
    List<Verification.Fault> faults = new ArrayList<>();
    first.forEach((key, found) -> faults.add(new Verification.Fault(key, found)));
    return faults;
  }
}
