package io.quorate.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * The requests that were due to be sent in one second of a step, as far as they have ended.
 *
 * @param unixSecond seconds since 1970
 * @param successes latencies of the requests that succeeded
 * @param errors errors of the requests that failed, in no order
 * @param shed number of requests that were not sent, because too many were in flight
 */
public record SecondMeasurement(
    long unixSecond, Latencies successes, List<ErrorTally> errors, long shed) {
  public SecondMeasurement {
    errors = List.copyOf(errors);
  }

  /** Creates a second in which every request was sent. */
  public SecondMeasurement(long unixSecond, Latencies successes, List<ErrorTally> errors) {
    this(unixSecond, successes, errors, 0);
  }

  /** Returns seconds in ascending order, including the seconds without requests between them. */
  static List<SecondMeasurement> withoutGaps(Iterable<SecondMeasurement> ascending) {
    List<SecondMeasurement> all = new ArrayList<>();
    for (SecondMeasurement second : ascending) {
      long next = all.isEmpty() ? second.unixSecond : all.get(all.size() - 1).unixSecond + 1;
      for (long empty = next; empty < second.unixSecond; empty++) {
        all.add(new SecondMeasurement(empty, Latencies.NONE, List.of()));
      }
      all.add(second);
    }
    return all;
  }

  /** Returns the sum of two measurements of the same second. */
  public SecondMeasurement plus(SecondMeasurement other) {
    List<ErrorTally> all = new ArrayList<>(errors);
    all.addAll(other.errors);
    return new SecondMeasurement(
        unixSecond, successes.plus(other.successes), all, shed + other.shed);
  }

  /** Returns the requests after an earlier state of the same second. */
  SecondMeasurement since(SecondMeasurement before) {
    return new SecondMeasurement(
        unixSecond,
        successes.since(before.successes),
        ErrorTally.since(errors, before.errors),
        shed - before.shed);
  }

  boolean isEmpty() {
    return successes.equals(Latencies.NONE) && errors.isEmpty() && shed == 0;
  }
}
