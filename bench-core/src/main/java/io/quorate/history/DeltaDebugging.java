// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds few parts of a whole that still fail a test (A. Zeller and R. Hildebrandt, "Simplifying and
 * isolating failure-inducing input", IEEE Trans. Softw. Eng. 28(2), 2002): without any one of them,
 * the rest passes. Parts are removed in halves first, then in smaller and smaller pieces.
 */
final class DeltaDebugging {
  /** Number of parts, in all tests, after which what is left stays: less than some seconds. */
  static final long MOST_WORK = 20_000_000;

  private DeltaDebugging() {}

  /**
   * Returns the parts that are left, in their order; more than needed if all are too many.
   *
   * @param all parts that fail together
   */
  static <T> List<T> fewest(List<T> all, Predicate<List<T>> fails) {
    List<T> kept = all;
    long work = 0;
    for (int size = Math.max(1, all.size() / 2); ; size = Math.max(1, size / 2)) {
      int before = kept.size();
      for (int from = 0; from < kept.size(); ) {
        work += kept.size();
        if (work > MOST_WORK) {
          return kept;
        }
        List<T> rest = new ArrayList<>(kept);
        rest.subList(from, Math.min(from + size, rest.size())).clear();
        if (fails.test(rest)) {
          kept = rest;
        } else {
          from += size;
        }
      }
      if (size == 1 && kept.size() == before) {
        return kept;
      }
    }
  }
}
