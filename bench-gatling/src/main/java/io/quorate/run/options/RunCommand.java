package io.quorate.run.options;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
final class RunCommand extends ScenarioCommand {
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
