package io.quorate.host;

import io.quorate.QuorateException;
import io.quorate.cluster.Member;
import io.quorate.driver.Database;
import io.quorate.run.AtomicFile;
import io.quorate.run.CsvText;
import io.quorate.run.DatabaseDirectory;
import io.quorate.run.NumberFormats;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * All that is recorded about the machine during a run whose servers are on it: host metrics of each
 * member and of this process, what the servers say about themselves, and the size of their data.
 *
 * <pre>{@code
 * try (Cluster cluster = LocalCluster.start(...);
 *     HostRecording recording =
 *         HostRecording.start(database, cluster.members(), clients::get, directory)) {
 *   ... the load ...
 *   recording.diskUsage();
 * } // the recording ends first, while the servers still run
 * }</pre>
 *
 * Threads of its own do the work; nothing is asked of the threads that make the load. It never
 * fails a run: what could not be recorded is in {@link #remarks}. Members without processes here
 * (given endpoints) have no server metrics, and those of the in-memory map are the client's. The
 * methods are for one thread, but {@link #remarks} is for any.
 */
public final class HostRecording implements AutoCloseable {
  private final List<Member> members;
  private final HostFiles files;
  private final Remarks remarks = new Remarks();
  private Optional<HostSampler> sampler = Optional.empty();
  private Optional<InternalsRecorder> internals = Optional.empty();

  private HostRecording(List<Member> members, DatabaseDirectory directory) {
    this.members = List.copyOf(members);
    this.files = new HostFiles(directory);
  }

  /**
   * Begins to record; takes some tenths of a second, and the first rows are written then. Call it
   * before the first request.
   *
   * @param clients how many there are at the moment; asked once a second from another thread
   * @param directory where the files go, see {@link HostFiles}; those that are there are replaced
   */
  public static HostRecording start(
      Database database, List<Member> members, IntSupplier clients, DatabaseDirectory directory) {
    HostRecording recording = new HostRecording(members, directory);
    recording.startSampler(database, clients);
    recording.startInternals(database);
    return recording;
  }

  private void startSampler(Database database, IntSupplier clients) {
    List<Target> targets = new ArrayList<>();
    for (Member member : members) {
      if (!member.pids().isEmpty()) {
        targets.add(server(member, clients));
      } else if (database != Database.MEMORY) {
        remarks.add(member.name() + ": no host metrics, since its process is not ours");
      }
    }
    targets.add(client());
    try {
      sampler = Optional.of(HostSampler.start(targets, Clock.systemUTC(), remarks));
    } catch (RuntimeException | LinkageError unknownMachine) {
      // OSHI loads native code on some systems
      remarks.add("no host metrics: " + unknownMachine);
    }
  }

  private Target server(Member member, IntSupplier clients) {
    return new Target(
        member.name(),
        member.pids(),
        member.dataDirectory(),
        NetworkPath.to(member.endpoint().host()),
        () -> Integer.toString(clients.getAsInt()),
        files.server(member.index()),
        files.serverInterpolated(member.index()));
  }

  private Target client() {
    return new Target(
        "the load generator",
        List.of(ProcessHandle.current().pid()),
        Optional.of(files.directory().path()),
        members.stream().findFirst().flatMap(member -> NetworkPath.to(member.endpoint().host())),
        () -> "",
        files.client(),
        files.clientInterpolated());
  }

  private void startInternals(Database database) {
    if (ServerInternals.of(database).isEmpty()) {
      return;
    }
    try {
      internals =
          Optional.of(InternalsRecorder.start(database, members, files.internals(), remarks));
    } catch (IOException impossible) {
      remarks.add(files.internals() + ": cannot be written: " + impossible);
    }
  }

  /**
   * Measures how large the data of each member is and writes it. Call it after the load, and while
   * the data is there: it is removed when a local cluster ends.
   */
  public void diskUsage() {
    CsvText text =
        new CsvText()
            .row("INDEX", "DATABASE-ENDPOINT", "DISK-SPACE-USAGE", "DISK-SPACE-USAGE-BYTES-NUM");
    boolean any = false;
    for (Member member : members) {
      if (member.dataDirectory().isPresent()) {
        Optional<DiskUsage> usage = usage(member, member.dataDirectory().get());
        usage.ifPresent(measured -> text.row(cells(member, measured.bytes())));
        any |= usage.isPresent();
      }
    }
    if (any) {
      try {
        AtomicFile.write(files.diskUsage(), text.toString());
      } catch (QuorateException impossible) {
        remarks.add(impossible.getMessage());
      }
    }
  }

  /** The reference counts members from 0 here. */
  private static String[] cells(Member member, long bytes) {
    return new String[] {
      Integer.toString(member.index() - 1),
      member.endpoint().toString(),
      NumberFormats.humanizedBytes(bytes),
      Long.toString(bytes)
    };
  }

  private Optional<DiskUsage> usage(Member member, Path directory) {
    try {
      DiskUsage usage = DiskUsage.below(directory);
      if (usage.unreadable() > 0) {
        remarks.add(member.name() + ": cannot look at all of its data, so its size is not known");
        return Optional.empty();
      }
      return Optional.of(usage);
    } catch (IOException impossible) {
      remarks.add(member.name() + ": the size of its data is not known: " + impossible);
      return Optional.empty();
    }
  }

  /** What was not recorded and why, each thing once, as lines for people. */
  public List<String> remarks() {
    return remarks.all();
  }

  /** Stops recording and writes the interpolated files. Idempotent. */
  @Override
  public void close() {
    internals.ifPresent(InternalsRecorder::close);
    internals = Optional.empty();
    sampler.ifPresent(HostSampler::close);
    sampler = Optional.empty();
  }
}
