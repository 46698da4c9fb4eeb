// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.OpenRuns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The options that repeat a run and compare it with earlier runs.
 *
 * @param repeats how often each database is run; empty for the number in the scenario
 * @param isSelfComparison whether the odd repeats are compared with the even ones afterwards
 * @param baseline earlier runs that the run is compared with; empty for none
 */
public record RepeatOptions(
    OptionalInt repeats, boolean isSelfComparison, Optional<Path> baseline) {
  static final String REPEATS = "repeats";
  static final String SELF = "aa";
  static final String BASELINE = "baseline";

  private static final int MAX = 100;

  static RepeatOptions read(OptionReader options, Path directory) {
    Optional<Integer> pairs =
        options.read(SELF, "a number from 2 to 50", text -> number(text, 2, 50));
    Optional<Integer> repeats =
        options.read(REPEATS, "a number from 1 to " + MAX, text -> number(text, 1, MAX));
    Optional<Integer> all = pairs.map(each -> 2 * each).or(() -> repeats);
    RepeatOptions read =
        new RepeatOptions(
            all.map(OptionalInt::of).orElseGet(OptionalInt::empty),
            pairs.isPresent(),
            options.read(BASELINE, directory::resolve));
    if (pairs.isPresent() && (repeats.isPresent() || read.baseline.isPresent())) {
      throw new QuorateException(
          "aa: runs each database twice as often, and compares the run with itself: leave out"
              + " repeats and baseline");
    }
    return read;
  }

  private static Optional<Integer> number(String text, int least, int most) {
    return Optional.of(text)
        .filter(digits -> digits.matches("[0-9]{1,3}"))
        .map(Integer::valueOf)
        .filter(number -> number >= least && number <= most);
  }

  /** Refuses a directory without runs before anything is started. */
  public void requireEarlierRuns() {
    baseline
        .filter(path -> !hasRuns(path, 0) && !hasRuns(withoutColumn(path), 0))
        .ifPresent(
            path -> {
              throw new QuorateException(
                  "baseline: found no run in %s, expected the directory of a run, or one with several runs"
                      .formatted(VisibleText.of(path.toString())));
            });
  }

  /** Returns the path without the column of a run, {@code :etcd}, at its end. */
  private static Path withoutColumn(Path path) {
    return Path.of(path.toString().replaceFirst(":[^:/]+$", ""));
  }

  private static boolean hasRuns(Path path, int depth) {
    return Files.isDirectory(path)
        && (depth == 0 || !Files.isSymbolicLink(path))
        && (OpenRuns.isRun(path)
            || depth < 2
                && DatabaseDirectory.entries(path).stream()
                    .anyMatch(each -> hasRuns(each, depth + 1)));
  }
}
