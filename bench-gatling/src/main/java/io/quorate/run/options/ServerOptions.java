// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.Spelling;
import io.quorate.VisibleText;
import io.quorate.agent.KeyDirectory;
import io.quorate.cluster.process.PauseSignal;
import io.quorate.cluster.process.PowerCutDisk;
import io.quorate.cluster.process.SlowSyncs;
import io.quorate.fault.FaultCommands;
import io.quorate.install.Installation;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultAction;
import io.quorate.scenario.FaultPlan;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.StoreLoad;
import io.quorate.store.Access;
import io.quorate.store.ClusterAddress;
import io.quorate.store.Endpoint;
import io.quorate.store.Security;
import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import io.quorate.store.Store;
import io.quorate.store.server.StoreServers;
import io.quorate.stores.Stores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The options of a run's servers: at given endpoints, on the hosts of agents, or, without such
 * options, on this machine, where the run starts them.
 *
 * @param endpoints endpoints of an existing cluster; empty to start servers
 * @param chroot beginning of all keys in that cluster; usually empty
 * @param agents agents that start the servers, instead of the scenario's; empty for the scenario's
 * @param agentKeys directory of the keys for agents; empty for agents without keys
 * @param access access to existing clusters
 * @param runName name of the run in the keys of an existing cluster; empty for a new name
 * @param keepKeys whether the keys in an existing cluster are kept
 * @param faultCommands commands that cause faults in an existing cluster
 * @param maintain whether requests to an existing cluster may affect its other users
 * @param yes whether the database of an existing cluster may grow beyond half of its free space
 * @param settings of the servers that the run starts, each {@code ID=VALUE}; they replace those of
 *     the scenario
 */
public record ServerOptions(
    List<Endpoint> endpoints,
    String chroot,
    List<Endpoint> agents,
    Optional<Path> agentKeys,
    AccessOptions access,
    Optional<String> runName,
    boolean keepKeys,
    FaultCommands faultCommands,
    boolean maintain,
    boolean yes,
    List<String> settings) {
  static final String SETTING = "setting";
  static final String MAINTAIN = "maintain";
  static final String YES = "yes";

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,19}");
  private static final Set<Integer> CLUSTER_SIZES = Set.of(1, 3, 5);

  static ServerOptions read(OptionReader options, Path directory) {
    Optional<ClusterAddress> address = options.read(ToolOptions.ENDPOINTS, ClusterAddress::parse);
    return new ServerOptions(
        address.map(ClusterAddress::endpoints).orElse(List.of()),
        address.map(ClusterAddress::chroot).orElse(""),
        options.read("agents", ServerOptions::agents).orElse(List.of()),
        options.read("agent.keys", directory::resolve),
        AccessOptions.read(options, directory, address),
        options.read("run.name", ServerOptions::runName),
        options.isOn("keep.keys"),
        options
            .read("fault.commands", file -> FaultCommands.read(directory.resolve(file)))
            .orElse(FaultCommands.NONE),
        options.isOn(MAINTAIN),
        options.isOn(YES),
        options.read(SETTING, ServerOptions::settings).orElse(List.of()));
  }

  private static List<String> settings(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
  }

  static String runName(String text) {
    if (!NAME.matcher(text).matches()) {
      throw OptionReader.wrong("run.name", text, "at most 20 lower-case letters, digits and '-'");
    }
    return text;
  }

  private static List<Endpoint> agents(String text) {
    List<Endpoint> agents = Endpoint.parseList(text);
    if (!CLUSTER_SIZES.contains(agents.size()) || Set.copyOf(agents).size() != agents.size()) {
      throw new QuorateException(
          "agents: found " + agents + ", expected 1, 3 or 5 different ones, one for each member");
    }
    return agents;
  }

  /** Returns the scenario with the agents of these options, if there are any. */
  public Scenario of(Scenario scenario) {
    Scenario asked = agents.isEmpty() ? scenario : scenario.withAgents(agents);
    if (!asked.cluster().agents().isEmpty() && !endpoints.isEmpty()) {
      throw new QuorateException(
          "found both agents, which start servers, and endpoints of running servers: leave out one"
              + " of them");
    }
    if (asked.cluster().topology().isPresent()
        && !(asked.cluster().agents().isEmpty() && endpoints.isEmpty())) {
      throw new QuorateException(
          "found %s, and a topology in the scenario, which is made between servers that the run starts"
                  .formatted(endpoints.isEmpty() ? "agents" : "endpoints")
              + " here: remove one of them");
    }
    Optional<Fault> local =
        asked
            .faults()
            .filter(any -> !asked.cluster().agents().isEmpty())
            .flatMap(plan -> plan.first(Fault::isLocal));
    if (local.isPresent()) {
      throw new QuorateException(
          "faults: found agents, and the fault '%s', which needs members on this machine: leave out one of them"
              .formatted(local.get().id()));
    }
    requireFaultCommands(asked);
    return asked;
  }

  private void requireFaultCommands(Scenario asked) {
    boolean given = !faultCommands.begin().isEmpty();
    if (given && (endpoints.isEmpty() || asked.faults().isEmpty())) {
      throw new QuorateException(
          "--fault-commands is for faults of an existing cluster: found %s: leave the option out"
              .formatted(endpoints.isEmpty() ? "no endpoints" : "a scenario without faults"));
    }
    Optional<String> obstacle =
        endpoints.isEmpty() && asked.cluster().agents().isEmpty()
            ? asked.faults().flatMap(ServerOptions::obstacle)
            : Optional.empty();
    if (obstacle.isPresent()) {
      throw new QuorateException("faults: " + obstacle.get());
    }
    Optional<Fault> own =
        asked
            .faults()
            .flatMap(
                plan ->
                    plan.first(
                        each ->
                            each.needsOwnMembers()
                                || each.action() == FaultAction.ProcessAction.POWER_CUT));
    if (!endpoints.isEmpty() && own.isPresent()) {
      throw new QuorateException(
          "faults: found endpoints, and %s, which Quorate does only in clusters that it starts: leave one of them out"
              .formatted(own.get().id()));
    }
    List<Fault> missing =
        endpoints.isEmpty() || asked.faults().isEmpty()
            ? List.of()
            : faultCommands.missing(asked.faults().get());
    if (!missing.isEmpty()) {
      throw new QuorateException(
          "faults: found endpoints, and no command for %s: Quorate does not stop servers that it did not start; name a file with a line for each, such as '%s: COMMAND', with --fault-commands FILE"
              .formatted(
                  missing.stream().map(Fault::id).collect(Collectors.joining(", ")),
                  missing.get(0).id()));
    }
    requireMaintain(asked);
  }

  /** Returns why this machine cannot cause a fault of members that run here. */
  private static Optional<String> obstacle(FaultPlan plan) {
    Optional<String> untraced =
        plan.first(FaultAction.ProcessAction.SLOW_SYNCS)
            .flatMap(fault -> SlowSyncs.obstacle().map((fault.id() + ": ")::concat));
    Optional<String> unpowered =
        plan.first(Fault::needsPowerCutDisk)
            .flatMap(
                fault ->
                    PowerCutDisk.obstacle(Installation.of(System.getenv(), System.getProperties()))
                        .map((fault.id() + ": ")::concat));
    return untraced
        .or(() -> unpowered)
        .or(
            () ->
                plan.kinds().stream()
                    .filter(each -> each.fault().action() == FaultAction.ProcessAction.PAUSE)
                    .findFirst()
                    .flatMap(each -> PauseSignal.obstacle().map((each + ": ")::concat)));
  }

  private void requireMaintain(Scenario asked) {
    List<Fault> requests =
        endpoints.isEmpty() || maintain
            ? List.of()
            : asked.faults().map(faultCommands::requests).orElse(List.of());
    if (!requests.isEmpty()) {
      throw new QuorateException(
          "faults: found endpoints, and %s, which affects all users and all data of the existing cluster: leave it out, or permit it with --maintain"
              .formatted(requests.stream().map(Fault::id).collect(Collectors.joining(", "))));
    }
  }

  /**
   * Returns the load of a scenario with the settings of its servers: existing clusters keep those
   * that they have, others get the chosen ones that their store has.
   */
  public StoreLoad fitting(StoreLoad load) {
    if (!endpoints.isEmpty()) {
      return new StoreLoad(load.column().withSettings(ServerSettings.NONE), load.steps());
    }
    StoreServers servers = Stores.servers(load.database());
    List<String> own = settings.stream().filter(servers::hasSetting).toList();
    return own.isEmpty()
        ? load
        : new StoreLoad(
            load.column().withSettings(servers.parse(load.settings(), own)), load.steps());
  }

  /**
   * Checks the settings that were chosen for servers.
   *
   * @throws QuorateException with each that none of these stores has, or whose value is wrong
   */
  public void requireSettings(List<Store> databases) {
    if (!settings.isEmpty() && !endpoints.isEmpty()) {
      throw new QuorateException(
          "--setting: found endpoints of running servers, which keep their settings: leave the"
              + " option out");
    }
    List<StoreServers> all = databases.stream().map(Stores::servers).toList();
    List<String> known =
        all.stream().flatMap(each -> each.settings().stream()).map(Setting::id).distinct().toList();
    List<String> problems = new ArrayList<>();
    for (String setting : settings) {
      if (all.stream().noneMatch(each -> each.hasSetting(setting))) {
        String id = setting.replaceFirst("(?s)=.*", "");
        problems.add(
            "--setting %s: expected ID=VALUE with one of %s, the settings of %s%s"
                .formatted(
                    VisibleText.quoted(setting),
                    String.join(", ", known),
                    databases.stream().map(Store::id).collect(Collectors.joining(", ")),
                    Spelling.hint(known, id)));
      }
    }
    QuorateException.throwIfAny(problems);
    all.forEach(
        each ->
            each.parse(ServerSettings.NONE, settings.stream().filter(each::hasSetting).toList()));
  }

  /** Returns the checked keys for agents; empty if there are none. */
  public Optional<KeyDirectory> agentKeys(Scenario scenario) {
    if (agentKeys.isPresent() && scenario.cluster().agents().isEmpty()) {
      throw new QuorateException(
          "found keys for agents, but no agents: name them with --agents HOST:PORT,...");
    }
    Optional<KeyDirectory> keys =
        agentKeys.filter(any -> !scenario.cluster().agents().isEmpty()).map(KeyDirectory::new);
    keys.ifPresent(KeyDirectory::forLoadGenerator);
    return keys;
  }

  public Access access(Scenario scenario, Store database) {
    Access asked = access.access(database, System.getenv());
    if (scenario.cluster().security() == Security.TLS && asked.tls().isEmpty()) {
      throw new QuorateException(
          "scenario %s has security: tls: name the file with the authority of the servers'"
                  .formatted(scenario.heading().name())
              + " certificates with --tls-ca FILE");
    }
    return asked;
  }

  public void requireAccess(Scenario scenario, List<Store> databases) {
    if (endpoints.isEmpty() && access.isGiven()) {
      throw new QuorateException(
          "--tls-ca, --tls-certificate, --tls-key, --tls-name-check and --credentials are for existing"
              + " clusters: name the servers with --endpoints HOST:PORT,..., or leave them out");
    }
    if (endpoints.isEmpty() && (runName.isPresent() || keepKeys || maintain || yes)) {
      throw new QuorateException(
          "--run-name, --keep-keys, --maintain and --yes are for existing clusters: name the servers with"
              + " --endpoints HOST:PORT,..., or leave these options out");
    }
    if (!endpoints.isEmpty()) {
      databases.forEach(database -> access(scenario, database));
      databases.forEach(this::requirePath);
    }
  }

  /**
   * Checks the path of the addresses.
   *
   * @throws QuorateException if there is one, and the store has no paths
   */
  public void requirePath(Store database) {
    if (!chroot.isEmpty() && !Stores.servers(database).hasPaths()) {
      throw new QuorateException(
          "endpoints: found the path /%s, which %s does not have: leave it out"
              .formatted(chroot, database));
    }
  }
}
