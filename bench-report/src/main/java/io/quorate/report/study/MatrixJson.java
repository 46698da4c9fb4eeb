package io.quorate.report.study;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quorate.format.StrictJson;
import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.results.MatrixManifest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The content of {@code matrix-result.json}, with its fields in their order. */
@FormatVersion(1)
record MatrixJson(
    String name,
    String title,
    Instant start,
    double scale,
    int repeats,
    List<String> axes,
    List<CellEntry> cells) {

  /** A cell, with its facts and figures if a run is complete. */
  record CellEntry(
      String id,
      Map<String, String> coordinates,
      @JsonUnwrapped Optional<CellInfo> facts,
      Optional<SpreadEntry> meanMs,
      Optional<SpreadEntry> p50Ms,
      Optional<SpreadEntry> p99Ms,
      Optional<SpreadEntry> requestsPerSecond,
      List<RepeatFigures> runs,
      List<String> notComplete) {
    static CellEntry of(CellResult cell) {
      return new CellEntry(
          cell.cell().id(),
          cell.coordinates(),
          cell.facts(),
          cell.meanMs().map(SpreadEntry::of),
          cell.spread(RepeatFigures::p50Ms).map(SpreadEntry::of),
          cell.spread(RepeatFigures::p99Ms).map(SpreadEntry::of),
          cell.spread(RepeatFigures::requestsPerSecond).map(SpreadEntry::of),
          cell.runs(),
          cell.troubles());
    }
  }

  /** The spread of a figure, and its interval of confidence if there is one. */
  record SpreadEntry(
      double geometricMean,
      double lowest,
      double highest,
      @JsonUnwrapped Optional<Spread.Interval> confidence) {
    static SpreadEntry of(Spread spread) {
      return new SpreadEntry(spread.mean(), spread.lowest(), spread.highest(), spread.confidence());
    }
  }

  static String text(MatrixResults results) {
    MatrixManifest manifest = results.manifest();
    return StrictJson.text(
        new MatrixJson(
            manifest.name(),
            manifest.title(),
            manifest.start(),
            manifest.scale(),
            manifest.repeats(),
            manifest.axes(),
            results.cells().stream().map(CellEntry::of).toList()));
  }
}
