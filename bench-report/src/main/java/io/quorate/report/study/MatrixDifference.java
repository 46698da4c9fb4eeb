package io.quorate.report.study;

import io.quorate.format.NumberFormats;
import io.quorate.report.figures.Reservation;
import io.quorate.report.study.MatrixPage.Table;
import io.quorate.report.study.Spread.Ratio;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Compares two matrices cell by cell, by the coordinates of the cells. */
record MatrixDifference(List<MatrixDifference.Pair> pairs, int cells) {
  private static final int MAX_NAMED = 5;

  /** A cell that is in both matrices. */
  record Pair(CellResult here, CellResult there) {
    Spread hereMs() {
      return here.meanMs().orElseThrow();
    }

    Spread thereMs() {
      return there.meanMs().orElseThrow();
    }

    List<Reservation.Stated> reservations() {
      return Reservation.aboutRatio("here", here.basis().atMean(), "there", there.basis().atMean());
    }

    Ratio ratio() {
      return hereMs().over(thereMs());
    }

    /** Returns the reason why the two must not be compared; empty if they may be. */
    Optional<String> obstacle() {
      return Reservation.obstacle(reservations());
    }

    boolean isFaster() {
      return obstacle().isEmpty() && !ratio().isTooClose() && ratio().value() < 1;
    }

    boolean isSlower() {
      return obstacle().isEmpty() && !ratio().isTooClose() && ratio().value() > 1;
    }

    String times() {
      return MatrixSentences.times(ratio().value()) + MatrixSentences.interval(ratio());
    }

    String remarks() {
      return reservations().isEmpty()
          ? ""
          : reservations().stream()
              .map(Reservation.Stated::text)
              .collect(Collectors.joining("; ", " (", ")"));
    }

    String inWords() {
      String how = isFaster() ? "faster" : isSlower() ? "slower" : "too close to call";
      return (obstacle().isPresent() ? "not compared" : how) + remarks();
    }
  }

  static MatrixDifference of(MatrixResults results, Optional<MatrixResults> against) {
    Map<Map<String, String>, CellResult> others =
        against.stream()
            .flatMap(other -> other.cells().stream())
            .collect(Collectors.toMap(CellResult::coordinates, cell -> cell, (one, two) -> one));
    List<Pair> pairs =
        results.cells().stream()
            .map(here -> new Pair(here, others.get(here.coordinates())))
            .filter(pair -> pair.there != null)
            .filter(pair -> pair.here.meanMs().isPresent() && pair.there.meanMs().isPresent())
            .toList();
    return new MatrixDifference(pairs, results.cells().size());
  }

  List<String> sentences() {
    if (pairs.isEmpty()) {
      return List.of();
    }
    List<String> sentences = new ArrayList<>();
    long faster = pairs.stream().filter(Pair::isFaster).count();
    long slower = pairs.stream().filter(Pair::isSlower).count();
    long notCompared = pairs.stream().filter(pair -> pair.obstacle().isPresent()).count();
    sentences.add(
        ("Cells with a counterpart: %s of %s. Faster here: %s; slower: %s; too close to call: "
                + "%s%s.")
            .formatted(
                NumberFormats.commas(pairs.size()),
                NumberFormats.commas(cells),
                NumberFormats.commas(faster),
                NumberFormats.commas(slower),
                NumberFormats.commas(pairs.size() - faster - slower - notCompared),
                notCompared == 0 ? "" : "; not compared: " + NumberFormats.commas(notCompared)));
    Comparator<Pair> byRatio = Comparator.comparingDouble(pair -> pair.ratio().value());
    named("Faster here", Pair::isFaster, byRatio).ifPresent(sentences::add);
    named("Slower here", Pair::isSlower, byRatio.reversed()).ifPresent(sentences::add);
    return sentences;
  }

  private Optional<String> named(String how, Predicate<Pair> which, Comparator<Pair> order) {
    List<Pair> all = pairs.stream().filter(which).sorted(order).toList();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    String more = all.size() > MAX_NAMED ? "; and " + (all.size() - MAX_NAMED) + " more" : "";
    return Optional.of(
        all.stream()
            .limit(MAX_NAMED)
            .map(
                it ->
                    "%s takes %s times as long%s"
                        .formatted(it.here.cell().label(), it.times(), it.remarks()))
            .collect(Collectors.joining("; ", how + ": ", more + ".")));
  }

  Table table() {
    return new Table(
        "Against another matrix",
        List.of("cell", "mean latency here", "there", "times as long as there", "in words"),
        pairs.stream()
            .map(
                pair ->
                    List.of(
                        pair.here.cell().label(),
                        StudyTables.ms(pair.hereMs()),
                        StudyTables.ms(pair.thereMs()),
                        pair.obstacle().isPresent() ? "-" : pair.times(),
                        pair.inWords()))
            .toList());
  }
}
