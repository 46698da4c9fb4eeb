// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import io.quorate.store.server.CheckRule;
import java.util.stream.Stream;

/** Evaluates a check of machines. */
@FunctionalInterface
interface Evaluation {
  /** Returns a result for each subject whose value is known. */
  Stream<CheckResult> results(CheckRule check, CheckInput input);
}
