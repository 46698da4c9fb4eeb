// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.compare;

import io.quorate.Named;

/** What the runs show about a change. */
enum Verdict implements Named {
  /** The whole interval is a change for the better, beyond the threshold and the A/A band. */
  BETTER,
  /** The whole interval is a change for the worse, beyond the threshold and the A/A band. */
  WORSE,
  /** The change is small: its whole interval is within the margin, or it is within the A/A band. */
  SAME,
  /** The runs differ too much among each other to decide. */
  INCONCLUSIVE,
  /** A side has fewer runs than a decision needs. */
  TOO_FEW_RUNS,
  /** A side has no value. */
  NOT_MEASURED
}
