package io.quorate.cli;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.cluster.ClusterSettings;
import io.quorate.cluster.standing.PersistentClusters;
import io.quorate.cluster.standing.PersistentClusters.Status;
import io.quorate.install.Installation;
import io.quorate.store.Login;
import io.quorate.store.Security;
import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import io.quorate.tls.TlsFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "up",
    description = {
      "Starts a cluster on 127.0.0.1 and leaves it running until 'quorate cluster down'. Returns"
          + " when its members serve requests."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ./quorate cluster up etcd --members 3",
      "  ./quorate cluster up etcd --port 2379    clients at 2379, 2389 and 2399",
      "  ./quorate cluster up etcd --security tls",
      "  ./quorate cluster up zookeeper@3.8.6 --setting heap=1GiB --setting tickTime=500ms"
    })
final class ClusterUpCommand implements Callable<Integer> {
  private final Installation installation;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DATABASE",
      completionCandidates = DatabaseById.Ids.class,
      converter = DatabaseById.class,
      description =
          "The database: ${COMPLETION-CANDIDATES}; or a version of one, such as etcd@3.5.35.")
  private Store database;

  @Option(
      names = "--members",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of members: 1, 3 or 5 (default: ${DEFAULT-VALUE}).")
  private int members;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "Port of the first member for clients; the port of each further member is 10 higher"
              + " (default: free ports).")
  private Optional<Integer> port;

  @Option(
      names = "--security",
      paramLabel = "KIND",
      defaultValue = "none",
      description =
          "none or tls. With tls, certificates and a password or token are made for the cluster"
              + " (default: ${DEFAULT-VALUE}).")
  private String security;

  @Option(
      names = "--setting",
      paramLabel = "ID=VALUE",
      description =
          "A setting of the servers, as in a scenario, such as snapshot-count=100_000 for etcd."
              + " May be given several times.")
  private List<String> chosen = List.of();

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Directory for logs and data (default: clusters/DATABASE in your cache).")
  private Optional<Path> directory;

  ClusterUpCommand(Installation installation) {
    this.installation = installation;
  }

  @Override
  public Integer call() {
    if (members != 1 && members != 3 && members != 5) {
      throw wrong("--members " + members + ": expected 1, 3 or 5");
    }
    port.filter(given -> given < 1 || given > 65_535)
        .ifPresent(
            given -> {
              throw wrong("--port " + given + ": expected 1 to 65535");
            });
    ClusterSettings defaults = ClusterSettings.defaults(installation);
    ClusterSettings settings =
        port.map(defaults::withBasePort)
            .orElse(defaults)
            .withSecurity(wanted())
            .withServers(settings());
    Status status =
        new PersistentClusters(settings, spec.commandLine().getErr()::println)
            .up(database, members, directory);
    PrintWriter out = spec.commandLine().getOut();
    out.println(ClusterStatusCommand.text(status));
    if (!settings.servers().values().isEmpty()) {
      out.println("Settings of its servers: " + settings.servers());
    }
    out.println("It stays up after this command. To use it, and to stop it:");
    out.println(
        "  ./quorate run quick --database "
            + database
            + " --endpoints "
            + endpoints(status)
            + access(status));
    out.println("  ./quorate cluster down " + database);
    out.flush();
    return status.isHealthy() ? 0 : Quorate.FAILED;
  }

  private ServerSettings settings() {
    try {
      return SettingOptions.read(database, chosen);
    } catch (QuorateException wrong) {
      throw wrong(wrong.getMessage());
    }
  }

  private Security wanted() {
    Security wanted =
        List.of(Security.values()).stream()
            .filter(each -> each.id().equals(security))
            .findFirst()
            .orElseThrow(
                () ->
                    wrong("--security " + VisibleText.quoted(security) + ": expected none or tls"));
    if (wanted != Security.NONE) {
      database
          .obstacleToTls()
          .ifPresent(
              why -> {
                throw wrong("--security tls: " + database + " cannot do it: " + why);
              });
    }
    return wanted;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Returns the options that name the files which let clients in. */
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

  /** Reads settings of servers from options such as {@code --setting snapshot-count=1000}. */
  private static final class SettingOptions {
    private final Store store;
    private final Map<String, Long> values = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    private SettingOptions(Store store) {
      this.store = store;
    }

    /**
     * Reads the settings of a store's servers.
     *
     * @param options each {@code ID=VALUE}
     * @throws QuorateException with all that is wrong
     */
    static ServerSettings read(Store store, List<String> options) {
      SettingOptions read = new SettingOptions(store);
      options.forEach(read::add);
      if (!read.problems.isEmpty()) {
        throw new QuorateException(String.join("\n", read.problems));
      }
      return Stores.servers(store).choose(read.values);
    }

    private void add(String option) {
      String id = option.replaceFirst("(?s)=.*", "");
      List<Setting> settings = Stores.servers(store).settings();
      List<String> ids = settings.stream().map(Setting::id).toList();
      Optional<Setting> setting =
          settings.stream().filter(each -> each.id().equals(id)).findFirst();
      if (setting.isEmpty() || id.equals(option)) {
        problem(
            option,
            "expected ID=VALUE, with one of %s of %s%s"
                .formatted(String.join(", ", ids), store, Spelling.hint(ids, id)));
        return;
      }
      Optional<Long> value = setting.get().parse(option.substring(id.length() + 1));
      if (value.isEmpty()) {
        problem(option, "expected " + setting.get().expected());
      } else if (values.put(id, value.get()) != null) {
        problem(option, "found twice, expected each setting once");
      }
    }

    private void problem(String option, String expected) {
      problems.add("--setting " + VisibleText.quoted(option) + ": " + expected);
    }
  }
}
