package io.quorate.run.options;

import io.quorate.cli.CommandProvider;
import io.quorate.scenario.CapacityGoal;
import java.util.List;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Provides the commands that make load. */
public final class RunCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(
        new Run().commandLine(RunOption.RUN), new Capacity().commandLine(RunOption.CAPACITY));
  }

  /** The {@code quorate run} command. */
  @Command(
      name = "run",
      mixinStandardHelpOptions = true,
      resourceBundle = "io.quorate.run.options.options",
      description = "Runs a scenario and prints the result table.",
      footerHeading = "%nExamples:%n",
      footer = {
        "  ./quorate run                         the scenario 'quick'",
        "  ./quorate run my.yaml --scale 0.01    a file, at 1 %% of its requests",
        "  ./quorate run quick --database etcd --endpoints 10.0.0.1:2379,10.0.0.2:2379",
        "  ./quorate run quick --agents 10.0.0.1:7300,10.0.0.2:7300,10.0.0.3:7300 --agent-keys"
            + " keys/client",
        "  ./quorate run quick --database etcd --endpoints 10.0.0.1:2379 --shard 1/8",
        "",
        "In a checkout, the same with Maven: mvn gatling:test -Dscenario=my.yaml -Dscale=0.01"
            + " -Ddatabase=etcd"
      })
  private static final class Run extends LoadCommand {}

  /** The {@code quorate capacity} command: a run with a search in place of the scenario's load. */
  @Command(
      name = "capacity",
      mixinStandardHelpOptions = true,
      resourceBundle = "io.quorate.run.options.options",
      description = "Searches the most load that a database takes within limits.",
      footerHeading = "%nExamples:%n",
      footer = {
        "  ./quorate capacity capacity-write",
        "  ./quorate capacity write-at-rate --limit \"p99 <= 20 ms\" --quick --database etcd",
        "",
        "In a checkout, the same with Maven: mvn gatling:test -Pcapacity-write, or"
            + " -Dscenario=write-at-rate \"-Dcapacity.limits=p99 <= 20 ms, errors = 0\""
      })
  private static final class Capacity extends LoadCommand {
    @Option(
        names = "--quick",
        description = "Search to 10 %% in about 3 minutes, not to 5 %% in 12.")
    private boolean quick;

    @Option(
        names = "--clients",
        description = "Search the most clients of a closed loop, not the most requests per second.")
    private boolean clients;

    @Override
    void addTo(Properties properties) {
      properties.setProperty(
          CapacityOptions.SEARCH, quick ? CapacityOptions.QUICK : CapacityOptions.OF_SCENARIO);
      if (clients) {
        properties.setProperty(CapacityOptions.LOAD, CapacityGoal.Load.CLIENTS.id());
      }
    }
  }
}
