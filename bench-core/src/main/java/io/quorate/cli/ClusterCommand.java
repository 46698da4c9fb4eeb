package io.quorate.cli;

import io.quorate.install.Installation;
import picocli.CommandLine;
import picocli.CommandLine.Command;

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
}
