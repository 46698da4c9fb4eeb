// SPDX-License-Identifier: Apache-2.0
package io.quorate.doctor;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.Quorate;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.host.ConnectProbe;
import io.quorate.host.DiskProbe;
import io.quorate.report.doctor.Check;
import io.quorate.report.doctor.CheckResult;
import io.quorate.report.doctor.Diagnosis;
import io.quorate.report.doctor.Probes;
import io.quorate.report.doctor.ResourceUse;
import io.quorate.report.figures.RunFigures;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.ExperimentRun;
import io.quorate.results.OpenRuns;
import io.quorate.results.RunDirectory;
import io.quorate.run.options.AccessArguments;
import io.quorate.run.options.ShortTime;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.server.CheckRule;
import io.quorate.stores.Stores;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Explains why a database was slow: in a run, or in an existing cluster. */
@Command(name = "doctor", resourceBundle = "io.quorate.run.options.commands")
final class DoctorCommand extends QuorateCommand implements Callable<Integer> {
  /** Exit code if the result of a check is bad. */
  static final int BAD = 3;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private static final int PROBE_SECONDS = 10;
  private static final int CONNECTS = 100;

  @Parameters(arity = "0..1", paramLabel = "RUN_DIR", descriptionKey = "run-dir")
  private Optional<Path> run;

  @Option(names = "--endpoints", paramLabel = "HOST:PORT")
  private Optional<String> endpoints;

  @Option(names = "--database", paramLabel = "ID")
  private Optional<String> database;

  @Option(names = "--observe")
  private boolean observe;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "20s",
      converter = ShortTime.class)
  private Duration duration;

  @Option(names = "--disk", paramLabel = "DIR")
  private Optional<Path> disk;

  @Option(names = "--all")
  private boolean all;

  @Option(names = "--json")
  private boolean json;

  /** The document of {@code --json}. */
  @FormatVersion(1)
  private record Document(List<Verdict> databases, List<Finding> checks) {}

  private record Verdict(String name, Optional<String> verdict) {}

  private record Finding(
      String id, String subject, String status, String measured, String limit, String action) {
    static Finding of(CheckResult each) {
      return new Finding(
          each.check().id(),
          each.subject(),
          each.status().word(),
          each.measured(),
          each.check().limit(),
          each.check().action());
    }
  }

  private final List<Verdict> verdicts = new ArrayList<>();

  @Option(names = "--explain", paramLabel = "ID")
  private Optional<String> explained;

  @Mixin private AccessArguments access;

  @Option(names = "--results", paramLabel = "DIR")
  private Optional<Path> results;

  @Override
  public Integer call() throws InterruptedException {
    if (explained.isPresent()) {
      explain(explained.get());
      return 0;
    }
    if (run.isPresent() == endpoints.isPresent() && !(disk.isPresent() && run.isEmpty())) {
      throw wrongUsage("Pass the directory of a run, or --endpoints of a cluster, or --disk");
    }
    if (endpoints.isPresent() != database.isPresent()) {
      throw wrongUsage("--endpoints and --database belong together");
    }
    if (observe && endpoints.isEmpty()) {
      throw wrongUsage("--observe is for a cluster: pass --endpoints");
    }
    if (json && endpoints.isPresent() && !observe) {
      throw wrongUsage(
          "--json: found a cluster under load, expected a run, --observe or --disk. Pass the run of"
              + " 'quorate doctor' afterwards");
    }
    Probes probes = probes();
    List<CheckResult> checks = new ArrayList<>();
    if (run.isPresent()) {
      checks.addAll(explain(run.get(), probes));
    } else if (endpoints.isPresent() && observe) {
      checks.addAll(observed(probes));
    } else if (endpoints.isPresent()) {
      checks.addAll(underLoad(probes));
    } else {
      checks.addAll(Check.of(probes));
      print(checks(checks));
    }
    if (json) {
      print(new Document(verdicts, checks.stream().map(Finding::of).toList()));
    }
    return checks.stream().anyMatch(each -> each.status() == CheckResult.Status.BAD) ? BAD : 0;
  }

  private void explain(String id) {
    List<CheckRule> rules = Check.rules();
    CheckRule check =
        rules.stream()
            .filter(each -> each.id().equals(id))
            .findFirst()
            .orElseThrow(
                () ->
                    new QuorateException(
                        "--explain: found %s, expected one of %s"
                            .formatted(
                                VisibleText.quoted(id),
                                String.join(", ", rules.stream().map(CheckRule::id).toList()))));
    out().println(check.id() + ": " + check.title());
    out().println("  recommended: " + check.limit());
    out().println("  source:      " + check.source());
    out().println("  action:      " + check.action());
  }

  private Probes probes() {
    Map<String, Histogram> disks = new LinkedHashMap<>();
    disk.ifPresent(
        directory -> {
          err().printf("writing to %s for %d s ...%n", shown(directory), PROBE_SECONDS);
          DiskProbe probe = DiskProbe.run(directory, PROBE_SECONDS);
          disks.put(directory.toString(), probe.nanos());
          console().println("the same with fio: " + VisibleText.of(probe.command()));
        });
    Map<String, Histogram> connects = new LinkedHashMap<>();
    Map<String, Histogram> own = new LinkedHashMap<>();
    List<Endpoint> members =
        endpoints.map(any -> cluster(store(), line -> {}).endpoints()).orElse(List.of());
    for (Endpoint each : members) {
      ConnectProbe probe = ConnectProbe.run(each, CONNECTS);
      connects.put(each.toString(), probe.nanos());
      own.put(each.toString(), probe.own());
    }
    return new Probes(disks, connects, own);
  }

  private static String shown(Path path) {
    return VisibleText.of(path.toString());
  }

  private List<CheckResult> explain(Path directory, Probes probes) {
    return OpenRuns.with(runs -> explain(directory, runs.files(directory), probes));
  }

  private List<CheckResult> explain(Path directory, Path files, Probes probes) {
    RunFigures figures = RunFigures.of(ExperimentRun.read(files));
    List<Diagnosis> found =
        figures.databases().stream().flatMap(each -> Diagnosis.of(each, probes).stream()).toList();
    if (found.isEmpty()) {
      throw new QuorateException(
          "%s: found nothing to explain: no tenths of seconds (tenths.csv), which begin with the first request that succeeds"
              .formatted(shown(directory)));
    }
    for (Diagnosis each : found) {
      if (each != found.get(0)) {
        console().println();
      }
      print(each);
    }
    return found.stream().flatMap(each -> each.checks().stream()).toList();
  }

  private List<CheckResult> underLoad(Probes probes) {
    Path into =
        results
            .orElse(RunDirectory.allResults(System.getProperties()))
            .resolve("doctor")
            .resolve(TIME.format(Instant.now()));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "run",
                "put=50,get=50",
                "--rate=50",
                "--clients=10",
                "--keys=100",
                "--value-size=256",
                "--duration=" + duration.toSeconds() + "s",
                "--database=" + database.orElseThrow(),
                "--endpoints=" + endpoints.orElseThrow(),
                "--results=" + into));
    access
        .given()
        .forEach((name, value) -> arguments.add("--" + name.replace('.', '-') + "=" + value));
    int code = Quorate.run(arguments.toArray(String[]::new));
    if (code != 0) {
      throw new QuorateException("the load failed (see above), so there is nothing to explain");
    }
    return explain(onlyRun(into), probes);
  }

  /** Returns the directory of the only run of the only scenario below a directory. */
  private static Path onlyRun(Path results) {
    return DatabaseDirectory.directories(results).stream()
        .flatMap(scenario -> DatabaseDirectory.directories(scenario).stream())
        .findFirst()
        .orElseThrow(() -> new QuorateException(shown(results) + ": found no run"));
  }

  private Store store() {
    return Stores.byId(database.orElseThrow())
        .filter(Store::hasServers)
        .orElseThrow(
            () ->
                new QuorateException(
                    "--database: found %s, expected one of %s"
                        .formatted(VisibleText.quoted(database.get()), Stores.withServers())));
  }

  private AccessArguments.NamedCluster cluster(Store store, Consumer<String> say) {
    return access.cluster(store, endpoints.orElseThrow(), System.getenv(), say);
  }

  private List<CheckResult> observed(Probes probes) throws InterruptedException {
    Store store = store();
    AccessArguments.NamedCluster cluster = cluster(store, err()::println);
    ClusterObservation observation =
        new ClusterObservation(store, cluster.endpoints(), cluster.access());
    err()
        .printf(
            "observing %s for %s s, without requests ...%n",
            store, Long.toString(duration.toSeconds()));
    Diagnosis found = observation.diagnose(duration, probes);
    print(found);
    return found.checks();
  }

  private void print(Diagnosis diagnosis) {
    List<String> lines = new ArrayList<>();
    String verdict = VisibleText.of(diagnosis.summary());
    lines.add(verdict);
    verdicts.add(new Verdict(diagnosis.name(), diagnosis.verdict()));
    Stream.concat(
            diagnosis.sentences().stream(),
            diagnosis.latency().stream().flatMap(parts -> parts.sentence().stream()))
        .map(VisibleText::of)
        .filter(sentence -> !verdict.contains(sentence))
        .forEach(lines::add);
    List<ResourceUse> used =
        diagnosis.resources().stream().filter(use -> use.saturated() || all).toList();
    if (!used.isEmpty()) {
      List<List<String>> rows = new ArrayList<>();
      rows.add(List.of("load", "resource", "used", "waiting", ""));
      used.forEach(
          use ->
              rows.add(
                  List.of(
                      diagnosis.load(use.step()),
                      VisibleText.of(use.resource().words() + " of " + use.host()),
                      use.utilizationText(),
                      use.saturationText(),
                      use.saturated() ? colors().warning("saturated") : "")));
      lines.add("");
      lines.addAll(ConsoleText.table(rows, column -> column <= 1 || column == 4));
    }
    lines.add("");
    lines.addAll(checks(all ? diagnosis.checks() : diagnosis.problems()));
    long fine =
        diagnosis.checks().stream().filter(each -> each.status() == CheckResult.Status.OK).count();
    List<CheckResult> unknown =
        diagnosis.checks().stream()
            .filter(each -> each.status() == CheckResult.Status.UNKNOWN)
            .toList();
    lines.add(
        colors()
            .good(
                "%s ok, %d not in order, %d unknown%s"
                    .formatted(
                        NumberFormats.count(fine, "check"),
                        diagnosis.problems().size(),
                        unknown.size(),
                        unknown.isEmpty() || all ? "" : " (--all names them)")));
    print(lines);
  }

  /** Returns a line for each check, about the first of its results, which is the worst one. */
  private List<String> checks(List<CheckResult> results) {
    Map<String, List<CheckResult>> byCheck = new LinkedHashMap<>();
    results.forEach(
        each -> byCheck.computeIfAbsent(each.check().id(), any -> new ArrayList<>()).add(each));
    return ConsoleText.table(byCheck.values().stream().map(this::row).toList(), column -> true);
  }

  private List<String> row(List<CheckResult> results) {
    CheckResult first = results.get(0);
    boolean inOrder = first.status().compareTo(CheckResult.Status.WARNING) < 0;
    return List.of(
        first.status() == CheckResult.Status.BAD
            ? colors().bad("").strip()
            : first.status() == CheckResult.Status.OK
                ? colors().good("").strip()
                : colors().warning("~"),
        first.check().id(),
        VisibleText.of(
            "%s%s %s%s"
                .formatted(
                    first.subject(),
                    results.size() == 1 ? "" : " (and %d more)".formatted(results.size() - 1),
                    first.measured(),
                    inOrder ? "" : "; recommended: " + first.check().limit().split(";")[0])));
  }

  private void print(List<String> lines) {
    lines.forEach(line -> ConsoleText.wrapped(line).forEach(console()::println));
  }

  private PrintWriter console() {
    return json ? err() : out();
  }
}
