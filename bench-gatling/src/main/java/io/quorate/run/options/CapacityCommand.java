package io.quorate.run.options;

import io.quorate.scenario.CapacityGoal;
import java.util.List;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
final class CapacityCommand extends ScenarioCommand {
  @Option(
      names = "--limit",
      descriptionKey = CapacityOptions.LIMITS,
      paramLabel = "LIMIT",
      description =
          "What the load has to keep, such as \"p99 <= 20 ms\" or \"errors = 0\"; may be repeated"
              + " (default: those of the scenario).")
  private List<String> limits;

  @Option(names = "--quick", description = "Search to 10 %% in about 3 minutes, not to 5 %% in 12.")
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
