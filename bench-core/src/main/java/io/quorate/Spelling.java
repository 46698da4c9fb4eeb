package io.quorate;

import java.text.Normalizer;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;

/** Finds the name that was meant by a mistyped one. */
public final class Spelling {
  private static final int LONGEST = 60;
  private static final double ALIKE = 0.85;

  /**
   * Letters of other scripts that look like the ASCII letters below them, and dashes that editors
   * insert.
   */
  private static final String LOOKING_ALIKE =
      "\u0430\u0435\u043E\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04BB\u051B\u051D\u043A\u0442\u043C"
          + "\u043D\u0432\u03B1\u03BF\u03B9\u03BD\u03C1\u03BA\u03C4\u03C5\u0131\u2010\u2011\u2012\u2013\u2014\u2015\u2212";

  private static final String LATIN = "aeopcyxijsdhqwktmhbaoivpktui-------";

  private Spelling() {}

  /** Returns the name that is most like what was found; empty if none is like it. */
  public static Optional<String> nearest(Collection<String> names, String found) {
    String text = found.length() > LONGEST ? "" : fold(found.strip());
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

  /**
   * Returns {@code ; did you mean 'a'?} if a name is like what was found, else nothing. Characters
   * that only look like those of the name are named.
   */
  public static String hint(Collection<String> names, String found) {
    return nearest(names, found)
        .map(name -> "; did you mean '" + name + "'?" + foreign(found))
        .orElse("");
  }

  /** Returns the text in lower case, with ASCII in the place of characters that look like it. */
  public static String fold(String text) {
    StringBuilder folded = new StringBuilder();
    Normalizer.normalize(text.toLowerCase(Locale.ROOT), Normalizer.Form.NFKC)
        .codePoints()
        .forEach(
            character -> {
              int at = LOOKING_ALIKE.indexOf(character);
              folded.appendCodePoint(at < 0 ? character : LATIN.charAt(at));
            });
    return folded.toString();
  }

  /**
   * Returns how many letters were mistyped: left out, added, replaced, or swapped with their
   * neighbour.
   */
  public static int edits(String found, String right) {
    int[][] edits = new int[found.length() + 1][right.length() + 1];
    for (int i = 0; i <= found.length(); i++) {
      for (int j = 0; j <= right.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int other = found.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1;
        int least = Math.min(edits[i - 1][j], edits[i][j - 1]) + 1;
        edits[i][j] = Math.min(least, edits[i - 1][j - 1] + other);
        if (i > 1
            && j > 1
            && found.charAt(i - 1) == right.charAt(j - 2)
            && found.charAt(i - 2) == right.charAt(j - 1)) {
          edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
        }
      }
    }
    return edits[found.length()][right.length()];
  }

  private static String foreign(String found) {
    int[] characters = found.codePoints().toArray();
    List<String> named =
        IntStream.range(0, characters.length)
            .filter(i -> characters[i] > '~')
            .mapToObj(
                i -> String.format(Locale.ROOT, "character %d is U+%04X", i + 1, characters[i]))
            .toList();
    return named.isEmpty() ? "" : " (" + String.join(", ", named) + ")";
  }
}
