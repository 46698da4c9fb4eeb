package io.quorate.run.options;

import io.quorate.install.Installation;
import io.quorate.run.MatrixRun;
import io.quorate.run.ScenarioRun;
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
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options of commands that make load on the databases of a scenario, and what they start. */
abstract class LoadCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "SCENARIO",
      descriptionKey = "scenario",
      completionCandidates = Names.class)
  private String scenario;

  @Option(names = "--from-properties", hidden = true)
  private boolean fromProperties;

  /** Returns the command with further options. */
  CommandLine commandLine(List<RunOption> own) {
    CommandLine command = new CommandLine(this);
    Stream.of(RunOption.COMMON, own)
        .flatMap(List::stream)
        .forEach(option -> spec.addOption(option.spec()));
    return command;
  }

  @Override
  public Integer call() throws InterruptedException {
    Properties properties = new Properties();
    properties.putAll(System.getProperties());
    if (fromProperties) {
      RunSettings.refuseUnknown(properties);
    } else {
      RunOption.PROPERTIES.forEach(properties::remove);
      spec.args().forEach(argument -> given(argument, properties));
      addTo(properties);
    }
    ShardOptions.addFromEnvironment(properties, System.getenv());
    RunSettings settings = RunSettings.of(properties);
    Installation installation = Installation.of(System.getenv(), System.getProperties());
    if (settings.continued().isPresent()) {
      settings.capacity().refuseMatrix();
      settings.shards().refuseMatrix();
      return MatrixRun.continued(settings.continued().get(), settings, installation).run();
    }
    RunSettings planned = settings.planned();
    Optional<Matrix> matrix = planned.readMatrix();
    return matrix.isPresent()
        ? MatrixRun.begun(matrix.get(), planned, installation).run()
        : new ScenarioRun(planned, installation).run();
  }

  /** Adds the value of an argument under its name as a system property, its description key. */
  private static void given(ArgSpec argument, Properties properties) {
    Object value = argument.getValue();
    if (argument.descriptionKey() == null || value == null || value.equals(false)) {
      return;
    }
    properties.setProperty(
        argument.descriptionKey(),
        value instanceof List<?> several
            ? several.stream().map(Object::toString).collect(Collectors.joining(", "))
            : value.toString());
  }

  /** Adds options of this command whose values are not those that were given. */
  void addTo(Properties properties) {}

  /** The scenarios that come with Quorate, for shells to complete. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      Path home = Path.of(System.getProperty("quorate.home", ""));
      return ScenarioFiles.names(home.resolve("scenarios")).iterator();
    }
  }
}
