package io.quorate.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorate.measure.Verification;
import io.quorate.scenario.DatabaseLoad;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.Limit;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Routing;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.Step;
import io.quorate.store.Access;
import io.quorate.store.ClientKind;
import io.quorate.store.Endpoint;
import io.quorate.store.ReadConsistency;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The record of what was run, with what, on what, and how it ended: {@code manifest.json} of a
 * database of a run. It is written before the first request and replaced when more is known.
 *
 * @param reason why it failed or was interrupted; empty if it was not, or if that is not known
 * @param end empty while it runs, and for ever if it is killed
 * @param costs of the steps that were made to their end, in their order
 * @param verification what came of reading keys back; empty if that was not done
 */
public record Manifest(
    RunStatus status,
    Optional<String> reason,
    Instant start,
    Optional<Instant> end,
    SuiteVersion suite,
    Experiment experiment,
    Store store,
    Load load,
    HostFacts host,
    List<StepCost> costs,
    Optional<Verification> verification) {
  public Manifest {
    costs = List.copyOf(costs);
  }

  /** Creates the manifest of a run whose keys were not read back. */
  public Manifest(
      RunStatus status,
      Optional<String> reason,
      Instant start,
      Optional<Instant> end,
      SuiteVersion suite,
      Experiment experiment,
      Store store,
      Load load,
      HostFacts host,
      List<StepCost> costs) {
    this(status, reason, start, end, suite, experiment, store, load, host, costs, Optional.empty());
  }

  /**
   * The scenario.
   *
   * @param scale 1 when all its requests are made
   * @param databases the ids of all databases of the scenario, in the order of the columns
   * @param limits that the results of each database have to keep
   * @param text of the file
   */
  public record Experiment(
      String name,
      String title,
      double scale,
      List<String> databases,
      List<Limit> limits,
      String text) {
    public Experiment {
      databases = List.copyOf(databases);
      limits = List.copyOf(limits);
    }

    /** Creates a scenario without limits. */
    public Experiment(
        String name, String title, double scale, List<String> databases, String text) {
      this(name, title, scale, databases, List.of(), text);
    }
  }

  /**
   * The database.
   *
   * @param tag heads its column in the result table
   * @param version as the server says; empty as long as it was not asked
   * @param members {@code host:port} of every member, in their order
   * @param leader that of the members that led at the start, if one said so
   * @param hosting how the servers came to be; empty as long as there are none, and in runs of
   *     earlier versions
   * @param agents that ran the members, in their order; empty if there were none
   * @param settings that the scenario chose for the servers, by id, as a scenario says them
   * @param secured what protects requests; empty if nothing does
   */
  public record Store(
      String id,
      String tag,
      Optional<String> version,
      List<String> members,
      Optional<String> leader,
      Optional<Hosting> hosting,
      List<Agent> agents,
      Map<String, String> settings,
      Optional<Secured> secured) {
    public Store {
      members = List.copyOf(members);
      agents = List.copyOf(agents);
      settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /** Creates a store whose servers are not known yet, or not how they were started. */
    public Store(
        String id,
        String tag,
        Optional<String> version,
        List<String> members,
        Optional<String> leader) {
      this(
          id,
          tag,
          version,
          members,
          leader,
          Optional.empty(),
          List.of(),
          Map.of(),
          Optional.empty());
    }

    private Store withTag(String other) {
      return new Store(id, other, version, members, leader, hosting, agents, settings, secured);
    }

    /** Returns the id of the store, without the version that was asked for. */
    public String baseId() {
      return id.replaceFirst("@.*", "");
    }

    /** Returns the settings in words, such as {@code snapshot-count 1000}. */
    public List<String> settingTexts() {
      return settings.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList();
    }

    /**
     * Returns the machine of each member: the name that its agent gives, else the host of its
     * address. Two of the same name are one machine.
     */
    public List<String> machines() {
      return IntStream.range(0, members.size()).mapToObj(this::machine).toList();
    }

    private String machine(int member) {
      return agents.stream()
          .skip(member)
          .findFirst()
          .flatMap(Agent::host)
          .orElseGet(() -> members.get(member).replaceFirst(":[0-9]+$", ""));
    }
  }

  /**
   * The protection of requests.
   *
   * @param security such as {@code tls}
   * @param authentication what clients show of themselves, such as {@code certificate}
   */
  public record Secured(String security, List<String> authentication) {
    public Secured {
      authentication = List.copyOf(authentication);
    }

    static Optional<Secured> of(Access access) {
      return access.equals(Access.PLAIN)
          ? Optional.empty()
          : Optional.of(new Secured(access.security().id(), access.authentication()));
    }
  }

  /** The ways in which servers were provided. */
  public enum Hosting {
    /** Servers that the load generator started on its own machine. */
    LOCAL,
    /** Servers that were running already. */
    GIVEN,
    /** Servers that agents started on their machines. */
    AGENTS
  }

  /**
   * An agent and its machine.
   *
   * @param address {@code host:port} where it listens
   * @param host its name, if it has one
   * @param suite its version of Quorate
   * @param clockAheadMicros by how much its clock was ahead of the load generator's at the start
   */
  public record Agent(
      String address,
      Optional<String> host,
      String os,
      String kernel,
      int cores,
      OptionalLong memoryBytes,
      String suite,
      long clockAheadMicros) {}

  /**
   * The load.
   *
   * @param seed of keys and values
   * @param steps in their order
   * @param client what talked to the store; empty in runs of earlier versions
   * @param keys the key space; empty in runs of format version 1
   */
  public record Load(
      OperationMix mix,
      ReadConsistency consistency,
      Routing routing,
      Duration requestTimeout,
      long seed,
      int keyBytes,
      int valueBytes,
      List<Step> steps,
      Optional<Client> client,
      Optional<KeySpace> keys) {
    public Load {
      steps = List.copyOf(steps);
    }

    /** Creates a load whose client and key space are not known, as in runs of earlier versions. */
    public Load(
        OperationMix mix,
        ReadConsistency consistency,
        Routing routing,
        Duration requestTimeout,
        long seed,
        int keyBytes,
        int valueBytes,
        List<Step> steps) {
      this(
          mix,
          consistency,
          routing,
          requestTimeout,
          seed,
          keyBytes,
          valueBytes,
          steps,
          Optional.empty(),
          Optional.empty());
    }

    /**
     * Returns whether some step ends by time, so that fewer requests than it might make are no
     * fault.
     */
    public boolean endsByTime() {
      return steps.stream().anyMatch(Step::endsByTime);
    }

    /** Returns the number of requests of all steps, whether they succeed or not. */
    public long requests() {
      return steps.stream().mapToLong(Step::requests).sum();
    }
  }

  /**
   * The client that talked to a store.
   *
   * @param name such as {@code http2}
   * @param isDefault whether it is the one that is used unless a person chooses another one
   */
  public record Client(String name, boolean isDefault) {}

  /** Creates the manifest of a run that starts now, of whose servers nothing is known yet. */
  public static Manifest starting(
      Scenario scenario, DatabaseLoad load, ClientKind client, HostFacts host, Instant start) {
    String id = load.database().id();
    return new Manifest(
        RunStatus.INTERRUPTED,
        Optional.empty(),
        start,
        Optional.empty(),
        SuiteVersion.ofThisBuild(),
        new Experiment(
            scenario.name(),
            scenario.title(),
            scenario.scale(),
            scenario.databases().stream().map(each -> each.database().id()).toList(),
            scenario.limits(),
            scenario.source()),
        new Store(
            id,
            DatabaseTag.of(id),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            load.settings().texts(),
            Optional.empty()),
        new Load(
            scenario.mix(),
            scenario.consistency(),
            scenario.routing(),
            scenario.timeout(),
            scenario.seed(),
            scenario.keys().sizeBytes(),
            scenario.valueBytes(),
            load.steps(),
            Optional.of(new Client(client.id(), load.database().isDefaultClient(client))),
            Optional.of(scenario.keys())),
        host,
        List.of());
  }

  /**
   * Returns this manifest with the answers of the servers. The tag becomes {@code <id>-v<version>},
   * or {@code <id>-<version>} if the version does not begin with a number.
   *
   * @param version empty text if there is no such thing
   */
  public Manifest withServers(String version, List<Endpoint> members, Optional<Endpoint> leader) {
    String tag = (store.baseId() + " " + version.replaceFirst("^(?=[0-9])", "v")).strip();
    Store known =
        new Store(
            store.id(),
            DatabaseTag.of(tag),
            Optional.of(version).filter(text -> !text.isBlank()),
            members.stream().map(Endpoint::toString).toList(),
            leader.map(Endpoint::toString),
            store.hosting(),
            store.agents(),
            store.settings(),
            store.secured());
    return new Manifest(
        status, reason, start, end, suite, experiment, known, load, host, costs, verification);
  }

  /**
   * Returns this manifest with how the servers were provided.
   *
   * @param agents in the order of the members; empty if there are none
   */
  public Manifest withHosting(Hosting hosting, List<Agent> agents) {
    Store known =
        new Store(
            store.id(),
            store.tag(),
            store.version(),
            store.members(),
            store.leader(),
            Optional.of(hosting),
            agents,
            store.settings(),
            store.secured());
    return new Manifest(
        status, reason, start, end, suite, experiment, known, load, host, costs, verification);
  }

  /** Returns this manifest with what protects requests. */
  public Manifest withAccess(Access access) {
    Optional<Secured> secured = Secured.of(access);
    Store known =
        new Store(
            store.id(),
            store.tag(),
            store.version(),
            store.members(),
            store.leader(),
            store.hosting(),
            store.agents(),
            store.settings(),
            secured);
    return new Manifest(
        status, reason, start, end, suite, experiment, known, load, host, costs, verification);
  }

  /** Returns this manifest with another heading of the column in the result table. */
  public Manifest withTag(String tag) {
    Store named = store.withTag(tag);
    return new Manifest(
        status, reason, start, end, suite, experiment, named, load, host, costs, verification);
  }

  /** Returns this manifest with the cost of its steps to the load generator. */
  public Manifest withCosts(List<StepCost> costs) {
    return new Manifest(
        status, reason, start, end, suite, experiment, store, load, host, costs, verification);
  }

  /** Returns this manifest with what came of reading keys back. */
  public Manifest withVerification(Verification found) {
    return new Manifest(
        status,
        reason,
        start,
        end,
        suite,
        experiment,
        store,
        load,
        host,
        costs,
        Optional.of(found));
  }

  /** Returns this manifest as ended with all requests made. */
  public Manifest completed(Instant at) {
    return ended(RunStatus.COMPLETE, Optional.empty(), at);
  }

  /** Returns this manifest as failed. */
  public Manifest failed(Instant at, String why) {
    return ended(RunStatus.FAILED, Optional.of(why), at);
  }

  /** This one, ended by something that left no time to say so. */
  public Manifest interrupted(String why) {
    return new Manifest(
        RunStatus.INTERRUPTED,
        Optional.of(why),
        start,
        end,
        suite,
        experiment,
        store,
        load,
        host,
        costs,
        verification);
  }

  private Manifest ended(RunStatus how, Optional<String> why, Instant at) {
    return new Manifest(
        how,
        why,
        start,
        Optional.of(at),
        suite,
        experiment,
        store,
        load,
        host,
        costs,
        verification);
  }

  /** Returns the manifest as in its file. */
  public ObjectNode json() {
    return ManifestJson.json(this);
  }

  /** Replaces the manifest in this directory, atomically. */
  public void write(DatabaseDirectory directory) {
    AtomicFile.write(directory.manifest(), JsonText.of(json()));
  }

  /**
   * Reads {@code manifest.json} of format version 1 or 2, ignoring unknown fields.
   *
   * @throws io.quorate.QuorateException if it is not one of this format
   */
  public static Manifest read(Path file) {
    return ManifestJson.read(file).manifest();
  }
}
