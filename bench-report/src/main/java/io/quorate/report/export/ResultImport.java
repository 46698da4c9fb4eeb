package io.quorate.report.export;

import io.quorate.results.ImportedRun;
import java.util.List;
import java.util.Optional;

/** A run of another tool in {@code result.json}, with its fields in their order. */
record ResultImport(
    String tag,
    String origin,
    String source,
    ResultFigures figures,
    Optional<List<ErrorEntry>> errors) {

  /** An error and how often it came. */
  record ErrorEntry(String message, long count) {}

  static ResultImport of(ImportedRun imported) {
    return new ResultImport(
        imported.tag(),
        ImportedRun.ORIGIN,
        imported.source(),
        ResultFigures.of(imported.report()),
        imported
            .report()
            .errors()
            .map(
                all ->
                    all.stream()
                        .map(each -> new ErrorEntry(each.message(), each.count()))
                        .toList()));
  }
}
