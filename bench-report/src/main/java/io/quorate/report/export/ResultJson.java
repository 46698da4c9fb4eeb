package io.quorate.report.export;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorate.format.StrictJson;
import io.quorate.report.figures.HostAnalysis;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.ExperimentRun;
import io.quorate.results.manifest.ScenarioFacts;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
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
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ResultImport> imports) {
  /**
   * Version of the format, raised when a reader of the version before would misunderstand a file.
   */
  private static final int FORMAT_VERSION = 2;

  /** The scenario of the run. */
  record ScenarioEntry(
      String name, String title, Optional<BigDecimal> scale, List<String> databases) {
    static ScenarioEntry of(ScenarioFacts scenario) {
      return new ScenarioEntry(
          scenario.name(),
          scenario.title(),
          Decimals.shortest(scenario.scale()),
          scenario.databases());
    }
  }

  /**
   * Returns the text of the file.
   *
   * @param hosts of the databases in the table
   */
  public static String text(ExperimentRun run, Map<DatabaseDirectory, HostAnalysis> hosts) {
    return StrictJson.text(
        new ResultJson(
            FORMAT_VERSION,
            run.directory().id(),
            run.databases().stream()
                .findFirst()
                .map(first -> ScenarioEntry.of(first.manifest().scenario())),
            run.databases().stream()
                .map(
                    each ->
                        ResultDatabase.of(each, Optional.ofNullable(hosts.get(each.directory()))))
                .toList(),
            run.imports().stream().map(ResultImport::of).toList()));
  }
}
