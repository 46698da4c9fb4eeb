package io.quorate.report.export;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorate.format.StrictJson;
import io.quorate.report.figures.RunFigures;
import io.quorate.results.ExperimentRun;
import io.quorate.results.ImportedRun;
import io.quorate.results.manifest.ScenarioInfo;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * The content of {@code result.json}, with its fields in their order: the results of a run, for
 * programs. Raw numbers with their units in the names; what was not measured is not there. The
 * format is that of {@code result-2.schema.json}.
 */
public record ResultJson(
    int formatVersion,
    String run,
    Optional<ScenarioEntry> scenario,
    List<ResultDatabase> databases,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ImportEntry> imports) {
  /**
   * Version of the format, raised when a reader of the version before would misunderstand a file.
   */
  private static final int FORMAT_VERSION = 2;

  /** The scenario of the run. */
  record ScenarioEntry(
      String name, String title, Optional<BigDecimal> scale, List<String> databases) {
    static ScenarioEntry of(ScenarioInfo scenario) {
      return new ScenarioEntry(
          scenario.name(),
          scenario.title(),
          Decimals.shortest(scenario.scale()),
          scenario.databases());
    }
  }

  /** A run of another tool. */
  record ImportEntry(
      String tag,
      String origin,
      String source,
      ResultFigures figures,
      Optional<List<ErrorEntry>> errors) {

    /** An error and how often it came. */
    record ErrorEntry(String message, long count) {}

    static ImportEntry of(ImportedRun imported) {
      return new ImportEntry(
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

  /** Returns the text of the file. */
  public static String text(RunFigures figures) {
    ExperimentRun run = figures.run();
    return StrictJson.text(
        new ResultJson(
            FORMAT_VERSION,
            run.directory().id(),
            run.databases().stream()
                .findFirst()
                .map(first -> ScenarioEntry.of(first.manifest().scenario())),
            figures.databases().stream().map(ResultDatabase::of).toList(),
            run.imports().stream().map(ImportEntry::of).toList()));
  }
}
