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
    synopsisSubcommandLabel = "[keys]",
    resourceBundle = "io.quorate.cli.commands")
final class AgentCommand extends QuorateCommand implements Callable<Integer> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Installation installation;

  @Option(names = "--listen", paramLabel = "HOST:PORT", defaultValue = "127.0.0.1:7300")
  private String listen;

  @Option(names = "--data", paramLabel = "DIR")
  private Optional<Path> data;

  @Option(names = "--keys", paramLabel = "DIR")
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

  @Command(name = "keys", resourceBundle = "io.quorate.cli.commands")
  static final class Keys extends QuorateCommand implements Callable<Integer> {
    private static final int MAX_DAYS = 3_650;

    @Option(names = "--directory", required = true, paramLabel = "DIR")
    private Path directory;

    @Option(names = "--hosts", required = true, split = ",", paramLabel = "HOST")
    private List<String> hosts;

    @Option(names = "--days", paramLabel = "N", defaultValue = "365")
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
