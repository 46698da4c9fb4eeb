// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.hosts;

import io.quorate.Named;
import java.util.Arrays;
import java.util.Optional;

/** The two ends of a measured step at which all machines are sampled. */
public enum StepBoundary implements Named {
  /** Just before the first request of the step. */
  BEGIN,
  /** Just after the last request of the step has ended. */
  END;

  static Optional<StepBoundary> of(String id) {
    return Arrays.stream(values()).filter(each -> each.id().equals(id)).findFirst();
  }
}
