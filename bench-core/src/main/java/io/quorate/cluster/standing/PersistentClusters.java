// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.standing;

import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cluster.ClusterSecrets;
import io.quorate.cluster.ClusterSettings;
import io.quorate.cluster.Launch;
import io.quorate.cluster.LocalCluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.MemberProtocol;
import io.quorate.cluster.process.GuardedProcesses;
import io.quorate.cluster.process.OwnedDataDir;
import io.quorate.cluster.process.ProcessHandleInfo;
import io.quorate.format.StateFile;
import io.quorate.install.LockFile;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.server.ServerProtocol;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Local clusters that continue to run after the program that started them has ended, at most one
 * per database, name and user. A file in the user's cache describes each.
 *
 * @param name name of the cluster, if there are several of a database; empty for the one without
 * @param console receives what a killed start left behind and what was left alone
 */
@SuppressWarnings("try") // the lock is held until it is closed, and has no methods to call
public record PersistentClusters(ClusterSettings settings, String name, Consumer<String> console) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,19}");
  private static final String ENDING = ".json";

  public PersistentClusters {
    if (!name.isEmpty() && !NAME.matcher(name).matches()) {
      throw new QuorateException(
          "--name: found %s, expected at most 20 lower-case letters, digits and '-'"
              .formatted(VisibleText.quoted(name)));
    }
  }

  public PersistentClusters named(String other) {
    return new PersistentClusters(settings, other, console);
  }

  /** Returns the names of the clusters of a database that are up; empty for the one without. */
  public List<String> names(Store database) {
    String begin = database.id() + "_";
    return Stream.concat(
            Stream.of(""),
            stems().stream()
                .filter(stem -> stem.startsWith(begin))
                .map(stem -> stem.substring(begin.length()))
                .filter(NAME.asMatchPredicate()))
        .toList();
  }

  /** Returns the databases and versions with clusters that are up, or whose start was cut short. */
  public List<Store> databases() {
    return stems().stream()
        .map(stem -> stem.replaceFirst("_.*", ""))
        .distinct()
        .flatMap(id -> Stores.byId(id).stream())
        .toList();
  }

  /** Returns the names of the state files, without their ending. */
  private List<String> stems() {
    try (Stream<Path> files = Files.list(states())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(ENDING))
          .map(file -> file.substring(0, file.length() - ENDING.length()))
          .sorted()
          .toList();
    } catch (IOException none) {
      return List.of();
    }
  }

  /** Returns a database with the name of its cluster, as on the command line. */
  public static String title(Store database, String name) {
    return database + (name.isEmpty() ? "" : " --name " + name);
  }

  private String stem(Store database) {
    return database + (name.isEmpty() ? "" : "_" + name);
  }

  /**
   * Status of a member of a standing cluster.
   *
   * @param alive whether all its processes run
   * @param answers whether all its servers answer requests; a stopped process does not
   * @param leads whether it reports that it leads
   */
  public record MemberStatus(Member member, boolean alive, boolean answers, boolean leads) {}

  /**
   * Status of a standing cluster.
   *
   * @param name name of the cluster; usually empty
   * @param version version of the servers; empty if no member answers
   * @param directory directory with its logs and data
   * @param access access of clients to it
   */
  public record Status(
      Store database,
      String name,
      Optional<String> version,
      Path directory,
      List<MemberStatus> members,
      Access access) {
    public Status {
      members = List.copyOf(members);
    }

    /** Returns its database and its name, as on the command line. */
    public String title() {
      return PersistentClusters.title(database, name);
    }

    /** Returns whether all members are alive and answer, and one of them leads. */
    public boolean isHealthy() {
      return members.stream().allMatch(member -> member.alive() && member.answers())
          && members.stream().anyMatch(MemberStatus::leads);
    }
  }

  /**
   * Starts a cluster and leaves it running.
   *
   * @param members 1, 3 or 5
   * @param directory directory for logs and data; empty for one in the cache
   * @throws QuorateException if one is up already or it does not start
   */
  public Status up(Store database, int members, Optional<Path> directory) {
    if (!database.hasServers()) {
      throw new QuorateException("the in-memory map has no servers that could be left running");
    }
    try (LockFile lock = lock(database)) {
      Optional<PersistentCluster> standing = read(database);
      if (standing.isPresent() && standing.get().processes().findAny().isPresent()) {
        throw new QuorateException(
            String.format(
                "a cluster of %s is up already: %s. Start another one with --name NAME, or stop it first: ./quorate cluster down %s",
                title(database, name),
                String.join(
                    ", ",
                    standing.get().members().stream()
                        .map(each -> each.member().endpoint().toString())
                        .toList()),
                title(database, name)));
      }
      standing.ifPresent(this::remove);
      Path place = LocalCluster.absolute(directory.orElseGet(() -> usualPlace(database)));
      reclaim(place, database, false);
      return start(database, members, place);
    }
  }

  private Status start(Store database, int members, Path place) {
    StateFile state = state(database);
    // a state file without members shows that this start was interrupted
    state.write(new PersistentCluster(database.id(), place.toString(), List.of()));
    boolean left = false;
    GuardedProcesses processes = null;
    try {
      processes =
          new Launch(database, place, settings, true).all(members, settings.ports()).processes();
      PersistentCluster started =
          new PersistentCluster(
              database.id(),
              place.toString(),
              LocalCluster.members(processes).stream()
                  .map(PersistentCluster.Standing::of)
                  .toList());
      state.write(started);
      processes.release();
      left = true;
      return status(started);
    } finally {
      if (!left) {
        if (processes != null) {
          processes.stop();
        }
        state.delete();
      }
    }
  }

  /** Returns the status of the cluster of one database; empty if none was left running. */
  public Optional<Status> status(Store database) {
    return read(database).map(this::status);
  }

  /**
   * Stops a cluster and removes its data; its logs stay. Other processes that got their pids are
   * left alone.
   *
   * @return whether there was a cluster
   */
  public boolean down(Store database) {
    OwnedDataDir usual = new OwnedDataDir(usualPlace(database).resolve("data"));
    if (!state(database).exists() && usual.state() == OwnedDataDir.State.UNMARKED) {
      return false;
    }
    try (LockFile lock = lock(database)) {
      Optional<PersistentCluster> standing = read(database);
      standing.ifPresent(this::remove);
      return reclaim(usualPlace(database), database, true) || standing.isPresent();
    }
  }

  private Path states() {
    return settings.installation().cache().resolve("clusters");
  }

  private Path usualPlace(Store database) {
    return states().resolve(stem(database));
  }

  private void remove(PersistentCluster standing) {
    OwnedDataDir.end(standing.processes().toList(), settings.limits().stop());
    Store database = Stores.byId(standing.database()).orElseThrow();
    if (!reclaim(Path.of(standing.directory()), database, true) && Files.exists(standing.data())) {
      console.accept(
          VisibleText.of(standing.data().toString())
              + " is left alone, as it has no mark of Quorate: remove it if you know whose it is");
    }
    state(database).delete();
  }

  /**
   * Removes the remains of a cluster whose start was interrupted, or whose state file is missing.
   *
   * @param leftRunning whether to remove servers that were left running on purpose as well
   * @return whether there was anything
   */
  private boolean reclaim(Path place, Store database, boolean leftRunning) {
    OwnedDataDir marked = new OwnedDataDir(place.resolve("data"));
    OwnedDataDir.State state = marked.awaitGuard();
    if (state == OwnedDataDir.State.UNMARKED) {
      return false;
    }
    List<ProcessHandle> servers = marked.servers();
    if (state == OwnedDataDir.State.LEFT_RUNNING ? !leftRunning : !state.isForgotten()) {
      throw new QuorateException(
          "%s holds data of other servers (%s): stop them (./quorate cluster down %s), or name another directory"
              .formatted(
                  VisibleText.of(place.toString()),
                  described(servers, state),
                  title(database, name)));
    }
    marked.remove(settings.limits().stop());
    if (state == OwnedDataDir.State.ABANDONED || !servers.isEmpty()) {
      console.accept(
          "%s: tidied up after a killed command in %s: %s"
              .formatted(database, VisibleText.of(place.toString()), described(servers, state)));
    }
    return true;
  }

  private static String described(List<ProcessHandle> servers, OwnedDataDir.State state) {
    if (state == OwnedDataDir.State.ELSEWHERE) {
      return "of another machine or container";
    }
    return servers.isEmpty()
        ? "none of them runs"
        : "pid " + servers.stream().map(each -> "" + each.pid()).collect(Collectors.joining(", "));
  }

  private Status status(PersistentCluster standing) {
    Store database = Stores.byId(standing.database()).orElseThrow();
    Path directory = Path.of(standing.directory());
    Access access = ClusterSecrets.access(standing.data());
    MemberProtocol protocol = new MemberProtocol(database, access);
    List<MemberStatus> members = new ArrayList<>();
    Optional<String> version = Optional.empty();
    for (PersistentCluster.Standing each : standing.members()) {
      // another program may listen at the port of a dead member
      boolean alive = standing.runs(each);
      Optional<ServerProtocol.State> state =
          alive ? answer(protocol, each.member()) : Optional.empty();
      boolean leads = state.filter(ServerProtocol.State::leads).isPresent();
      members.add(new MemberStatus(each.member(), alive, state.isPresent(), leads));
      version =
          version.or(
              () -> state.map(ServerProtocol.State::version).filter(text -> !text.isEmpty()));
    }
    return new Status(database, name, version, directory, members, access);
  }

  private static Optional<ServerProtocol.State> answer(MemberProtocol protocol, Member member) {
    return FileAction.attempt(() -> protocol.ask(member));
  }

  private LockFile lock(Store database) {
    return LockFile.acquire(states().resolve(stem(database) + ".lock"), () -> {});
  }

  private StateFile state(Store database) {
    return new StateFile(states().resolve(stem(database) + ENDING));
  }

  private Optional<PersistentCluster> read(Store database) {
    try {
      Optional<PersistentCluster> standing = state(database).read(PersistentCluster.class);
      if (standing.isPresent() && !standing.get().database().equals(database.id())) {
        throw new QuorateException(
            "%s: database: found %s, expected %s"
                .formatted(
                    states().resolve(stem(database) + ENDING),
                    standing.get().database(),
                    database));
      }
      return standing;
    } catch (QuorateException wrong) {
      throw new QuorateException(
          "%s%nIt does not say which servers of %s are up. Remove it; then ./quorate cluster down %s stops"
                  .formatted(wrong.getMessage(), database, title(database, name))
              + " those that are marked in "
              + VisibleText.of(usualPlace(database).toString())
              + " and removes their data.",
          wrong);
    }
  }

  /**
   * The content of the state file of a cluster that was left running, or is being started.
   *
   * @param database id of the database
   * @param directory absolute directory of its logs and data
   * @param members members in the order of their index; none while it is being started
   */
  record PersistentCluster(String database, String directory, List<Standing> members) {
    /** A member; the first server is the one that clients connect to. */
    record Standing(int index, String data, List<Server> servers) {
      Standing {
        servers = List.copyOf(servers);
      }

      static Standing of(Member member) {
        return new Standing(
            member.index(),
            member.dataDirectory().orElseThrow().toString(),
            member.servers().stream().map(Server::of).toList());
      }

      Member member() {
        return Member.of(index, servers.stream().map(Server::server).toList(), Path.of(data));
      }
    }

    /**
     * A server of a member.
     *
     * @param startedMillis start time of its process, in milliseconds since 1970. With the pid,
     *     this distinguishes it from a later process with the same pid
     */
    record Server(String name, String endpoint, long pid, long startedMillis, String log) {
      Server {
        Endpoint.parse(endpoint);
        new ProcessHandleInfo(pid, startedMillis);
      }

      static Server of(Member.Server server) {
        ProcessHandleInfo process = ProcessHandleInfo.of(server.pid(), server.name());
        return new Server(
            server.name(),
            server.endpoint().toString(),
            process.pid(),
            process.startedMillis(),
            server.log().toString());
      }

      Member.Server server() {
        return new Member.Server(name, Endpoint.parse(endpoint), pid, Path.of(log));
      }
    }

    PersistentCluster {
      if (Stores.byId(database).isEmpty()) {
        throw new IllegalArgumentException(
            "found the database '%s', expected one of %s".formatted(database, Stores.all()));
      }
      members = List.copyOf(members);
    }

    Path data() {
      return Path.of(directory).resolve("data");
    }

    boolean runs(Standing member) {
      return member.servers().stream().allMatch(server -> process(server).isPresent());
    }

    Stream<ProcessHandle> processes() {
      return members.stream()
          .flatMap(member -> member.servers().stream())
          .map(this::process)
          .flatMap(Optional::stream);
    }

    private Optional<ProcessHandle> process(Server server) {
      return new ProcessHandleInfo(server.pid(), server.startedMillis()).serverIn(data());
    }
  }
}
