// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.judge;

import io.quorate.Named;
import io.quorate.report.judge.Sample.Kind;

/**
 * What the runs show about a change.
 *
 * @param note what to add to the words of the verdict, with the separator before it; may be empty
 */
public record Decision(Verdict verdict, String note) {
  /**
   * Percentage by which single runs may differ and still be a tie, unless runs of one database are
   * known to differ by more. With two or three runs, each of one side has to differ by more from
   * each of the other.
   */
  public static final int TIE_PERCENT = 10;

  /** The kinds of decisions, the worst first. */
  public enum Verdict implements Named {
    WORSE,
    BETTER,
    /** The change is small: its whole interval is within the margin. */
    SAME,
    /** The runs of a side differ too much among each other, or single runs are a tie. */
    INCONCLUSIVE,
    /** A side has two or three runs, and the sides overlap or are a tie. */
    TOO_FEW_RUNS,
    /** Something other than the database determined the values of some run. */
    NOT_COMPARABLE,
    /** A side has no value. */
    NOT_MEASURED
  }

  Decision(Verdict verdict) {
    this(verdict, "");
  }

  /** Returns the verdict in words: {@code slower}, {@code too few runs}. */
  public String word(Kind kind) {
    return switch (verdict) {
      case BETTER, WORSE -> kind.word(verdict == Verdict.BETTER);
      case SAME -> "same";
      case INCONCLUSIVE -> "too close to call";
      case TOO_FEW_RUNS -> "too few runs";
      case NOT_COMPARABLE -> "not compared";
      case NOT_MEASURED -> "not measured";
    };
  }

  /** Returns the words with the note: {@code same within 3%}, {@code not compared: ...}. */
  public String text(Kind kind) {
    return word(kind) + note;
  }

  /** Returns whether one of the two is better. */
  public boolean isDecided() {
    return verdict == Verdict.BETTER || verdict == Verdict.WORSE;
  }
}
