// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import io.quorate.agent.KeyDirectory;
import io.quorate.agent.server.AgentServer;
import io.quorate.agent.server.AgentSettings;
import io.quorate.cluster.ClusterSettings;
import io.quorate.install.Installation;
import io.quorate.store.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "agent",
    description = {
      "Runs and measures members of clusters on this machine for load generators on other machines,"
          + " one member at a time, until SIGTERM or Ctrl-C.",
      "With keys it can listen on any address of this machine, and accepts only load generators"
          + " with keys of the same set. Without keys it listens on loopback addresses only. The"
          + " servers listen on the same address as the agent."
    },
    synopsisSubcommandLabel = "[keys]",
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./quorate agent keys --directory keys --hosts 10.0.0.1,10.0.0.2,10.0.0.3",
      "  ./quorate agent --listen 10.0.0.1:7300 --data /var/tmp/quorate --keys"
          + " keys/agents/10.0.0.1",
      "  ./quorate run quick --agents 10.0.0.1:7300,10.0.0.2:7300,10.0.0.3:7300 --agent-keys"
          + " keys/client"
    })
final class AgentCommand extends QuorateCommand implements Callable<Integer> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Installation installation;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:7300",
      description = "Address for load generators to connect to (default: ${DEFAULT-VALUE}).")
  private String listen;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Directory for the data of the servers and all other files of the agent (default: "
              + "agent in your cache). The disk of this directory is measured.")
  private Optional<Path> data;

  @Option(
      names = "--keys",
      paramLabel = "DIR",
      description =
          "Directory with the keys of this agent: agents/HOST, made by 'quorate agent keys'.")
  private Optional<Path> keys;

  private AgentCommand(Installation installation) {
    this.installation = installation;
  }

  static CommandLine commandLine(Installation installation) {
    return new CommandLine(new AgentCommand(installation)).addSubcommand(new Keys());
  }

  @Override
  public Integer call() throws InterruptedException {
    AgentSettings settings =
        AgentSettings.of(
            Endpoint.parse(listen),
            data.orElseGet(() -> installation.cache().resolve("agent")),
            keys.map(KeyDirectory::new),
            ClusterSettings.defaults(installation),
            this::say);
    AgentServer agent = new AgentServer(settings);
    Thread stopping = new Thread(agent::close, "quorate-stop-agent");
    Runtime.getRuntime().addShutdownHook(stopping);
    say(
        "listening at %s, %s; data in %s"
            .formatted(
                agent.address(),
                keys.isPresent()
                    ? "for load generators with a key of the same set"
                    : "without keys, so for this machine only: every user of it may start servers",
                settings.data().toAbsolutePath().normalize()));
    agent.awaitEnd();
    return 0;
  }

  private synchronized void say(String line) {
    out().println(TIME.format(Instant.now()) + "  " + line);
  }

  @Command(
      name = "keys",
      description = {
        "Creates the keys for a set of agents and their load generator.",
        "Copy agents/HOST to each host and pass it to the agent with --keys; pass client to the"
            + " load generator with --agent-keys. Keep the keys secret: anyone"
            + " with client can start servers on those hosts. Existing files are not overwritten."
            + " To add a host, make a new set."
      },
      footerHeading = "%nExample:%n",
      footer = "  ./quorate agent keys --directory keys --hosts db1.example.com,10.0.0.2 --days 30")
  static final class Keys extends QuorateCommand implements Callable<Integer> {
    private static final int MAX_DAYS = 3_650;

    @Option(
        names = "--directory",
        required = true,
        paramLabel = "DIR",
        description = "Directory for agents/HOST and client; must be empty or not exist.")
    private Path directory;

    @Option(
        names = "--hosts",
        required = true,
        split = ",",
        paramLabel = "HOST",
        description =
            "Names or IPv4 addresses of the agents' hosts, as the load generator will name them.")
    private List<String> hosts;

    @Option(
        names = "--days",
        paramLabel = "N",
        defaultValue = "365",
        description = "Number of days for which the keys are valid (default: ${DEFAULT-VALUE}).")
    private int days;

    @Override
    public Integer call() {
      if (days < 1 || days > MAX_DAYS) {
        throw wrongUsage("--days " + days + ": expected 1 to " + MAX_DAYS);
      }
      KeyDirectory.make(directory, hosts, Instant.now(), Duration.ofDays(days));
      for (String host : hosts) {
        out()
            .println("for the agent at " + host + ": " + directory.resolve("agents").resolve(host));
      }
      out().println("for the load generator: " + directory.resolve("client"));
      return 0;
    }
  }
}
