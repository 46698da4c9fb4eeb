// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.cli.CommandProvider;
import io.quorate.cli.QuorateCommand;
import io.quorate.format.ConsoleText;
import io.quorate.install.Installation;
import io.quorate.install.OwnProgram;
import io.quorate.run.EarlyEnd;
import io.quorate.run.LoadGenerator;
import io.quorate.run.MatrixRun;
import io.quorate.run.ScenarioRun;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.Matrix;
import io.quorate.scenario.yaml.ScenarioFiles;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Provides the commands that send load. */
public final class RunCommands implements CommandProvider {
  private final LoadGenerator.Launcher launcher;
  private final EarlyEnd early;

  /** Creates the commands of a user, whose load generators are separate processes. */
  public RunCommands() {
    this(LoadGenerator::inProcess, new EarlyEnd());
  }

  public RunCommands(LoadGenerator.Launcher launcher, EarlyEnd early) {
    this.launcher = launcher;
    this.early = early;
  }

  @Override
  public List<Object> commands() {
    return List.of(
        new Run().commandLine(RunOption.RUN),
        new Check().commandLine(RunOption.RUN),
        new Capacity().commandLine(RunOption.CAPACITY),
        new CleanCommand(),
        new ScenariosCommand());
  }

  @Command(name = "run", resourceBundle = "io.quorate.run.options.options")
  private final class Run extends LoadCommand {
    @Option(names = "--dry-run")
    private boolean dryRun;

    @Override
    boolean isPreview() {
      return dryRun;
    }
  }

  @Command(name = "check", resourceBundle = "io.quorate.run.options.options")
  private final class Check extends LoadCommand {
    @Override
    boolean isPreview() {
      return true;
    }
  }

  @Command(name = "capacity", resourceBundle = "io.quorate.run.options.options")
  private final class Capacity extends LoadCommand {
    @Option(names = "--quick")
    private boolean quick;

    @Option(names = "--clients", descriptionKey = "capacity.clients")
    private boolean clients;

    @Option(
        names = {"--rate", "--requests", "--duration"},
        hidden = true)
    private Optional<String> length = Optional.empty();

    @Override
    public Integer call() throws InterruptedException {
      if (length.isPresent()) {
        throw wrongUsage(
            "--rate, --requests, --duration: a search finds the rate, and ends by itself: leave"
                + " them out, or use 'quorate run'");
      }
      return super.call();
    }

    @Override
    void addTo(Properties properties) {
      properties.setProperty(
          CapacityOptions.SEARCH,
          quick ? CapacityGoal.Search.QUICK.id() : CapacityOptions.OF_SCENARIO);
      if (clients) {
        properties.setProperty(CapacityOptions.LOAD, CapacityGoal.Load.CLIENTS.id());
      }
    }
  }

  /** The options and the start of commands that send load to the databases of a scenario. */
  private abstract class LoadCommand extends QuorateCommand implements Callable<Integer> {
    @Parameters(
        arity = "0..1",
        paramLabel = "SCENARIO",
        descriptionKey = "scenario",
        completionCandidates = Names.class)
    @SuppressWarnings("unused") // for the help; RunCommand.Arguments reads it
    private String scenario;

    @Option(names = "--from-properties", hidden = true)
    private boolean fromProperties;

    CommandLine commandLine(List<RunOption> own) {
      CommandLine command = new CommandLine(this);
      Stream.of(RunOption.COMMON, own)
          .flatMap(List::stream)
          .flatMap(option -> option.specs().stream())
          .forEach(spec()::addOption);
      spec()
          .usageMessage()
          .abbreviateSynopsis(true)
          .sectionMap()
          .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, OptionGroup::list);
      return command;
    }

    @Override
    public Integer call() throws InterruptedException {
      Properties properties = new Properties();
      properties.putAll(System.getProperties());
      if (fromProperties) {
        RunOptions.refuseUnknown(properties);
        RunOption.OLDER.forEach(
            (older, name) -> {
              if (properties.containsKey(older)) {
                requireOne("-D" + older, "-D" + name, properties.containsKey(name));
              }
            });
      } else {
        RunOption.PROPERTIES.forEach(properties::remove);
        RunOption.OLDER.keySet().forEach(properties::remove);
        spec().args().forEach(argument -> given(argument, properties));
        addTo(properties);
      }
      ShardOptions.addFromEnvironment(properties, System.getenv());
      ToolOptions.complete(properties, System.getenv(), err()::println);
      Installation installation = withOwnPrograms(properties);
      RunSettings settings = RunSettings.of(properties);
      if (settings.continued().isPresent()) {
        settings.capacity().refuseMatrix();
        settings.shards().refuseMatrix();
        return MatrixRun.continued(
                settings.continued().get(), settings, installation, launcher, early)
            .run();
      }
      ToolOptions.tellUnused(
          properties, System.getenv(), text -> ConsoleText.wrapped(text).forEach(err()::println));
      RunSettings planned = settings.planned();
      planned.hints().forEach(err()::println);
      Optional<Matrix> matrix = planned.readMatrix();
      if (matrix.isEmpty()) {
        planned.repeats().refuseCanary();
      }
      ScenarioRun run = new ScenarioRun(planned, installation, launcher, early);
      if (isPreview()) {
        return matrix.isPresent() ? run.preview(matrix.get(), out()) : run.preview(out());
      }
      return matrix.isPresent()
          ? MatrixRun.begun(matrix.get(), planned, installation, launcher, early).run()
          : run.run();
    }

    /** Returns the installed programs, with the user's own ones that the databases name. */
    private Installation withOwnPrograms(Properties properties) {
      Installation found = Installation.of(System.getenv(), System.getProperties());
      String databases = properties.getProperty(RunOptions.DATABASE, "");
      if (databases.isEmpty()) {
        return found;
      }
      properties.setProperty(RunOptions.DATABASE, OwnProgram.ids(databases));
      Path directory = Path.of(properties.getProperty("quorate.directory", "")).toAbsolutePath();
      if (isPreview()) {
        return OwnProgram.expected(databases, found, directory);
      }
      Path home = Path.of(properties.getProperty("quorate.home", ""));
      OwnProgram.install(databases, found, directory, home, err());
      return found;
    }

    /** Adds the value of an argument under its name as a system property, its description key. */
    private void given(ArgSpec argument, Properties properties) {
      Object value = argument.getValue();
      String key = argument.descriptionKey();
      if (key == null || key.isEmpty() || value == null || value.equals(false)) {
        return;
      }
      if (argument instanceof OptionSpec option && option.hidden()) {
        String name =
            spec().options().stream()
                .filter(each -> !each.hidden())
                .filter(each -> option.descriptionKey().equals(each.descriptionKey()))
                .findFirst()
                .orElseThrow()
                .longestName();
        requireOne(option.longestName(), name, properties.containsKey(option.descriptionKey()));
      }
      properties.setProperty(
          argument.descriptionKey(),
          value instanceof List<?> several
              ? several.stream().map(Object::toString).collect(Collectors.joining(", "))
              : value.toString());
    }

    /** Says what an option is called now, unless it has been given by that name, too. */
    private void requireOne(String older, String name, boolean isGiven) {
      if (isGiven) {
        throw wrongUsage("%s: found %s, too, which is its name now".formatted(older, name));
      }
      err().println("'%s' is now called '%s'".formatted(older, name));
    }

    /** Returns whether the command only prints what it would do. */
    boolean isPreview() {
      return false;
    }

    /** Adds options of this command whose values are not those that were given. */
    void addTo(Properties properties) {}

    /** The names of bundled scenarios, for completion in shells. */
    static final class Names implements Iterable<String> {
      @Override
      public Iterator<String> iterator() {
        Path home = Path.of(System.getProperty("quorate.home", ""));
        return ScenarioFiles.names(home.resolve("scenarios")).iterator();
      }
    }
  }
}
