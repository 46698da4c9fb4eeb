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
    return List.of(new Run(), new Capacity());
  }

  /** The {@code quorate run} command. */
  @Command(
      name = "run",
      mixinStandardHelpOptions = true,
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
  private static final class Run extends LoadCommand {
    @Option(
        names = "--shard",
        descriptionKey = "shard",
        paramLabel = "I/N",
        description =
            "Make this part of the load, on the servers of all: one of N load generators, such as"
                + " 3/8. Or set QUORATE_SHARDS and JOB_COMPLETION_INDEX, as Kubernetes does from 0.")
    private String shard;

    @Option(
        names = "--start-at",
        descriptionKey = "start-at",
        paramLabel = "TIME",
        description =
            "With --shard: begin measuring at this time, such as 2026-11-22T12:00:00Z; a shard that"
                + " comes too late fails.")
    private String startAt;

    @Option(
        names = "--barrier",
        descriptionKey = "barrier",
        paramLabel = "DIR",
        description =
            "With --shard: a new directory that all shards see, in which they wait for each other"
                + " before each step, and learn of servers that one of them starts with --agents.")
    private String barrier;

    @Option(
        names = "--continue",
        descriptionKey = "continue",
        paramLabel = "DIR",
        description =
            "Continue an interrupted matrix of runs: results/<scenario>/<run>. Not with other options"
                + " except --retry.")
    private String continued;

    @Option(
        names = "--retry",
        descriptionKey = "retry",
        paramLabel = "failed",
        description = "With --continue: also repeat runs that failed.")
    private String retry;
  }

  /** The {@code quorate capacity} command: a run with a search in place of the scenario's load. */
  @Command(
      name = "capacity",
      mixinStandardHelpOptions = true,
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
        names = "--limit",
        descriptionKey = CapacityOptions.LIMITS,
        paramLabel = "LIMIT",
        description =
            "What the load has to keep, such as \"p99 <= 20 ms\" or \"errors = 0\"; may be repeated"
                + " (default: those of the scenario).")
    private List<String> limits;

    @Option(
        names = "--quick",
        description = "Search to 10 %% in about 3 minutes, not to 5 %% in 12.")
    private boolean quick;

    @Option(
        names = "--continue",
        descriptionKey = CapacityOptions.CONTINUE,
        paramLabel = "RUN",
        description = "Go on with the search of this run, which was interrupted.")
    private String continued;

    @Option(
        names = "--clients",
        description = "Search the most clients of a closed loop, not the most requests per second.")
    private boolean clients;

    @Option(
        names = "--preload",
        descriptionKey = CapacityOptions.PRELOAD,
        paramLabel = "SIZES",
        description =
            "Search again with so much more in the store, separated by commas, such as 100MB,1GB.")
    private String preload;

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
