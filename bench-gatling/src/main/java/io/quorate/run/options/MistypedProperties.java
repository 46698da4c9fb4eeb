package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;

/**
 * Rejects system properties that resemble an option of ours but are none, which would be ignored:
 * {@code -Dscenrio}, {@code -DScale}, {@code -Dagent-keys}, {@code -Dquorate.database}.
 */
final class MistypedProperties {
  private static final String OURS = "quorate.";

  /** Our properties that are not options of a run. */
  private static final Set<String> OWN =
      Set.of(
          "quorate.home",
          "quorate.directory",
          "quorate.results",
          "quorate.run",
          "quorate.terminal",
          "quorate.jvmArgs",
          "quorate.progress.seconds");

  private static final int LONG = 7;

  private MistypedProperties() {}

  /**
   * Throws if there are any mistyped properties.
   *
   * @throws QuorateException with a line for each, and what may have been meant
   */
  static void refuse(Properties properties) {
    List<String> problems = new ArrayList<>();
    for (String name : new TreeSet<>(properties.stringPropertyNames())) {
      if (!RunSettings.OPTIONS.contains(name) && !OWN.contains(name)) {
        Optional<String> meant = meant(name);
        if (meant.isPresent() || Spelling.fold(name).startsWith(OURS)) {
          problems.add(
              "-D"
                  + VisibleText.of(name)
                  + ": there is no such option"
                  + meant.map(option -> "; did you mean -D" + option + "?").orElse(""));
        }
      }
    }
    if (!problems.isEmpty()) {
      problems.add(
          "the options are "
              + String.join(", ", RunSettings.OPTIONS.stream().map("-D"::concat).toList()));
      throw new QuorateException(String.join("\n", problems));
    }
  }

  private static Optional<String> meant(String name) {
    String folded = Spelling.fold(name);
    String bare = folded.replaceFirst("^quorate[._-]*", "");
    // -Dscenario.file, -Dresults-dir: what belongs to others does not begin with such a word
    String first = bare.replaceFirst("(?<=.)[._-].*", "");
    Optional<String> option =
        like(letters(bare), RunSettings.OPTIONS)
            .or(
                () ->
                    RunSettings.OPTIONS.stream()
                        .filter(each -> each.equals(first) || each.equals(first + "s"))
                        .findFirst());
    return option.isEmpty() && folded.startsWith(OURS) ? like(letters(folded), OWN) : option;
  }

  /**
   * Returns the option that differs by one letter that is wrong, missing, superfluous or swapped
   * with its neighbour; by two in a long name.
   */
  private static Optional<String> like(String letters, Collection<String> names) {
    return names.stream()
        .filter(name -> edits(letters, name) <= (letters(name).length() < LONG ? 1 : 2))
        .min(Comparator.comparingInt(name -> edits(letters, name)));
  }

  private static int edits(String letters, String name) {
    return Spelling.edits(letters, letters(name));
  }

  private static String letters(String name) {
    return Spelling.fold(name).replaceAll("[^\\p{L}\\p{N}]", "");
  }
}
