// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static io.quorate.format.NumberFormats.fixed;
import static io.quorate.format.NumberFormats.threeDigits;

import java.util.stream.Stream;

/** Evaluates a check, given itself, since it cannot name itself while it is created. */
@FunctionalInterface
interface Evaluation {
  /** Returns a result for each subject whose value is known. */
  Stream<CheckResult> results(Check check, CheckInput input);

  /** Returns milliseconds with their unit. */
  static String ms(double value) {
    return threeDigits(value) + " ms";
  }

  /** Returns a part as percent. */
  static String percent(double part) {
    return fixed(100 * part, part < 0.1 ? 1 : 0) + "%";
  }
}
