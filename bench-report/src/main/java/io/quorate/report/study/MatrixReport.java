// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.VisibleText;
import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.format.OutputFiles;
import io.quorate.format.TextFile;
import io.quorate.report.export.JunitXml;
import io.quorate.report.figures.Reservation;
import io.quorate.report.judge.Decision;
import io.quorate.report.judge.Sample;
import io.quorate.report.page.Page;
import io.quorate.report.page.PageTemplate;
import io.quorate.report.plot.Plot;
import io.quorate.report.plot.RunPlots;
import io.quorate.report.plot.draw.Card;
import io.quorate.report.study.MatrixPage.Findings;
import io.quorate.report.study.MatrixPage.Table;
import io.quorate.report.table.ResultTable.AsciiTable;
import io.quorate.results.Errata;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.MatrixManifest;
import io.quorate.results.SizePrediction;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report of a matrix of runs: a page, the values as CSV, and the result for programs. */
public final class MatrixReport {
  /** Ratio of a median to the least time from which on it is called unexplained. */
  private static final double FAR_ABOVE = 5;

  private static final String SVG = ".svg";

  private final MatrixResults results;
  private final RoundTripComparison roundTrips;
  private final MatrixRatios ratios;
  private final OutagesBySize outagesBySize;
  private final DataSizes sizes;

  public MatrixReport(MatrixResults results) {
    this.results = results;
    this.roundTrips = new RoundTripComparison(results);
    this.ratios = new MatrixRatios(results);
    this.outagesBySize = OutagesBySize.of(results.cells());
    this.sizes = DataSizes.of(results);
  }

  /**
   * Predicts the values of a cell with the most data from cells with less, before it is measured,
   * and keeps them in the directory of the matrix.
   *
   * @return the predictions in words; none if it has not the most data, or too few were measured
   */
  public List<String> predict(MatrixDirectory directory, String id) {
    MatrixManifest manifest = results.manifest();
    Path file = directory.scenario(id);
    Scenario scenario = ScenarioReader.read(file.toString(), TextFile.read(file), manifest.scale());
    List<SizePrediction> found =
        manifest.cells().stream()
            .filter(each -> each.id().equals(id))
            .flatMap(each -> sizes.predicted(each, scenario, Instant.now()).stream())
            .toList();
    SizePrediction.append(directory, found);
    return found.stream().map(DataSizes::text).toList();
  }

  /** Writes all files, or none of them. */
  public void write(MatrixDirectory directory) {
    OutputFiles files = new OutputFiles(directory.path());
    addValues(directory, files);
    List<Plot> plots =
        outagesBySize.isEmpty()
            ? List.of()
            : RunPlots.draw(
                    outagesBySize.tasks(),
                    (name, content) -> files.add(directory.path().resolve(name), content))
                .drawn();
    addPage(directory, page(directory, plots), files);
    files.write();
  }

  private void addValues(MatrixDirectory directory, OutputFiles files) {
    files.add(directory.tableCsv(), results.csv());
    files.add(directory.resultJson(), results.json());
    if (!results.limits().isEmpty()) {
      files.add(
          directory.junitXml(),
          JunitXml.ofLimits(results.manifest().name(), results.limits()).text());
    }
    if (!outagesBySize.isEmpty()) {
      files.add(directory.path().resolve(OutagesBySize.CSV), outagesBySize.csv());
    }
  }

  private void addPage(MatrixDirectory directory, MatrixPage page, OutputFiles files) {
    if (RunPlots.isPossible()) {
      Card card = MatrixCard.of(results, conclusions());
      files.add(directory.path().resolve(Card.FILE), card.png());
    }
    files.add(directory.page(), PageTemplate.html("matrix.html.ftl", page));
  }

  /**
   * Adds the files of the report to a directory in which the matrix is published: the values, the
   * page, and its plots.
   */
  public void addPublished(MatrixDirectory published, OutputFiles files) {
    addValues(published, files);
    List<Plot> plots =
        outagesBySize.isEmpty() ? List.of() : RunPlots.draw(outagesBySize.tasks()).drawn();
    for (Plot each : plots) {
      files.add(published.path().resolve(each.name() + SVG), each.svg());
    }
    String once = results.manifest().repeats() == 1 ? "each cell was measured once" : "";
    MatrixPage page =
        page(
            Page.notToBeCompared(Decision.TIE_PERCENT + "%", once),
            Stream.concat(Errata.warning(published.path()).stream(), impossible().stream())
                .toList(),
            new MatrixReproduction(results.manifest()).ofPublished(),
            files(List.of("matrix.csv", "matrix-result.json"), plots, List.of(SVG)),
            plots);
    addPage(published, page, files);
  }

  public List<String> impossible() {
    List<String> sentences = new ArrayList<>();
    for (CellResult cell : results.cells()) {
      for (RepeatFigures run : cell.runs()) {
        run.least()
            .filter(least -> run.p50Ms() < least.floorMs())
            .ifPresent(
                least ->
                    sentences.add(
                        ("Impossible: half of the requests of %s, repeat %s, took at most %s, less"
                                + " than the %s of their round trips: the results of this run are"
                                + " wrong, or its leader changed.")
                            .formatted(
                                cell.name(),
                                run.repeat(),
                                StudyTables.ms(run.p50Ms()),
                                StudyTables.ms(least.floorMs()))));
      }
    }
    return sentences;
  }

  List<String> unexplained() {
    List<String> sentences = new ArrayList<>();
    for (CellResult cell : results.cells()) {
      boolean alone = cell.facts().filter(facts -> facts.clients() == 1).isPresent();
      double roundTrips = cell.roundTripsMs().orElse(0);
      double least = roundTrips + cell.syncMs().orElse(0);
      cell.p50Ms()
          .filter(p50 -> alone && roundTrips > 0 && p50.mean() > FAR_ABOVE * least)
          .ifPresent(
              p50 ->
                  sentences.add(
                      "%s: %s, of which %s %s."
                          .formatted(
                              cell.name(),
                              StudyTables.ms(p50.mean()),
                              cell.syncMs().isPresent()
                                  ? "the network and fsync explain"
                                  : "the network explains",
                              StudyTables.ms(least))));
    }
    return sentences;
  }

  public String text() {
    List<String> lines = new ArrayList<>(summary());
    lines.addAll(impossible());
    if (isOnlyRepeated()) {
      new RepeatTables(results).all().forEach(table -> lines.addAll(lines(table)));
    } else {
      for (CellResult cell : results.cells()) {
        String end = " mean" + CellValue.MEAN.marks(cell);
        cell.meanMs().ifPresent(ms -> lines.add(cell.name() + ": " + StudyTables.ms(ms) + end));
      }
    }
    lines.addAll(legends(CellValue.MEAN));
    results.cells().forEach(cell -> lines.addAll(cell.troubles()));
    lines.addAll(sizes.missing(results));
    lines.addAll(outagesBySize.sentences());
    Stream.of(sizeTables(), List.of(roundTrips.table(), outages()), ratios.tables())
        .flatMap(List::stream)
        .filter(table -> !table.rows().isEmpty())
        .forEach(table -> lines.addAll(lines(table)));
    lines.addAll(ratios.omitted());
    return ConsoleText.withTables(
        lines.stream().map(VisibleText::of).collect(Collectors.joining("\n")));
  }

  private static List<String> lines(Table table) {
    List<List<String>> rows =
        table.rows().stream().map(row -> row.stream().map(VisibleText::of).toList()).toList();
    List<String> lines = new ArrayList<>(List.of("", table.title() + ":"));
    AsciiTable.text(table.columns(), rows).lines().forEach(lines::add);
    return lines;
  }

  MatrixPage page(MatrixDirectory directory, List<Plot> plots) {
    return page(
        List.of(),
        impossible(),
        new MatrixReproduction(results.manifest()).commands(directory),
        files(
            List.of("matrix.csv", "matrix-result.json", "matrix.json"),
            plots,
            List.of(SVG, ".png")),
        plots);
  }

  private MatrixPage page(
      List<String> incomparable,
      List<String> alerts,
      List<String> commands,
      List<String> files,
      List<Plot> plots) {
    MatrixManifest manifest = results.manifest();
    return new MatrixPage(
        VisibleText.of(manifest.title()),
        incomparable,
        summary(),
        alerts,
        Page.paragraphs(manifest.description()),
        notes(),
        MatrixDots.of(results).stream().toList(),
        ratios.map().stream().toList(),
        ratios.tables(),
        ratios.omitted(),
        findings(),
        sizeTables(),
        plots,
        tables(),
        isOnlyRepeated() ? List.of() : new StudyTables(results).all(),
        disturbed(),
        results.cells().stream().flatMap(cell -> cell.troubles().stream()).toList(),
        commands,
        files,
        manifest.text());
  }

  private static List<String> files(List<String> values, List<Plot> plots, List<String> pictures) {
    List<String> files = new ArrayList<>(values);
    if (RunPlots.isPossible()) {
      files.add(Card.FILE);
    }
    plots.forEach(plot -> pictures.forEach(end -> files.add(plot.name() + end)));
    if (!plots.isEmpty()) {
      files.add(OutagesBySize.CSV);
    }
    return files;
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    int repeats = results.manifest().repeats();
    if (isOnlyRepeated()) {
      notes.add(
          "Values are medians of the runs, with the lowest and the highest in parentheses. The"
              + " databases took turns: each was run once, and then all again.");
    } else if (repeats == 1) {
      notes.add(
          "Each cell was run once, so the confidence is unknown: values that differ by up to %s%% are too close to call."
              .formatted(Decision.TIE_PERCENT));
    } else {
      notes.add(
          "Each cell was run %s times, all cells once and then all again. A value is the geometric mean of the repeats, with the lowest and the highest in parentheses; a ratio is the median of the ratios of all pairs of runs, with %s"
              .formatted(
                  repeats,
                  repeats < Sample.MIN_RUNS
                      ? "the lowest and the highest. It decides only if all of them differ from 1 by more than %s%%, as there are too few runs for an interval."
                          .formatted(Decision.TIE_PERCENT)
                      : "the 95% interval of Mann and Whitney's test, and is decided by the test of"
                          + " 'quorate compare', for all pairs of an axis together."));
    }
    double scale = results.manifest().scale();
    if (scale != 1) {
      notes.add(
          "Only %s%% of the scenario's requests were sent."
              .formatted(NumberFormats.shortest(scale * 100)));
    }
    notes.addAll(legends(CellValue.values()));
    if (results.cells().stream().anyMatch(cell -> cell.leastTime().isPresent())) {
      notes.add(
          "The least time of a request is the sum of the round trips between members on its "
              + "path, measured before the load, and of one sync of a log to disk, if servers "
              + "report its mean.");
    }
    return notes;
  }

  /** Returns the sentences that explain the marks of values of cells or, of repeats, of all. */
  private List<String> legends(CellValue... shown) {
    return isOnlyRepeated()
        ? new RepeatTables(results).legends()
        : Reservation.legends(
            results.cells().stream()
                .filter(cell -> !cell.runs().isEmpty())
                .flatMap(cell -> Arrays.stream(shown).map(figure -> figure.basis(cell)))
                .toList());
  }

  /** Returns the runs that decide nothing, a sentence for each. */
  private List<String> disturbed() {
    return results.cells().stream()
        .flatMap(
            cell ->
                cell.runs().stream()
                    .flatMap(
                        run ->
                            run.disturbance().stream()
                                .map(
                                    why ->
                                        "Run %d of %s: %s."
                                            .formatted(run.repeat(), cell.name(), why))))
        .toList();
  }

  private List<Findings> findings() {
    List<Findings> findings = new ArrayList<>();
    findings.add(new Findings("Unexplained", unexplained()));
    findings.add(
        new Findings(
            "By size of the data",
            Stream.of(sizes.missing(results), outagesBySize.sentences())
                .flatMap(List::stream)
                .toList()));
    findings.removeIf(each -> each.sentences().isEmpty());
    return findings;
  }

  private boolean isOnlyRepeated() {
    return results.manifest().axes().size() == 1;
  }

  private List<Table> sizeTables() {
    return isOnlyRepeated() ? List.of() : sizes.tables(results.predictions());
  }

  /** Returns the outages of the cells of a matrix; repeats have them in their tables. */
  private Table outages() {
    return isOnlyRepeated()
        ? new Table("", List.of(), List.of())
        : new RepeatTables(results).outages();
  }

  private List<Table> tables() {
    if (isOnlyRepeated()) {
      return new RepeatTables(results).all();
    }
    return Stream.of(outages(), roundTrips.table())
        .filter(table -> !table.rows().isEmpty())
        .toList();
  }

  private List<String> summary() {
    MatrixManifest manifest = results.manifest();
    List<String> sentences = new ArrayList<>(conclusions());
    sentences.add(
        disturbed().isEmpty() ? 0 : 1,
        "%s, each run %s; %s of %s runs are complete."
            .formatted(
                NumberFormats.count(
                    manifest.cells().size(), isOnlyRepeated() ? "database" : "cell"),
                manifest.repeats() == 1 ? "once" : manifest.repeats() + " times",
                NumberFormats.commas(runs().filter(RepeatFigures::isWhole).count()),
                NumberFormats.commas((long) manifest.cells().size() * manifest.repeats())));
    return sentences;
  }

  private Stream<RepeatFigures> runs() {
    return results.cells().stream().flatMap(cell -> cell.runs().stream());
  }

  private List<String> conclusions() {
    List<String> sentences = new ArrayList<>();
    if (!disturbed().isEmpty()) {
      sentences.add(
          "Do not use %d of %s: %s."
              .formatted(
                  disturbed().size(),
                  NumberFormats.count(runs().count(), "run"),
                  "other processes or the load generator's delay took too much of their time"));
    }
    sentences.addAll(sizes.within(results));
    ratios.map().map(map -> map.title() + ": " + map.sentence()).ifPresent(sentences::add);
    sentences.addAll(ratios.largest());
    return sentences;
  }

  /** Returns the command that compares two columns of one store; empty if there are none. */
  public Optional<String> comparison(MatrixDirectory directory) {
    return new MatrixReproduction(results.manifest()).comparison(directory);
  }
}
