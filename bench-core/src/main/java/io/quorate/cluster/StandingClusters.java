package io.quorate.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.quorate.QuorateException;
import io.quorate.driver.Database;
import io.quorate.install.DirectoryTree;
import io.quorate.install.LockFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Local clusters that stay when the program ends that started them, at most one of a database for
 * each user. What is up is in a file of the user's cache.
 */
@SuppressWarnings("try") // a lock is there until it is closed, not to be called
public final class StandingClusters {
  /**
   * How a member of a standing cluster is.
   *
   * @param alive whether all its processes are there
   * @param answers whether all its servers answer when they are asked; a stopped process does not
   * @param leads whether it says that it leads
   */
  public record MemberStatus(Member member, boolean alive, boolean answers, boolean leads) {}

  /**
   * How a standing cluster is.
   *
   * @param version empty when no member answers
   * @param directory has its logs and data
   */
  public record Status(
      Database database, Optional<String> version, Path directory, List<MemberStatus> members) {
    public Status {
      members = List.copyOf(members);
    }

    /** Whether all members are alive and answer, and one of them leads. */
    public boolean isHealthy() {
      return members.stream().allMatch(member -> member.alive() && member.answers())
          && members.stream().anyMatch(MemberStatus::leads);
    }
  }

  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

  private final ClusterSettings settings;
  private final Path states;
  private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  public StandingClusters(ClusterSettings settings) {
    this.settings = settings;
    this.states = settings.installation().cache().resolve("clusters");
  }

  /**
   * Starts a cluster and leaves it running.
   *
   * @param members 1, 3 or 5
   * @param directory for logs and data; empty for one in the cache
   * @throws QuorateException if one is up already or it does not start
   */
  public Status up(Database database, int members, Optional<Path> directory) {
    requireServers(database);
    try (LockFile lock = lock(database)) {
      Optional<StandingCluster> standing = read(database);
      if (standing.isPresent() && standing.get().processes().findAny().isPresent()) {
        throw new QuorateException(
            String.format(
                "a cluster of %s is up already: %s. Stop it first: ./quorate cluster down %s",
                database,
                String.join(
                    ", ",
                    standing.get().members().stream()
                        .map(each -> each.member().endpoint().toString())
                        .toList()),
                database));
      }
      standing.ifPresent(this::remove);
      Path place = LocalCluster.absolute(directory.orElseGet(() -> states.resolve(database.id())));
      GuardedProcesses processes =
          new Startup(database, members, place, settings, settings.ports(), true).run();
      boolean left = false;
      try {
        StandingCluster started =
            new StandingCluster(
                database.id(),
                place.toString(),
                LocalCluster.members(processes).stream()
                    .map(StandingCluster.Standing::of)
                    .toList());
        write(started);
        processes.release();
        left = true;
        return status(started);
      } finally {
        if (!left) {
          processes.stop();
          deleteState(database);
        }
      }
    }
  }

  /** All that are up, or were and have died. */
  public List<Status> status() {
    return Arrays.stream(Database.values()).map(this::status).flatMap(Optional::stream).toList();
  }

  /** That of one database; empty if none was left running. */
  public Optional<Status> status(Database database) {
    return read(database).map(this::status);
  }

  /**
   * Stops a cluster and removes its data; its logs stay. Processes that are not those that were
   * started are left alone.
   *
   * @return whether there was one
   */
  public boolean down(Database database) {
    if (read(database).isEmpty()) {
      return false;
    }
    try (LockFile lock = lock(database)) {
      Optional<StandingCluster> standing = read(database);
      standing.ifPresent(this::remove);
      return standing.isPresent();
    }
  }

  private void remove(StandingCluster standing) {
    List<ProcessHandle> ours = standing.processes().toList();
    ours.forEach(ProcessHandle::destroy);
    awaitEnd(ours, settings.stopLimit());
    ours.forEach(ProcessHandle::destroyForcibly);
    if (!awaitEnd(ours, STOP_LIMIT)) {
      throw new QuorateException("servers do not end when killed: " + ours);
    }
    new DirectoryTree(Path.of(standing.directory()).resolve("data")).remove();
    deleteState(Database.byId(standing.database()).orElseThrow());
  }

  private static boolean awaitEnd(List<ProcessHandle> processes, Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (processes.stream().anyMatch(Liveness::isAlive)) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }

  private Status status(StandingCluster standing) {
    Database database = Database.byId(standing.database()).orElseThrow();
    Path directory = Path.of(standing.directory());
    MemberProtocol protocol = new MemberProtocol(database);
    List<MemberStatus> members = new ArrayList<>();
    Optional<String> version = Optional.empty();
    for (StandingCluster.Standing each : standing.members()) {
      // a stranger may listen where a dead member did
      boolean alive = each.runs();
      Optional<ServerState> state = alive ? answer(protocol, each.member()) : Optional.empty();
      boolean leads = state.filter(ServerState::leads).isPresent();
      members.add(new MemberStatus(each.member(), alive, state.isPresent(), leads));
      version = version.or(() -> state.map(ServerState::version).filter(text -> !text.isEmpty()));
    }
    return new Status(database, version, directory, members);
  }

  private static Optional<ServerState> answer(MemberProtocol protocol, Member member) {
    try {
      return Optional.of(protocol.ask(member));
    } catch (IOException silent) {
      return Optional.empty();
    }
  }

  private static void requireServers(Database database) {
    if (database == Database.MEMORY) {
      throw new QuorateException("the in-memory map has no servers that could be left running");
    }
  }

  private LockFile lock(Database database) {
    return LockFile.acquire(states.resolve(database + ".lock"), () -> {});
  }

  private Path state(Database database) {
    return states.resolve(database + ".json");
  }

  private Optional<StandingCluster> read(Database database) {
    Path file = state(database);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(json.readValue(file.toFile(), StandingCluster.class));
    } catch (IOException failure) {
      throw new QuorateException(
          "cannot read " + file + "; remove it if its cluster is gone: " + failure.getMessage(),
          failure);
    }
  }

  private void write(StandingCluster standing) {
    Path file = states.resolve(standing.database() + ".json");
    Path part = states.resolve(standing.database() + ".json.part");
    try {
      json.writeValue(part.toFile(), standing);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      throw new QuorateException("cannot write " + file + ": " + failure, failure);
    }
  }

  private void deleteState(Database database) {
    try {
      Files.deleteIfExists(state(database));
    } catch (IOException failure) {
      throw new QuorateException("cannot remove " + state(database) + ": " + failure, failure);
    }
  }
}
