// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Tries all orders of the few requests to one key, straight from the definition. */
final class BruteForce {
  private BruteForce() {}

  static boolean isLinearizable(List<RecordedRequest> requests) {
    return canFollow(
        0,
        requests.stream()
            .filter(each -> each.action() != Action.STALE_GET)
            .filter(each -> each.outcome() != Outcome.FAILED)
            .filter(each -> each.outcome() != Outcome.UNKNOWN || each.action() != Action.GET)
            .toList());
  }

  private static boolean canFollow(long value, List<RecordedRequest> rest) {
    if (rest.stream().allMatch(each -> each.outcome() == Outcome.UNKNOWN)) {
      return true;
    }
    for (RecordedRequest next : rest) {
      boolean isFirst =
          rest.stream()
              .filter(each -> each.outcome() != Outcome.UNKNOWN)
              .allMatch(each -> each.completedNanos() >= next.invokedNanos());
      if (isFirst && explains(value, next)) {
        List<RecordedRequest> others = new ArrayList<>(rest);
        others.remove(next);
        boolean isUnchanged = next.action() == Action.GET || next.outcome() == Outcome.MISMATCH;
        if (canFollow(isUnchanged ? value : next.written(), others)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean explains(long value, RecordedRequest request) {
    return switch (request.action()) {
      case GET -> request.read() == value;
      case COMPARE_AND_SET ->
          request.outcome() == Outcome.MISMATCH
              ? request.expected() != value
              : request.expected() == value;
      default -> true;
    };
  }
}
