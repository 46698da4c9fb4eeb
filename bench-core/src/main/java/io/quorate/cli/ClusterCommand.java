package io.quorate.cli;

import io.quorate.cluster.ClusterSettings;
import io.quorate.cluster.standing.PersistentClusters;
import io.quorate.install.Installation;
import io.quorate.store.Store;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "cluster",
    description = {
      "Starts, shows and stops clusters of real servers on 127.0.0.1.",
      "Runs do not need them: they start and stop servers of their own."
    },
    synopsisSubcommandLabel = "(up | status | down)",
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./quorate cluster up etcd                          3 members on free ports",
      "  ./quorate cluster up zookeeper --members 1 --port 2181",
      "  ./quorate cluster status",
      "  ./quorate cluster down etcd"
    })
final class ClusterCommand {
  static CommandLine commandLine(Installation installation) {
    return new CommandLine(new ClusterCommand())
        .addSubcommand(new ClusterUpCommand(installation))
        .addSubcommand(new ClusterStatusCommand(installation))
        .addSubcommand(new ClusterDownCommand(installation));
  }

  @Command(
      name = "down",
      description = {
        "Stops a cluster and removes its data. Its logs are kept. The exit code is 0 also if there is"
            + " no cluster."
      })
  static final class ClusterDownCommand implements Runnable {
    private final Installation installation;

    @Spec private CommandSpec spec;

    @Parameters(
        paramLabel = "DATABASE",
        completionCandidates = DatabaseById.Ids.class,
        converter = DatabaseById.class,
        description = "The database: ${COMPLETION-CANDIDATES}.")
    private Store database;

    ClusterDownCommand(Installation installation) {
      this.installation = installation;
    }

    @Override
    public void run() {
      PersistentClusters clusters =
          new PersistentClusters(
              ClusterSettings.defaults(installation), spec.commandLine().getErr()::println);
      boolean stopped = clusters.down(database);
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          stopped
              ? "the cluster of " + database + " is stopped and its data removed"
              : "no cluster of " + database + " is up");
      out.flush();
    }
  }
}
