package io.quorate.report;

import io.quorate.run.ClientResults.Second;
import io.quorate.run.NumberFormats;
import java.util.OptionalLong;

/**
 * A second of the client's time line, of which there is one for every second from the first to the
 * last.
 *
 * @param clients of the last step that had requests in it, or in an earlier second
 * @param minMs NaN if not measured, as the other two
 * @param throughput empty if not measured
 * @param requested whether the client's file has it; in a pause between steps it has not
 */
record ClientSecond(
    long unixSecond,
    long clients,
    double minMs,
    double averageMs,
    double maxMs,
    OptionalLong throughput,
    boolean requested) {

  static ClientSecond of(Second row, Rules rules) {
    boolean missing = rules == Rules.OWN && row.throughput() == 0;
    return new ClientSecond(
        row.unixSecond(),
        row.clients(),
        missing ? Double.NaN : row.minMs(),
        missing ? Double.NaN : row.averageMs(),
        missing ? Double.NaN : row.maxMs(),
        OptionalLong.of(row.throughput()),
        true);
  }

  /** Returns a second that the file does not have. */
  static ClientSecond pause(long unixSecond, long clients, Rules rules) {
    boolean missing = rules == Rules.OWN;
    double nothing = missing ? Double.NaN : 0;
    return new ClientSecond(
        unixSecond,
        clients,
        nothing,
        nothing,
        nothing,
        missing ? OptionalLong.empty() : OptionalLong.of(0),
        false);
  }

  /**
   * Merges this row with a later one of the same second, where a step ended and the next one began.
   */
  ClientSecond and(ClientSecond later, Rules rules) {
    return new ClientSecond(
        unixSecond,
        later.clients,
        least(minMs, later.minMs),
        rules == Rules.OWN ? mean(later) : (averageMs + later.averageMs) / 2,
        most(maxMs, later.maxMs),
        OptionalLong.of(count() + later.count()),
        true);
  }

  private static double least(double a, double b) {
    return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b);
  }

  private static double most(double a, double b) {
    return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
  }

  /** Returns the mean over all requests of both. */
  private double mean(ClientSecond other) {
    if (Double.isNaN(averageMs) || Double.isNaN(other.averageMs)) {
      return Double.isNaN(averageMs) ? other.averageMs : averageMs;
    }
    double sum = averageMs * count() + other.averageMs * other.count();
    return sum / (count() + other.count());
  }

  /** Returns how many of the requests sent in it succeeded. */
  long count() {
    return throughput.orElse(0);
  }

  String throughputText() {
    return throughput.isPresent() ? Long.toString(throughput.getAsLong()) : "";
  }

  static String ms(double value) {
    return Double.isNaN(value) ? "" : NumberFormats.shortest(value);
  }
}
