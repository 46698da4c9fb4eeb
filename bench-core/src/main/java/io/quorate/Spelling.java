package io.quorate;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.DamerauLevenshteinDistance;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;

/** Finds the name that was meant by a mistyped one. */
public final class Spelling {
  private static final int MAX_LENGTH = 60;
  private static final double ALIKE = 0.85;

  private Spelling() {}

  /** Returns the name that is most like what was found; empty if none is like it. */
  public static Optional<String> nearest(Collection<String> names, String found) {
    String text = found.length() > MAX_LENGTH ? "" : found.strip().toLowerCase(Locale.ROOT);
    JaroWinklerSimilarity similarity = new JaroWinklerSimilarity();
    String best = "";
    double bestLikeness = ALIKE;
    for (String name : names) {
      double likeness = similarity.apply(name.toLowerCase(Locale.ROOT), text);
      if (likeness > bestLikeness) {
        best = name;
        bestLikeness = likeness;
      }
    }
    return Optional.of(best).filter(name -> !name.isEmpty());
  }

  /** Returns {@code ; did you mean 'a'?} if a name is like what was found, else nothing. */
  public static String hint(Collection<String> names, String found) {
    return nearest(names, found).map(name -> "; did you mean '" + name + "'?").orElse("");
  }

  /** Returns how many letters were left out, added, replaced, or swapped with their neighbor. */
  public static int edits(String found, String right) {
    return new DamerauLevenshteinDistance().apply(found, right);
  }
}
