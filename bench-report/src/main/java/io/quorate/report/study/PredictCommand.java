// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.network.Topology;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.RunFigures;
import io.quorate.report.figures.StepFigures;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.OpenRuns;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Step;
import io.quorate.scenario.yaml.ScenarioReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code quorate predict} command: predicts a cluster in zones from a run without delay. */
@Command(name = "predict", resourceBundle = "io.quorate.report.commands")
public final class PredictCommand extends QuorateCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RUN_DIR", descriptionKey = "run-dir")
  private Path directory;

  @Option(names = "--topology", paramLabel = "FILE", required = true)
  private Path topology;

  @Option(names = "--json")
  private boolean json;

  /** The document of {@code --json}. */
  @FormatVersion(1)
  private record Document(String topology, List<Cluster> databases) {}

  /** Predictions of a database, for each member that could lead. */
  private record Cluster(
      String database, String operation, String routing, OptionalDouble syncMs, List<Led> leaders) {
    List<List<String>> rows() {
      return leaders.stream().flatMap(each -> each.steps.stream().map(each::row)).toList();
    }
  }

  /**
   * Predictions with one leader.
   *
   * @param mostPerSecond most successes in a second, over all steps in a closed loop; empty if
   *     there is none
   */
  private record Led(
      int member, String zone, List<ZoneModel.Prediction> steps, OptionalDouble mostPerSecond) {
    List<String> row(ZoneModel.Prediction step) {
      return List.of(
          "member %d in %s".formatted(member, zone),
          step.load(),
          StudyTables.ms(step.p50Ms()),
          StudyTables.ms(step.p99Ms()),
          NumberFormats.rate(step.requestsPerSecond()));
    }
  }

  @Override
  public Integer call() {
    Topology apart = ScenarioReader.topology(topology);
    RunFigures run =
        OpenRuns.with(runs -> RunFigures.of(ExperimentRun.read(runs.files(directory))));
    List<String> problems =
        run.databases().stream().flatMap(each -> problems(each, apart).stream()).toList();
    if (run.databases().isEmpty() || !problems.isEmpty()) {
      throw new QuorateException(
          problems.isEmpty()
              ? directory + ": found no database, expected a finished run"
              : String.join("\n", problems));
    }
    Document document =
        new Document(
            apart.toString(), run.databases().stream().map(each -> cluster(each, apart)).toList());
    run.doNotUse().ifPresent(err()::println);
    if (json) {
      print(document);
    } else {
      print(document, apart);
    }
    return 0;
  }

  private void print(Document document, Topology apart) {
    ConsoleText.wrapped("predicted: " + VisibleText.of(document.topology)).forEach(out()::println);
    for (Cluster each : document.databases) {
      out().println();
      out().println("%s: %s, routing %s".formatted(each.database, each.operation, each.routing));
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("leader", "load", "p50", "p99", "per second"));
      rows.addAll(each.rows());
      ConsoleText.table(rows, column -> column < 2).forEach(out()::println);
      if (each.syncMs.isEmpty()) {
        out().println("the model knows times of syncs of etcd only, so it leaves them out");
      }
    }
    if (apart.made().values().stream().anyMatch(link -> link.bitsPerSecond().isPresent())) {
      out().println("bandwidth is not part of the model");
    }
    if (apart.made().values().stream().anyMatch(link -> link.connectionLife().isPresent())) {
      out().println("connection-life is not part of the model");
    }
    out().flush();
  }

  /** Returns why a database cannot be predicted; empty if it can. */
  private List<String> problems(DatabaseFigures database, Topology apart) {
    DatabaseRun run = database.run();
    Manifest manifest = run.manifest();
    ServerInfo servers = manifest.store().servers();
    int members = servers.members().size();
    List<String> problems = new ArrayList<>();
    if (manifest.status() != RunStatus.COMPLETE) {
      problems.add("found status " + manifest.status().id() + ", expected complete");
    }
    if (run.zones().filter(zones -> !zones.links().isEmpty()).isPresent()
        || !servers.are(ServerInfo.Hosting.LOCAL)) {
      problems.add("found members that may be apart, expected members of one machine, in no zones");
    }
    if (members != apart.members()) {
      problems.add(
          "found %s, expected %d as in %s"
              .formatted(NumberFormats.count(members, "member"), apart.members(), topology));
    }
    if (servers.nonVoters().isPresent()) {
      problems.add("found a member without a vote, expected none");
    }
    if (!manifest.load().mix().isSingle()
        || RoundTripBound.path(run).filter(path -> path.syncs()).isEmpty()) {
      problems.add(
          "found %s, expected one operation that writes, such as put"
              .formatted(operations(manifest)));
    }
    if (!database.capacities().isEmpty()) {
      problems.add("found a search for a capacity, expected a run");
    }
    if (database.faults().isPresent()) {
      problems.add("found faults or maintenance, expected none, as latencies contain outages");
    }
    for (StepFigures step : database.steps()) {
      if (!isPlain(step.asked())) {
        problems.add(
            "found a step of %s, expected clients that do not wait, or a constant rate"
                .formatted(step.asked().load()));
      } else if (step.requests().response().getTotalCount() == 0) {
        problems.add("found no success " + step.atLoad() + ", expected some");
      }
    }
    return problems.stream()
        .map(each -> "%s: %s: %s".formatted(directory, run.directory().id(), each))
        .toList();
  }

  private static boolean isPlain(Step step) {
    boolean steady =
        step.model() instanceof LoadModel.Closed closed
            ? closed.keepsSending()
            : step.model() instanceof LoadModel.Open open && open.ramp().isEmpty();
    return steady && !step.isPhase() && step.groups().isEmpty();
  }

  private static String operations(Manifest manifest) {
    return String.join(
        ", ", manifest.load().mix().operations().stream().map(each -> each.id()).toList());
  }

  private static Cluster cluster(DatabaseFigures database, Topology apart) {
    DatabaseRun run = database.run();
    OptionalDouble sync = RoundTripBound.syncMs(run, RoundTripBound.path(run).orElseThrow());
    List<ZoneModel.Measured> steps = database.steps().stream().map(ZoneModel.Measured::of).toList();
    List<ZoneModel.Measured> closed = steps.stream().filter(each -> each.clients() > 0).toList();
    ZoneModel model = new ZoneModel(closed, RoundTripBound.path(run).orElseThrow(), sync.orElse(0));
    List<Led> leaders = new ArrayList<>();
    for (int leader = 1; leader <= apart.members(); leader++) {
      List<Integer> asked = asked(run.manifest(), apart, leader);
      int leading = leader;
      List<ZoneModel.Prediction> predicted =
          steps.stream().map(each -> model.predict(each, apart, leading, asked)).toList();
      leaders.add(
          new Led(
              leader,
              apart.zones().get(leader - 1),
              predicted,
              IntStream.range(0, steps.size())
                  .filter(step -> steps.get(step).clients() > 0)
                  .mapToDouble(step -> predicted.get(step).requestsPerSecond())
                  .max()));
    }
    return new Cluster(
        run.directory().id(),
        operations(run.manifest()),
        run.manifest().load().routing().id(),
        sync,
        leaders);
  }

  /** Returns the numbers of the members that get requests, if one of them leads. */
  private static List<Integer> asked(Manifest manifest, Topology apart, int leader) {
    IntStream members = IntStream.rangeClosed(1, apart.members());
    return switch (manifest.load().routing()) {
      case LEADER -> List.of(leader);
      case FOLLOWERS -> members.filter(member -> member != leader).boxed().toList();
      case NEAREST -> apart.nearest();
      default -> members.boxed().toList();
    };
  }
}
