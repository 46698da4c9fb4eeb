// SPDX-License-Identifier: Apache-2.0
package io.quorate.bisect;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.ShellText;
import io.quorate.VisibleText;
import io.quorate.bisect.Bisection.Result;
import io.quorate.bisect.Bisection.Step;
import io.quorate.cli.Quorate;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.AtomicFile;
import io.quorate.install.GoReleases;
import io.quorate.install.Installation;
import io.quorate.install.OwnProgram;
import io.quorate.report.compare.ComparisonReport;
import io.quorate.report.compare.Side;
import io.quorate.report.judge.Family.Limits;
import io.quorate.report.judge.Gate.Outcome;
import io.quorate.report.page.ConsoleSummary;
import io.quorate.report.page.PageTemplate;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.OpenRuns;
import io.quorate.results.RunDirectory;
import io.quorate.run.EarlyEnd;
import io.quorate.run.EarlyEnd.Cause;
import io.quorate.run.options.RepeatOptions;
import io.quorate.scenario.GateRule;
import io.quorate.store.server.Program;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code quorate bisect} command: finds the release with which a store became worse. */
@Command(name = "bisect", resourceBundle = "io.quorate.run.options.commands")
public final class BisectCommand extends QuorateCommand implements Callable<Integer> {
  private static final String RANGE = "..";

  /** Exit codes above it are those of runs that a signal ended. */
  private static final int SIGNALLED = 128;

  @Parameters(index = "0", paramLabel = "SCENARIO", descriptionKey = "scenario")
  private String scenario;

  @Parameters(index = "1..*", arity = "0..*", paramLabel = "OPTION", descriptionKey = "option")
  private List<String> options = List.of();

  @Option(names = "--database", paramLabel = "ID", defaultValue = "etcd")
  private String database;

  @Option(names = "--good", required = true, paramLabel = "VERSION")
  private String good;

  @Option(names = "--bad", required = true, paramLabel = "VERSIONS")
  private String bad;

  @Option(names = "--fail-on", required = true, paramLabel = "RULE")
  private List<String> rules;

  @Option(names = "--max-repeats", paramLabel = "N", defaultValue = "30")
  private int maxRepeats;

  @Option(names = "--output", paramLabel = "DIR")
  private Optional<Path> output = Optional.empty();

  private final Installation installation =
      Installation.of(System.getenv(), System.getProperties());

  private final Commands commands;

  /** What the gate said in each step. */
  private final Map<Integer, List<String>> gates = new HashMap<>();

  /** The page of each comparison that could be made, relative to that of the bisection. */
  private final Map<Integer, String> pages = new HashMap<>();

  /** Versions of which no run is complete. */
  private final Set<String> unusable = new HashSet<>();

  /** Exit code of a run that a signal ended; 0 if there is none. */
  private int endedBy;

  /** Creates the command of a user. */
  public BisectCommand() {
    this(Quorate::run);
  }

  /** Creates the command, which runs others. */
  public BisectCommand(Commands commands) {
    this.commands = commands;
  }

  /** Runs a command of Quorate, and returns its exit code. */
  public interface Commands {
    int run(String... arguments);
  }

  @Override
  public Integer call() {
    gate(); // refuses a wrong rule before anything is installed
    if (maxRepeats < RepeatOptions.LEAST_PAIRS || maxRepeats > RepeatOptions.MAX) {
      throw wrongUsage(
          "--max-repeats: found %d, expected a number from %d to %d"
              .formatted(maxRepeats, RepeatOptions.LEAST_PAIRS, RepeatOptions.MAX));
    }
    Optional<RunDirectory> own = output.map(BisectCommand::made);
    List<String> given = new ArrayList<>(versions(good));
    if (given.size() != 1) {
      throw wrongUsage("--good: expected one version");
    }
    given.addAll(versions(bad).stream().filter(each -> !given.contains(each)).toList());
    if (given.size() < 2) {
      throw wrongUsage("--bad: expected a version other than that of --good");
    }
    install(given);
    RunDirectory directory =
        own.orElseGet(
            () ->
                RunDirectory.create(
                    RunDirectory.allResults(System.getProperties()), "bisect", 1, Instant.now()));
    List<String> ids = given.stream().map(OwnProgram::ids).toList();
    out().println("bisecting " + VisibleText.of(String.join(", ", ids)));
    Result result =
        new Bisection(ids, (from, to, step) -> compare(directory.path(), from, to, step)).find();
    List<String> words = words(result, ids);
    AtomicFile.write(directory.page(), PageTemplate.html("bisect.html.ftl", page(result, words)));
    words.forEach(out()::println);
    out().println("page    " + ConsoleSummary.shown(directory.page()));
    if (endedBy != 0) {
      return endedBy;
    }
    return result.isDecided()
        ? (result.guilty().isPresent() ? Quorate.LIMIT_BROKEN : 0)
        : Quorate.UNDECIDED;
  }

  /** Creates a new directory, or takes an empty one. */
  private static RunDirectory made(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException failure) {
      throw FileFailure.exception("cannot create " + directory, failure);
    }
    if (!DatabaseDirectory.entries(directory).isEmpty()) {
      throw new QuorateException(
          "--output: found files in %s, expected a new directory"
              .formatted(VisibleText.of(directory.toString())));
    }
    return new RunDirectory(directory.toAbsolutePath());
  }

  /** Returns databases with their versions, and with the paths of own programs. */
  private List<String> versions(String text) {
    List<String> versions = new ArrayList<>();
    for (String each : text.split(",")) {
      int range = each.indexOf('=') < 0 ? each.indexOf(RANGE) : -1;
      if (range < 0) {
        versions.add(database + "@" + each.strip());
        continue;
      }
      Program program =
          Stores.program(database)
              .filter(found -> !found.packages().isEmpty())
              .orElseThrow(
                  () ->
                      wrongUsage(
                          "--bad: found a range for %s, expected a list, as its releases are not known"
                              .formatted(VisibleText.quoted(database))));
      GoReleases.between(
              installation,
              program,
              each.substring(0, range).strip(),
              each.substring(range + RANGE.length()).strip())
          .forEach(version -> versions.add(database + "@" + version));
    }
    return versions;
  }

  /** Installs all programs before anything is measured. */
  private void install(List<String> given) {
    OwnProgram.install(
        String.join(",", given),
        installation,
        Path.of(System.getProperty("quorate.directory", "")).toAbsolutePath(),
        Path.of(System.getProperty("quorate.home", ".")),
        out());
    for (String each : given) {
      Program program =
          Stores.program(each.replaceFirst("=.*", ""))
              .orElseThrow(
                  () ->
                      wrongUsage(
                          "found %s, expected a version of %s such as 3.5.16, or a name"
                              .formatted(VisibleText.quoted(each), VisibleText.quoted(database))));
      if (installation.find(program).isEmpty() && commands.run("install", each) != 0) {
        throw new QuorateException(VisibleText.of(each) + ": cannot be installed, see above");
      }
    }
  }

  private Outcome compare(Path directory, String from, String to, int step) {
    out().printf("step %d: %s and %s%n", step, VisibleText.of(from), VisibleText.of(to));
    Path results = directory.resolve("runs").resolve("step-" + step);
    List<String> run =
        new ArrayList<>(
            List.of("run", scenario, "--database", from + "," + to, "--until", "decided"));
    run.addAll(List.of("--max-repeats", Integer.toString(maxRepeats)));
    rules.forEach(rule -> run.addAll(List.of("--fail-on", rule)));
    run.addAll(List.of("--results", results.toString()));
    run.addAll(options);
    int ended = commands.run(run.toArray(String[]::new));
    // a signal between the runs does not change their exit code
    int code = EarlyEnd.ofProcess().map(Cause::exitCode).orElse(ended);
    if (code > SIGNALLED) {
      endedBy = code;
      throw new Bisection.EndedException(code);
    }
    if (!Files.isDirectory(results)) {
      throw new QuorateException(
          "step %d: the run ended with exit code %d, see above".formatted(step, code));
    }
    String before = results + ":" + from;
    String after = results + ":" + to;
    Optional<ComparisonReport> compared =
        OpenRuns.with(
            runs ->
                readable(from, before, runs, step)
                    .flatMap(
                        baseline ->
                            readable(to, after, runs, step)
                                .map(
                                    candidate ->
                                        ComparisonReport.of(
                                            baseline,
                                            List.of(candidate),
                                            Optional.empty(),
                                            gate(),
                                            Limits.USUAL,
                                            ComparisonReport.Accepted.NOTHING))));
    if (compared.isEmpty()) {
      return Outcome.INCONCLUSIVE;
    }
    unusable.removeAll(List.of(from, to));
    ComparisonReport report = compared.get();
    List<String> words = new ArrayList<>(List.of("./quorate", "compare", before, after));
    rules.forEach(rule -> words.addAll(List.of("--fail-on", rule)));
    RunDirectory page = new RunDirectory(directory.resolve("step-" + step));
    report.write(page, shown(words));
    out().println("page    " + ConsoleSummary.shown(page.page()));
    gates.put(step, report.gate());
    pages.put(step, "step-" + step + "/index.html");
    // without the rules of the scenario
    return report.outcome(gate());
  }

  /** Reads the runs of a version, of which none may be complete; prints the reason then. */
  private Optional<Side> readable(String version, String side, OpenRuns runs, int step) {
    try {
      return Optional.of(Side.read(side, runs));
    } catch (QuorateException incomplete) {
      List<String> reasons = String.valueOf(incomplete.getMessage()).lines().toList();
      reasons.forEach(out()::println);
      gates.put(step, reasons);
      unusable.add(version);
      return Optional.empty();
    }
  }

  private List<GateRule> gate() {
    return ComparisonReport.rules(
        rules.stream().flatMap(each -> Stream.of(each.split(","))).toList(), this::wrongUsage);
  }

  private static String shown(List<String> command) {
    return VisibleText.of(ShellText.of(command));
  }

  private List<String> words(Result result, List<String> ids) {
    if (result.guilty().isEmpty()) {
      return List.of(
          result.isDecided()
              ? "no change in this range: %s to %s keep %s"
                  .formatted(ids.get(1), ids.get(ids.size() - 1), String.join(", ", rules))
              : endedBy != 0
                  ? "undecided: the bisection was ended"
                  : !unusable.isEmpty()
                      ? "undecided: no run of " + String.join(", ", unusable) + " is complete"
                      : "undecided: the comparisons do not decide %s. Use more pairs (--max-repeats), longer runs or a quieter machine"
                          .formatted(String.join(", ", rules)));
    }
    Step guilty = result.guilty().get();
    List<String> words = new ArrayList<>();
    words.add(
        result.isDecided()
            ? "%s is the first that breaks %s; %s keeps it"
                .formatted(guilty.version(), String.join(", ", rules), result.lastGood())
            : "undecided: %s breaks %s, but a version after %s may be the first"
                .formatted(guilty.version(), String.join(", ", rules), result.lastGood()));
    words.addAll(gates.getOrDefault(guilty.number(), List.of()));
    return words;
  }

  private BisectPage page(Result result, List<String> words) {
    List<BisectPage.Row> rows =
        result.steps().stream()
            .map(
                step ->
                    new BisectPage.Row(
                        step.number(),
                        step.version(),
                        switch (step.outcome()) {
                          case PASSED -> "keeps the rule";
                          case FAILED -> "breaks the rule";
                          case INCONCLUSIVE -> "undecided";
                        },
                        gates.getOrDefault(step.number(), List.of()),
                        pages.getOrDefault(step.number(), "")))
            .toList();
    List<String> command = new ArrayList<>(List.of("./quorate", "bisect", scenario));
    command.addAll(List.of("--database", database, "--good", good, "--bad", bad));
    command.addAll(List.of("--max-repeats", Integer.toString(maxRepeats)));
    rules.forEach(rule -> command.addAll(List.of("--fail-on", rule)));
    if (!options.isEmpty()) {
      command.add("--");
      command.addAll(options);
    }
    return new BisectPage(
        words.get(0), OwnProgram.ids(database + "@" + good), rows, shown(command));
  }

  /**
   * The content of the page of a bisection. All texts are plain: the template escapes them.
   *
   * @param good version that all others were compared with
   * @param command command that repeats it
   */
  public record BisectPage(String title, String good, List<Row> rows, String command) {
    /**
     * A comparison.
     *
     * @param gate what the gate said
     * @param link page of the comparison; empty if the runs could not be compared
     */
    public record Row(int step, String version, String outcome, List<String> gate, String link) {}
  }
}
