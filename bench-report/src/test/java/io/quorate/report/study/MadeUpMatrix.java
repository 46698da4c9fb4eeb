// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.report.export.JunitXml.TestCase;
import io.quorate.report.figures.Basis;
import io.quorate.report.figures.Reservation;
import io.quorate.results.MatrixManifest;
import io.quorate.results.MatrixManifest.Cell;
import io.quorate.results.latency.Percentile;
import io.quorate.results.manifest.BuildInfo;
import io.quorate.store.ReadGuarantee;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** Results of a matrix that no one has run: topologies, operations, reads, targets and loads. */
final class MadeUpMatrix {
  private static final List<String> AXES =
      List.of("database", "topology", "operation", "consistency", "routing", "load");

  private final List<CellResult> cells = new ArrayList<>();
  private final List<TestCase> limits = new ArrayList<>();
  private final int repeats;

  MadeUpMatrix(int repeats) {
    this.repeats = repeats;
  }

  /** Adds a cell with a run for each of these mean latencies. */
  MadeUpMatrix add(
      String topology, String operation, String reads, String target, String load, double... ms) {
    return add(topology, operation, reads, target, load, Optional.empty(), ms);
  }

  /** Adds a cell whose requests take at least a time. */
  MadeUpMatrix add(
      String topology,
      String operation,
      String reads,
      String target,
      String load,
      Optional<RoundTripBound> least,
      double... ms) {
    Map<String, String> coordinates = new LinkedHashMap<>();
    coordinates.put("database", "etcd");
    coordinates.put("topology", topology);
    coordinates.put("operation", operation);
    if (!reads.isEmpty()) {
      coordinates.put("consistency", reads);
    }
    coordinates.put("routing", target);
    coordinates.put("load", load);
    int clients = load.equals("1 client") ? 1 : 1000;
    int members = topology.equals("sn-sz") ? 1 : 3;
    List<RepeatFigures> runs = new ArrayList<>();
    for (double each : ms) {
      double rate = clients * 1000 / each;
      runs.add(
          new RepeatFigures(
              runs.size() + 1,
              10_000,
              0,
              rate,
              each,
              each / 2,
              each * 0.9,
              each * 0.01,
              each * 3,
              least,
              Basis.UNKNOWN,
              Map.of(),
              Map.of(),
              List.of(),
              new RepeatFigures.MemberTimes(Map.of(), Set.of(), List.of()),
              Optional.empty()));
    }
    CellInfo facts =
        new CellInfo(
            "etcd",
            Optional.of("3.6.16"),
            operation,
            Optional.of(reads).filter(text -> !text.isEmpty()),
            target,
            10_000,
            256,
            Math.min(clients, 100),
            clients,
            false,
            true,
            members,
            0,
            List.of(members == 1 ? 1 : target.equals("leader") ? 2 : 1),
            members == 1 ? List.of() : List.of("zone-a"));
    Cell cell = new Cell("00" + (cells.size() + 1) + "-x", coordinates);
    List<String> troubles =
        ms.length < repeats ? List.of(cell.id() + ": failed: <b>why</b>") : List.of();
    cells.add(
        new CellResult(
            cell, ms.length == 0 ? Optional.empty() : Optional.of(facts), runs, troubles));
    return this;
  }

  /** Returns a cell with one run of linearizable reads of a database, some of which failed. */
  static CellResult read(String database, ReadGuarantee guarantee, long failed, double ms) {
    Basis basis =
        new Basis(
            Optional.of(guarantee),
            OptionalLong.of(1000),
            1000,
            failed,
            0,
            Basis.UNKNOWN.generator(),
            false,
            Set.of(),
            "");
    RepeatFigures run =
        new RepeatFigures(
            1,
            1000,
            failed,
            1000 / ms,
            ms,
            ms / 2,
            ms,
            ms / 100,
            ms * 3,
            Optional.empty(),
            basis,
            Map.of(),
            Map.of(),
            List.of(),
            new RepeatFigures.MemberTimes(Map.of(), Set.of(), List.of()),
            Optional.empty());
    return new CellResult(
        new Cell(database, Map.of("database", database)),
        Optional.empty(),
        List.of(run),
        List.of());
  }

  /** Returns a cell with one run, whose load generator was late. */
  static CellResult delayed(
      Map<String, String> coordinates, Set<Percentile> percentiles, boolean mean, double ms) {
    return cell(coordinates, percentiles, mean, ms, Optional.empty());
  }

  /** Returns a cell with a run for each of these mean latencies. */
  static CellResult measured(Map<String, String> coordinates, double... ms) {
    List<RepeatFigures> runs = new ArrayList<>();
    for (double each : ms) {
      runs.add(cell(coordinates, Set.of(), false, each, Optional.empty()).runs().get(0));
    }
    return new CellResult(
        cell(coordinates, Set.of(), false, 1, Optional.empty()).cell(),
        Optional.empty(),
        runs,
        List.of());
  }

  /** Returns a cell with one run, which was disturbed. */
  static CellResult disturbed(Map<String, String> coordinates, String reason, double ms) {
    return cell(coordinates, Set.of(), false, ms, Optional.of(reason));
  }

  private static CellResult cell(
      Map<String, String> coordinates,
      Set<Percentile> percentiles,
      boolean mean,
      double ms,
      Optional<String> disturbance) {
    Basis basis =
        new Basis(
            Optional.empty(),
            OptionalLong.empty(),
            1000,
            0,
            0,
            new Basis.Generator(percentiles, mean, false),
            false,
            disturbance.isPresent() ? Set.of(Reservation.DISTURBED) : Set.of(),
            "");
    RepeatFigures run =
        new RepeatFigures(
            1,
            1000,
            0,
            1000 / ms,
            ms,
            ms / 2,
            ms,
            ms / 100,
            ms * 3,
            Optional.empty(),
            basis,
            Map.of(),
            Map.of(),
            List.of(),
            new RepeatFigures.MemberTimes(Map.of(), Set.of(), List.of()),
            disturbance);
    return new CellResult(
        new Cell(String.join("-", coordinates.values()).replace(' ', '-'), coordinates),
        Optional.empty(),
        List.of(run),
        List.of());
  }

  /** Adds a limit of a run. */
  MadeUpMatrix limit(String run, String limit, Optional<String> broken) {
    limits.add(new TestCase(run, limit, broken, Optional.empty()));
    return this;
  }

  /** Returns results with these cells and a run of each. */
  static MatrixResults of(List<CellResult> cells) {
    MadeUpMatrix matrix = new MadeUpMatrix(1);
    matrix.cells.addAll(cells);
    return matrix.results();
  }

  MatrixResults results() {
    MatrixManifest manifest =
        new MatrixManifest(
            "study",
            "A <study>",
            "Why it is\nmade.\n\nMore.",
            Instant.parse("2026-11-22T08:00:00Z"),
            new BuildInfo(Optional.empty(), Optional.empty(), false),
            0.5,
            repeats,
            Stream.concat(
                    AXES.stream(),
                    cells.stream().flatMap(cell -> cell.coordinates().keySet().stream()))
                .distinct()
                .toList(),
            cells.stream().map(CellResult::cell).toList(),
            Map.of(),
            "title: A <study>\n");
    return new MatrixResults(manifest, cells, List.of(), limits, List.of(), List.of(), List.of());
  }

  /** Returns a study of puts and reads of three runs each, one of which failed. */
  static MadeUpMatrix study() {
    return new MadeUpMatrix(3)
        .add("sn-sz", "put", "", "leader", "1 client", 0.8, 0.82, 0.79)
        .add("sn-sz", "put", "", "leader", "1000 clients", 78, 80, 76)
        .add("mn-sz", "put", "", "leader", "1 client", 1.52, 1.56, 1.5)
        .add("mn-sz", "put", "", "leader", "1000 clients", 75, 77, 78.5)
        .add("mn-sz", "put", "", "followers", "1 client", 2.3, 2.4)
        .add("sn-sz", "get", "linearizable", "leader", "1 client", 0.6, 0.61, 0.62)
        .add("sn-sz", "get", "stale", "leader", "1 client", 0.4, 0.41, 0.42)
        .add("mn-sz", "get", "linearizable", "leader", "1 client", 0.9, 0.95, 0.99)
        .add("mn-sz", "get", "stale", "leader", "1 client", 0.41, 0.4, 0.42);
  }
}
