package io.quorate.scenario.yaml;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits the requests of a scenario among the steps of a load as dbtester does, so that figures can
 * be compared with its published ones. All steps get the same, rounded down to tens of thousands if
 * it is more than 10,000 and to thousands if it is more than 1,000; the last step gets what is left
 * over besides.
 */
final class StepSplit {
  private StepSplit() {}

  /**
   * Returns the requests of each step; they add up to the total.
   *
   * @param total at least {@code steps}
   * @param steps at least 1
   */
  static List<Long> requests(long total, int steps) {
    long each = roundedDown(total / steps);
    List<Long> shares = new ArrayList<>();
    for (int step = 1; step < steps; step++) {
      shares.add(each);
    }
    shares.add(total - each * (steps - 1));
    return List.copyOf(shares);
  }

  /** Returns a total which gives every client of every step at least one request. */
  static long enoughFor(List<Integer> clients) {
    long most = clients.stream().mapToLong(Integer::longValue).max().orElse(0);
    long unit = clients.size() == 1 ? 1 : unit(most);
    return (most + unit - 1) / unit * unit * clients.size();
  }

  private static long roundedDown(long each) {
    return each - each % unit(each);
  }

  private static long unit(long each) {
    return each > 10_000 ? 10_000 : each > 1_000 ? 1_000 : 1;
  }
}
