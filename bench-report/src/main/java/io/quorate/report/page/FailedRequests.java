package io.quorate.report.page;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.ErrorSummary;
import io.quorate.report.page.Page.ErrorKind;
import io.quorate.report.page.Page.Errors;
import io.quorate.results.DatabaseRun;
import java.util.List;
import java.util.Optional;

/** The requests of a database that failed, for people: the most frequent kinds of errors. */
final class FailedRequests {
  /** Number of kinds that are shown; further ones are in the files only. */
  private static final int SHOWN = 20;

  private static final int LONGEST = 400;

  private FailedRequests() {}

  /** Returns the errors; empty if nothing failed. */
  static Optional<Errors> of(DatabaseRun run) {
    List<ErrorSummary> all = run.clients().map(ErrorSummary::all).orElse(List.of());
    long made = run.clients().map(each -> each.successCount() + each.errorCount()).orElse(0L);
    if (all.isEmpty()) {
      return Optional.empty();
    }
    String id = VisibleText.of(run.manifest().store().id());
    List<ErrorKind> kinds = all.stream().limit(SHOWN).map(error -> shown(error, made)).toList();
    String more =
        all.size() <= SHOWN
            ? ""
            : "%s more messages are in %s/errors.csv."
                .formatted(NumberFormats.commas(all.size() - SHOWN), id);
    return Optional.of(new Errors(id, kinds, more));
  }

  private static ErrorKind shown(ErrorSummary error, long made) {
    String message = error.message();
    String cut =
        message.codePointCount(0, message.length()) <= LONGEST
            ? message
            : message.substring(0, message.offsetByCodePoints(0, LONGEST)) + " ...";
    return new ErrorKind(
        error.kind().map(VisibleText::of).orElse("-"),
        VisibleText.of(cut),
        NumberFormats.commas(error.count()),
        NumberFormats.fixed(100.0 * error.count() / made, 2) + " %");
  }
}
