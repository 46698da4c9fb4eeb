// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.commons.text.similarity.DamerauLevenshteinDistance;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;

/** Suggests the correct name for a mistyped one. */
public final class Spelling {
  private static final int NEAREST = 3;
  private static final int MAX_LENGTH = 60;
  private static final double ALIKE = 0.85;

  private Spelling() {}

  /**
   * Returns {@code ; did you mean 'a'?} if a name is similar to the found text, otherwise nothing.
   */
  public static String hint(Collection<String> names, String found) {
    String text = found.length() > MAX_LENGTH ? "" : found.strip().toLowerCase(Locale.ROOT);
    return names.stream()
        .filter(name -> likeness(name, text) > ALIKE)
        .max(Comparator.comparingDouble(name -> likeness(name, text)))
        .map(name -> "; did you mean '" + name + "'?")
        .orElse("");
  }

  /** Returns the three names that are most like what was found, the best first. */
  public static List<String> nearest(Collection<String> names, String found) {
    String text = found.substring(0, Math.min(MAX_LENGTH, found.length())).toLowerCase(Locale.ROOT);
    return names.stream()
        .sorted(
            Comparator.comparing((String name) -> !name.contains(text) || text.isBlank())
                .thenComparing(name -> -likeness(name, text)))
        .limit(NEAREST)
        .toList();
  }

  private static double likeness(String name, String text) {
    return new JaroWinklerSimilarity().apply(name.toLowerCase(Locale.ROOT), text);
  }

  /** Returns how many letters were left out, added, replaced, or swapped with their neighbor. */
  public static int edits(String found, String right) {
    return new DamerauLevenshteinDistance().apply(found, right);
  }
}
