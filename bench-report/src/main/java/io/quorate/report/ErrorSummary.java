package io.quorate.report;

import io.quorate.report.page.Page.ErrorKind;
import io.quorate.report.page.Page.Errors;
import io.quorate.run.ClientResults;
import io.quorate.run.ClientResults.ErrorRow;
import io.quorate.run.DatabaseRun;
import io.quorate.run.GoText;
import io.quorate.run.NumberFormats;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The number of requests of a database that failed in one way.
 *
 * @param kind empty if only the message is known
 * @param message as it was
 * @param totalMs how long these requests took together; NaN if not known
 */
record ErrorSummary(Optional<String> kind, String message, long count, double totalMs) {
  /** Number of kinds that are shown; further ones are in the files only. */
  private static final int SHOWN = 20;

  private static final int LONGEST = 400;

  /** Returns all kinds, the most frequent first. */
  static List<ErrorSummary> all(ClientResults results) {
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
          new ErrorSummary(Optional.of(row.kind()), row.message(), row.count(), row.totalMs()),
          ErrorSummary::plus);
    }
    return all.values().stream()
        .sorted(Comparator.comparingLong(ErrorSummary::count).reversed())
        .toList();
  }

  /** Returns the errors for a page; empty if nothing failed. */
  static Optional<Errors> of(DatabaseRun run) {
    List<ErrorSummary> all = run.clients().map(ErrorSummary::all).orElse(List.of());
    long made = run.clients().map(each -> each.successCount() + each.errorCount()).orElse(0L);
    if (all.isEmpty()) {
      return Optional.empty();
    }
    String id = GoText.visible(run.manifest().store().id());
    List<ErrorKind> kinds = all.stream().limit(SHOWN).map(error -> error.shown(made)).toList();
    String more =
        all.size() <= SHOWN
            ? ""
            : "%s more messages are in %s/errors.csv."
                .formatted(NumberFormats.commas(all.size() - SHOWN), id);
    return Optional.of(new Errors(id, kinds, more));
  }

  private ErrorSummary plus(ErrorSummary other) {
    return new ErrorSummary(kind, message, count + other.count, totalMs + other.totalMs);
  }

  private ErrorKind shown(long made) {
    String cut =
        message.codePointCount(0, message.length()) <= LONGEST
            ? message
            : message.substring(0, message.offsetByCodePoints(0, LONGEST)) + " ...";
    return new ErrorKind(
        kind.map(GoText::visible).orElse("-"),
        GoText.visible(cut),
        NumberFormats.commas(count),
        NumberFormats.fixed(100.0 * count / made, 2) + " %");
  }
}
