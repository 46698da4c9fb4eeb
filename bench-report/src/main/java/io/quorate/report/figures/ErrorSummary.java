package io.quorate.report.figures;

import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.ErrorRow;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The number of requests of a database that failed in one way.
 *
 * @param kind kind of the error; empty if only the message is known
 * @param message unchanged message
 * @param totalMs total time of these requests; NaN if not known
 */
public record ErrorSummary(Optional<String> kind, String message, long count, double totalMs) {
  private static final double NANOS_PER_MS = 1e6;

  public static List<ErrorSummary> all(ClientResults results) {
    if (results.errorRows().isEmpty()) {
      return results.errors().stream()
          .map(
              error ->
                  new ErrorSummary(
                      Optional.empty(), error.quotedMessage(), error.count(), Double.NaN))
          .toList();
    }
    Map<List<String>, ErrorSummary> all = new LinkedHashMap<>();
    for (ErrorRow row : results.errorRows()) {
      all.merge(
          List.of(row.kind(), row.message()),
          new ErrorSummary(
              Optional.of(row.kind()), row.message(), row.count(), row.totalNanos() / NANOS_PER_MS),
          ErrorSummary::plus);
    }
    return all.values().stream()
        .sorted(Comparator.comparingLong(ErrorSummary::count).reversed())
        .toList();
  }

  private ErrorSummary plus(ErrorSummary other) {
    return new ErrorSummary(kind, message, count + other.count, totalMs + other.totalMs);
  }
}
