package io.quorate.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Says how far a matrix of runs has come. What is left is estimated from the runs so far: of a cell
 * that was run already from its own, of others from the mean of all.
 */
public final class MatrixProgress {
  private static final long MINUTES_FROM = 120;

  private final int runs;
  private final Map<String, Duration> byCell = new HashMap<>();
  private Duration all = Duration.ZERO;
  private int measured;
  private int begun;

  /**
   * @param runs how many there are, with those that need not be made again
   */
  public MatrixProgress(int runs) {
    this.runs = runs;
  }

  /** Counts a run that need not be made. */
  public void skip() {
    begun++;
  }

  /** Counts a run that has ended. */
  public void ended(String cell, Duration took) {
    byCell.put(cell, took);
    all = all.plus(took);
    measured++;
  }

  /**
   * Counts a run that begins, and returns the line about it.
   *
   * @param left the cells of the runs that are still to be made, with this one
   */
  public String begins(String label, int repeat, int repeats, List<String> left) {
    begun++;
    List<String> parts = new ArrayList<>();
    parts.add(String.format(Locale.ROOT, "[%d/%d]", begun, runs));
    if (repeats > 1) {
      parts.add(String.format(Locale.ROOT, "repeat %d of %d, ", repeat, repeats));
    }
    return String.join(" ", parts).stripTrailing() + " " + label + estimate(left);
  }

  private String estimate(List<String> left) {
    if (measured == 0) {
      return "";
    }
    Duration mean = all.dividedBy(measured);
    long seconds =
        left.stream()
            .map(cell -> byCell.getOrDefault(cell, mean))
            .reduce(Duration.ZERO, Duration::plus)
            .toSeconds();
    return seconds < MINUTES_FROM
        ? "; about " + seconds + " s left"
        : "; about " + Math.round(seconds / 60.0) + " min left";
  }
}
