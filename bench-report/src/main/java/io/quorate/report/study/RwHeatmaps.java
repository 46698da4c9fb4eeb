// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.CsvTable;
import io.quorate.format.CsvTable.Row;
import io.quorate.format.NumberFormats;
import io.quorate.format.TextFile;
import io.quorate.report.judge.Change;
import io.quorate.report.judge.Sample;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A grid that etcd's {@code tools/rw-heatmaps} measured: requests per second of reads and of
 * writes, by ratio of reads to writes, connections and size of values.
 *
 * @param cells cells in the order of the file
 */
public record RwHeatmaps(Path file, Map<Cell, Rates> cells) {
  private static final int MOST_BYTES = 16 << 20;
  private static final int FIRST_REPEAT = 4;
  private static final double ERROR = 0.05;
  private static final List<String> HEADER =
      List.of("type", "ratio", "conn_size", "value_size", "iter1");
  private static final String EXPECTED =
      "a file of etcd's tools/rw-heatmaps with the header " + String.join(",", HEADER) + ",...";

  /** Place of a cell in the grid, in the words of the file. */
  public record Cell(String ratio, String connections, String values) {}

  /** Requests per second of all repeats. */
  public record Rates(Sample reads, Sample writes) {}

  private enum Kind {
    READS(Rates::reads),
    WRITES(Rates::writes);

    private final Function<Rates, Sample> rates;

    Kind(Function<Rates, Sample> rates) {
      this.rates = rates;
    }

    Sample of(RwHeatmaps grid, Cell cell) {
      return rates.apply(Objects.requireNonNull(grid.cells.get(cell)));
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The page of two or three files. All texts are plain: the template escapes them.
   *
   * @param notes what these files can say
   */
  public record HeatmapPage(
      String title, List<String> notes, List<RatioMap> maps, String command) {}

  /**
   * Reads a file.
   *
   * @throws QuorateException with file and line, what was found and what was expected
   */
  public static RwHeatmaps read(Path file) {
    List<Row> rows = CsvTable.parse(file, TextFile.readForeign(file, MOST_BYTES, EXPECTED));
    Row header = rows.isEmpty() ? new Row(file, 1, List.of("")) : rows.get(0);
    if (header.cells().size() < HEADER.size()
        || !header.cells().subList(0, HEADER.size()).equals(HEADER)) {
      throw header.wrong(String.join(",", header.cells()), EXPECTED);
    }
    int end = FIRST_REPEAT;
    while (end < header.cells().size() && header.text(end).startsWith("iter")) {
      end++;
    }
    Map<Cell, Rates> cells = new LinkedHashMap<>();
    for (Row row : rows.subList(1, rows.size())) {
      if (row.text(0).equals("PARAM")) {
        continue;
      }
      if (!row.text(0).equals("DATA") || row.cells().size() < end) {
        throw row.wrong(String.join(",", row.cells()), "PARAM, or DATA with " + end + " cells");
      }
      Cell cell = new Cell(row.text(1), row.text(2), row.text(3));
      if (cells.putIfAbsent(cell, rates(row, end)) != null) {
        throw row.wrong("a second row of this cell", "one row for each cell");
      }
    }
    if (cells.isEmpty()) {
      throw header.wrong("no rows of DATA", "some");
    }
    return new RwHeatmaps(file, cells);
  }

  private static Rates rates(Row row, int end) {
    double[] reads = new double[end - FIRST_REPEAT];
    double[] writes = new double[reads.length];
    for (int i = 0; i < reads.length; i++) {
      String[] pair = row.text(FIRST_REPEAT + i).split(":", -1);
      if (pair.length != 2) {
        throw row.wrong(
            "'" + row.text(FIRST_REPEAT + i) + "'", "requests per second of reads:writes");
      }
      reads[i] = new Row(row.file(), row.line(), List.of(pair)).number(0);
      writes[i] = new Row(row.file(), row.line(), List.of(pair)).number(1);
    }
    return new Rates(new Sample(Sample.Kind.RATE, reads), new Sample(Sample.Kind.RATE, writes));
  }

  /**
   * Compares another grid with this one.
   *
   * @param again a further grid of the build of this one; without it, no cell is decided
   */
  public HeatmapPage compare(RwHeatmaps other, Optional<RwHeatmaps> again, String command) {
    again.ifPresent(
        grid -> Stream.of(this, other).forEach(compared -> compared.requireOther(grid, file)));
    List<String> notes = new ArrayList<>();
    notes.add(
        "The repeats of a cell ran one after the other in one server, so they do not show by how"
            + " much two runs of one build differ.");
    if (again.isEmpty()) {
      notes.add(
          "No cell is decided. Import a further grid of the same build with --again: cells that"
              + " differ by no more than these two stay gray.");
    }
    long unpaired =
        Stream.of(this, other)
            .flatMap(grid -> grid.cells.keySet().stream())
            .filter(cell -> !(cells.containsKey(cell) && other.cells.containsKey(cell)))
            .count();
    if (unpaired > 0) {
      notes.add(
          "%s left out, as only one of the grids has %s."
              .formatted(
                  unpaired == 1 ? "1 cell is" : unpaired + " cells are",
                  unpaired == 1 ? "it" : "them"));
    }
    List<RatioMap> maps = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      Map<Cell, Change> changes = changes(other, kind);
      Optional<Map<Cell, Change>> ofOneBuild = again.map(grid -> changes(grid, kind));
      OptionalDouble deviation =
          ofOneBuild.stream()
              .mapToDouble(RwHeatmaps::deviation)
              .filter(each -> !Double.isNaN(each))
              .findAny();
      double most =
          ofOneBuild
              .map(same -> deviation(same) * quantile(same.size(), changes.size()))
              .orElse(Double.POSITIVE_INFINITY);
      maps.add(map(other, kind, changes, most));
      notes.add(
          "The median ratio of %s is %s. If all cells are slower or faster alike, the machine may have changed between the grids."
              .formatted(kind.word(), median(changes)));
      deviation.ifPresent(
          each ->
              notes.add(
                  "Two grids of one build differ by %s in a cell of %s (standard deviation). Cells that differ by more than %s have a color: at most one of 20 pairs of such grids has any."
                      .formatted(
                          NumberFormats.percent(each),
                          kind.word(),
                          NumberFormats.percent(Math.expm1(most)))));
    }
    return new HeatmapPage(
        "%s compared with %s".formatted(name(other.file), name(file)),
        notes,
        maps,
        VisibleText.of(command));
  }

  private static String name(Path file) {
    return VisibleText.of(String.valueOf(file.getFileName()));
  }

  private Map<Cell, Change> changes(RwHeatmaps other, Kind kind) {
    Map<Cell, Change> changes = new LinkedHashMap<>();
    cells.keySet().stream()
        .filter(other.cells::containsKey)
        .forEach(cell -> changes.put(cell, Change.of(kind.of(this, cell), kind.of(other, cell))));
    if (changes.isEmpty()) {
      throw new QuorateException(
          "%s and %s have no cell in common: expected grids of the same ratios, connections and sizes"
              .formatted(VisibleText.of(file.toString()), VisibleText.of(other.file.toString())));
    }
    return changes;
  }

  /**
   * Refuses a copy of this grid as a further one of a build: it would show that nothing ever
   * differs, or that both builds do not.
   */
  private void requireOther(RwHeatmaps again, Path ofBuild) {
    boolean equal =
        Stream.of(Kind.values())
            .flatMap(kind -> changes(again, kind).values().stream())
            .allMatch(change -> change.estimate() == 0);
    if (equal) {
      throw new QuorateException(
          "--again: found the values of %s in %s, expected a further grid of the build of %s"
              .formatted(
                  VisibleText.of(file.toString()),
                  VisibleText.of(again.file.toString()),
                  VisibleText.of(ofBuild.toString())));
    }
  }

  /**
   * Returns the standard deviation of the logarithms of all ratios of two grids of one build; it
   * contains what the machine changed between them.
   */
  private static double deviation(Map<Cell, Change> changes) {
    return Math.sqrt(
        changes.values().stream()
            .filter(Change::isRatio)
            .mapToDouble(change -> Math.pow(size(change), 2))
            .average()
            .orElse(Double.NaN));
  }

  /**
   * Returns by how many deviations a cell has to differ, so that at most one of twenty pairs of
   * grids of one build has such a cell: a quantile of Student's distribution, corrected for the
   * number of cells (Bonferroni).
   */
  private static double quantile(int ofOneBuild, int cells) {
    return TDistribution.of(ofOneBuild).inverseSurvivalProbability(ERROR / 2 / cells);
  }

  private static double size(Change change) {
    return Math.abs(Math.log1p(change.estimate()));
  }

  private static String median(Map<Cell, Change> changes) {
    return ratio(
        Sample.median(
            changes.values().stream()
                .filter(Change::isRatio)
                .mapToDouble(Change::estimate)
                .toArray()));
  }

  private static String ratio(double change) {
    return Double.isNaN(change) ? "-" : NumberFormats.fixed(1 + change, 2);
  }

  private RatioMap map(RwHeatmaps other, Kind kind, Map<Cell, Change> changes, double most) {
    List<RatioMap.Place> places = new ArrayList<>();
    changes.forEach(
        (cell, change) -> {
          places.add(
              new RatioMap.Place(
                  "reads/writes " + VisibleText.of(cell.ratio),
                  "values " + VisibleText.of(cell.values),
                  "connections " + VisibleText.of(cell.connections),
                  change.isRatio() ? ratio(change.estimate()) : "-",
                  change.estimate(),
                  change.isRatio() && size(change) > most,
                  "%s: %s per second, before %s"
                      .formatted(
                          change.isRatio() ? ratio(change.estimate()) : "not compared",
                          range(change.candidate()),
                          range(change.baseline()))));
        });
    return RatioMap.of(
        "%s of %s as a part of those of %s".formatted(kind.word(), name(other.file), name(file)),
        places);
  }

  private static String range(Sample rates) {
    return NumberFormats.rate(rates.least()) + " to " + NumberFormats.rate(rates.greatest());
  }
}
