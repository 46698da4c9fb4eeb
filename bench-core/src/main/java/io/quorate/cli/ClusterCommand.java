// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.cluster.ClusterSettings;
import io.quorate.cluster.standing.PersistentClusters;
import io.quorate.cluster.standing.PersistentClusters.MemberStatus;
import io.quorate.cluster.standing.PersistentClusters.Status;
import io.quorate.format.Problems;
import io.quorate.install.Installation;
import io.quorate.store.Login;
import io.quorate.store.Security;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import io.quorate.tls.TlsFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "cluster",
    synopsisSubcommandLabel = "(up | status | down)",
    resourceBundle = "io.quorate.cli.commands")
final class ClusterCommand {
  private final Installation installation;

  private ClusterCommand(Installation installation) {
    this.installation = installation;
  }

  private PersistentClusters clusters(String name, Consumer<String> console) {
    return new PersistentClusters(ClusterSettings.defaults(installation), name, console);
  }

  static CommandLine commandLine(Installation installation) {
    ClusterCommand cluster = new ClusterCommand(installation);
    return new CommandLine(cluster)
        .addSubcommand(cluster.new Up())
        .addSubcommand(cluster.new Show())
        .addSubcommand(cluster.new Down());
  }

  @Command(name = "down", resourceBundle = "io.quorate.cli.commands")
  final class Down extends QuorateCommand implements Runnable {
    @Parameters(
        paramLabel = "DATABASE",
        completionCandidates = DatabaseById.Ids.class,
        converter = DatabaseById.class,
        descriptionKey = "database")
    private Store database;

    @Option(names = "--name", paramLabel = "NAME", defaultValue = "")
    private String name;

    @Override
    public void run() {
      boolean stopped = clusters(name, err()::println).down(database);
      String title = PersistentClusters.title(database, name);
      out()
          .println(
              stopped
                  ? "the cluster of " + title + " is stopped and its data removed"
                  : "no cluster of " + title + " is up");
    }
  }

  @Command(name = "up", resourceBundle = "io.quorate.cli.commands")
  final class Up extends QuorateCommand implements Callable<Integer> {
    @Parameters(
        paramLabel = "DATABASE",
        completionCandidates = DatabaseById.Ids.class,
        converter = DatabaseById.class,
        descriptionKey = "database")
    private Store database;

    @Option(names = "--members", paramLabel = "N", defaultValue = "3")
    private int members;

    @Option(names = "--port", paramLabel = "PORT")
    private Optional<Integer> port;

    @Option(names = "--security", paramLabel = "KIND", defaultValue = "none")
    private String security;

    @Option(names = "--setting", paramLabel = "ID=VALUE")
    private List<String> chosen = List.of();

    @Option(names = "--directory", paramLabel = "DIR")
    private Optional<Path> directory;

    @Option(names = "--name", paramLabel = "NAME", defaultValue = "")
    private String name;

    @Override
    public Integer call() {
      if (members != 1 && members != 3 && members != 5) {
        throw wrongUsage("--members " + members + ": expected 1, 3 or 5");
      }
      if (port.isPresent() && (port.get() < 1 || port.get() > 65_535)) {
        throw wrongUsage("--port " + port.get() + ": expected 1 to 65535");
      }
      ClusterSettings defaults = ClusterSettings.defaults(installation);
      ClusterSettings settings =
          port.map(defaults::withBasePort)
              .orElse(defaults)
              .withSecurity(wanted())
              .withServers(settings());
      Status status =
          new PersistentClusters(settings, name, err()::println).up(database, members, directory);
      out().println(Show.text(status));
      if (!settings.servers().values().isEmpty()) {
        out().println("Settings of its servers: " + settings.servers());
      }
      out().println("It stays up after this command. To use it, and to stop it:");
      out()
          .println(
              "  ./quorate run quick --database %s --endpoints %s%s"
                  .formatted(database, endpoints(status), access(status)));
      out().println("  ./quorate cluster down " + status.title());
      return status.isHealthy() ? 0 : Quorate.FAILED;
    }

    private ServerSettings settings() {
      try {
        return Stores.servers(database).parse(ServerSettings.NONE, chosen);
      } catch (QuorateException wrong) {
        throw wrongUsage(wrong.getMessage());
      }
    }

    private Security wanted() {
      Security wanted =
          List.of(Security.values()).stream()
              .filter(each -> each.id().equals(security))
              .findFirst()
              .orElseThrow(
                  () ->
                      wrongUsage(
                          "--security " + VisibleText.quoted(security) + ": expected none or tls"));
      Optional<String> obstacle = database.obstacleToTls();
      if (wanted != Security.NONE && obstacle.isPresent()) {
        throw wrongUsage("--security tls: " + database + " cannot do it: " + obstacle.get());
      }
      return wanted;
    }

    private static String access(Status status) {
      return status
          .access()
          .tls()
          .map(
              tls -> {
                TlsFiles.Identity own = tls.files().identity().orElseThrow();
                return " --tls-ca %s --tls-certificate %s --tls-key %s%s"
                    .formatted(
                        tls.files().authority(),
                        own.certificate(),
                        own.key(),
                        status.access().login() == Login.NONE
                            ? ""
                            : " --credentials " + own.key().resolveSibling("credentials"));
              })
          .orElse("");
    }

    private static String endpoints(Status status) {
      return status.members().stream()
          .map(each -> each.member().endpoint().toString())
          .collect(Collectors.joining(","));
    }
  }

  @Command(name = "status", resourceBundle = "io.quorate.cli.commands")
  final class Show extends QuorateCommand implements Callable<Integer> {
    @Parameters(
        arity = "0..1",
        paramLabel = "DATABASE",
        completionCandidates = DatabaseById.Ids.class,
        converter = DatabaseById.class,
        descriptionKey = "database")
    private Optional<Store> database;

    @Option(names = "--name", paramLabel = "NAME")
    private Optional<String> name;

    @Override
    public Integer call() {
      PersistentClusters clusters = clusters(name.orElse(""), err()::println);
      Problems problems = new Problems();
      List<Optional<Optional<Status>>> found =
          database
              .map(Stream::of)
              .orElseGet(() -> clusters.databases().stream())
              .flatMap(
                  one ->
                      name.map(List::of).orElseGet(() -> clusters.names(one)).stream()
                          .map(each -> problems.attempt(() -> clusters.named(each).status(one))))
              .toList();
      List<Status> all =
          found.stream().flatMap(Optional::stream).flatMap(Optional::stream).toList();
      if (found.stream().allMatch(each -> each.isPresent() && each.get().isEmpty())) {
        out()
            .println(
                "no cluster%s is up (./quorate cluster up %s)"
                    .formatted(
                        database.map(one -> " of " + one).orElse(""),
                        database.map(Store::id).orElse("etcd")));
      }
      all.forEach(status -> out().println(text(status)));
      problems.throwIfAny();
      boolean fine = all.stream().allMatch(Status::isHealthy) && !all.isEmpty();
      return fine ? 0 : Quorate.FAILED;
    }

    static String text(Status status) {
      if (status.members().isEmpty()) {
        return "%s is being started, or its start was cut short: './quorate cluster down %s' tidies up"
            .formatted(status.title(), status.title());
      }
      Path dir = status.directory();
      List<String> lines = new ArrayList<>();
      lines.add(
          String.format(
              Locale.ROOT,
              "%s%s %s, %d of %d members alive; logs and data in %s",
              status.database(),
              status.name().isEmpty() ? "" : " '" + status.name() + "'",
              status.version().orElse("(does not answer)"),
              status.members().stream().filter(MemberStatus::alive).count(),
              status.members().size(),
              dir));
      for (MemberStatus each : status.members()) {
        lines.add(
            String.format(
                Locale.ROOT,
                "  %-12s %-16s %-8s pid %-8s %s",
                each.member().name(),
                each.member().endpoint(),
                role(each),
                each.member().pids().stream().map(String::valueOf).collect(Collectors.joining("+")),
                each.member()
                    .log()
                    .map(log -> log.startsWith(dir) ? dir.relativize(log) : log)
                    .map(Path::toString)
                    .orElse("")));
      }
      return String.join("\n", lines);
    }

    private static String role(MemberStatus member) {
      if (!member.alive()) {
        return "dead";
      }
      if (!member.answers()) {
        return "silent";
      }
      return member.leads() ? "leader" : "follower";
    }
  }

  /** Converts an id to a database whose servers can be started. */
  static final class DatabaseById implements ITypeConverter<Store> {
    private static Stream<Store> all() {
      return Stores.startable().stream();
    }

    static final class Ids implements Iterable<String> {
      @Override
      public Iterator<String> iterator() {
        return all().map(Store::id).iterator();
      }
    }

    @Override
    public Store convert(String id) {
      Stores.byId(id)
          .flatMap(store -> Stores.servers(store).obstacleToStart())
          .ifPresent(
              why -> {
                throw new TypeConversionException(why);
              });
      return Stores.byId(id)
          .filter(Store::hasServers)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      VisibleText.quoted(id)
                          + " is not a database with servers; expected one of: "
                          + String.join(", ", new Ids())
                          + Spelling.hint(all().map(Store::id).toList(), id)));
    }
  }
}
