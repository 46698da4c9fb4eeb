// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import io.quorate.ByteSize;
import io.quorate.ShellText;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunPlan;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.manifest.BuildInfo;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.scenario.yaml.ScenarioOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Generates the commands that repeat a run: the commit from its manifests, the scenario and the
 * options from its plan.
 */
public record Reproduction(ExperimentRun run, Map<String, String> given) {
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{7,64}");

  /** Name of the scenario of a published run, whose path is not published. */
  public static final String SCENARIO = "scenario.yaml";

  /** The line before a command with that name. */
  public static final String ABOUT_SCENARIO = "# scenario.yaml: next to this page, and in About";

  /** Options with files of a user, whose paths are not for the readers of a page. */
  private static final List<String> FILES =
      List.of(
          "agent.keys", "tls.ca", "tls.certificate", "tls.key", "credentials", "fault.commands");

  /** Options that say how servers are accessed, in addition to those with files. */
  private static final List<String> OTHERS =
      List.of("tls.name-check", "maintain", "yes", "realtime");

  /** Returns the commands for the user of the run, with the paths of that user. */
  Reproduction(ExperimentRun run) {
    this(run, RunPlan.read(run.directory().path()).map(RunPlan::options).orElse(Map.of()));
  }

  /** Returns the commands for the readers of a page. */
  static Reproduction forReaders(ExperimentRun run) {
    Map<String, String> options = new LinkedHashMap<>(new Reproduction(run).given);
    FILES.forEach(name -> options.computeIfPresent(name, (same, path) -> HostInfo.MASK));
    return new Reproduction(run, options);
  }

  List<String> commands() {
    if (run.databases().isEmpty()) {
      return List.of();
    }
    List<String> commands = new ArrayList<>();
    Manifest first = run.databases().get(0).manifest();
    checkout(first.suite()).ifPresent(commands::add);
    flag("scenario").filter(SCENARIO::equals).ifPresent(any -> commands.add(ABOUT_SCENARIO));
    Map<Options, List<String>> idsByOptions = new LinkedHashMap<>();
    for (DatabaseRun database : run.databases()) {
      idsByOptions
          .computeIfAbsent(options(database), absent -> new ArrayList<>())
          .add(database.manifest().store().id());
    }
    idsByOptions.forEach(
        (options, ids) -> {
          commands.add(
              "./quorate "
                  + options.scenario()
                  + chosen(ids, first.scenario().databases())
                  + options.text());
        });
    return commands;
  }

  /**
   * Returns the command that runs a database of a run repeatedly; empty if it was searched or its
   * load was shared, as such runs are not repeated.
   */
  public static Optional<String> repeated(Path run, String id, int times) {
    Reproduction one = new Reproduction(ExperimentRun.read(run));
    return one.run.databases().stream()
        .filter(each -> each.manifest().store().id().equals(id) && each.searches().isEmpty())
        .filter(each -> each.manifest().shard().isEmpty() && each.manifest().shards().isEmpty())
        .map(
            each -> {
              Options options = one.options(each);
              String which = one.chosen(List.of(id), each.manifest().scenario().databases());
              return "./quorate %s%s%s --repeats %d"
                  .formatted(options.scenario(), which, options.text(), times);
            })
        .findFirst();
  }

  /**
   * Returns the option that chooses databases; empty if the scenario has these. An operation
   * without a file has those that were chosen, so that it needs the option again.
   */
  private String chosen(List<String> ids, List<String> ofScenario) {
    return flag("database").isEmpty() && ids.equals(ofScenario)
        ? ""
        : " --database " + quoted(String.join(",", ids));
  }

  /**
   * Returns the command that repeats a run, several times unless it searched; empty if the run
   * needs several commands.
   */
  Optional<String> again(int times) {
    List<String> runs =
        commands().stream().filter(command -> command.startsWith("./quorate ")).toList();
    return runs.size() != 1 || runs.get(0).contains(" --shard ")
        ? Optional.empty()
        : Optional.of(runs.get(0) + (run.isSearch() ? "" : " --repeats " + times));
  }

  /** Returns the command that gets the sources of a program; empty if its commit is not known. */
  public static Optional<String> checkout(BuildInfo suite) {
    return suite
        .commit()
        .filter(commit -> COMMIT.matcher(commit).matches())
        .map("git checkout "::concat);
  }

  /** Returns the command that causes each fault of a run with faults once. */
  String eachFaultOnce() {
    String first =
        commands().stream()
            .filter(command -> command.startsWith("./quorate "))
            .findFirst()
            .orElseThrow();
    return first.replaceFirst(" --scale \\S+", "") + " --scale 0.01";
  }

  private String scenario(DatabaseRun database) {
    Manifest manifest = database.manifest();
    String scenario = quoted(flag("scenario").orElse(manifest.scenario().name()));
    // a database that failed before its search was to be searched as the others
    return Stream.concat(Stream.of(database), run.databases().stream())
        .map(DatabaseRun::searches)
        .filter(searches -> !searches.isEmpty())
        .findFirst()
        .map(searches -> "capacity " + scenario + search(searches))
        .orElse("run " + scenario);
  }

  private static String search(List<SearchRecord> searches) {
    SearchRecord.Header header = searches.get(0).header();
    StringBuilder options = new StringBuilder();
    header
        .limits()
        .forEach(limit -> options.append(" --threshold ").append(quoted(limit.toString())));
    options.append(header.isQuick() ? " --quick" : "");
    options.append(header.ofClients() ? " --clients" : "");
    String sizes =
        searches.stream()
            .map(each -> each.header().preloadBytes())
            .filter(bytes -> bytes > 0)
            .map(ByteSize::text)
            .collect(Collectors.joining(","));
    return options.append(sizes.isEmpty() ? "" : " --preload " + quoted(sizes)).toString();
  }

  /**
   * The options shared by databases that were run by the same command.
   *
   * @param scenario scenario, after the command
   */
  private record Options(String scenario, String text) {}

  private Options options(DatabaseRun database) {
    Manifest manifest = database.manifest();
    StringBuilder options = new StringBuilder();
    if (manifest.scenario().scale() != 1) {
      String scale = NumberFormats.shortest(manifest.scenario().scale());
      options.append(" --scale ").append(flag("scale").map(Reproduction::quoted).orElse(scale));
    }
    Stream.of(ScenarioOptions.NAMES, ScenarioOptions.OF_KUBERNETES, List.of("setting"))
        .flatMap(List::stream)
        .forEach(name -> option(name).ifPresent(options::append));
    option("endpoints").ifPresent(options::append);
    option("agents").ifPresent(options::append);
    Stream.of(FILES, OTHERS)
        .flatMap(List::stream)
        .forEach(name -> option(name).ifPresent(options::append));
    option(manifest.store().baseId() + ".client").ifPresent(options::append);
    manifest
        .shard()
        .ifPresent(facts -> options.append(" --shard ").append(facts.shard().asOption()));
    if (!manifest.shards().isEmpty()) {
      int count = manifest.shards().size();
      options.append(
          " --shard I/%d  # at the same time, for I from 1 to %d".formatted(count, count));
    }
    return new Options(scenario(database), options.toString());
  }

  private Optional<String> option(String name) {
    String own = "YOUR_" + name.substring(name.indexOf('.') + 1).toUpperCase(Locale.ROOT);
    return flag(name)
        .map(value -> value.equals(HostInfo.MASK) ? own : quoted(value))
        .map(value -> option(name, value));
  }

  /** Returns an option as it is written, after a space. */
  public static String option(String name, String value) {
    return " --" + name.replace('.', '-') + (value.equals("true") ? "" : " " + value);
  }

  /**
   * Returns what a user has to set again before a command, as it is stored nowhere: the login of an
   * existing cluster, if it came from variables.
   */
  Optional<String> missing() {
    return flag("credentials").isPresent()
        ? Optional.empty()
        : run.databases().stream()
            .map(each -> each.manifest().store().servers())
            .filter(servers -> servers.are(ServerInfo.Hosting.GIVEN))
            .flatMap(servers -> servers.secured().stream())
            .flatMap(secured -> secured.login().stream())
            .findFirst()
            .map("the %s came from variables and is not stored: set them again"::formatted);
  }

  private Optional<String> flag(String name) {
    return Optional.ofNullable(given.get(name)).filter(value -> !value.isEmpty());
  }

  private static String quoted(String text) {
    return ShellText.quoted(VisibleText.of(text));
  }
}
