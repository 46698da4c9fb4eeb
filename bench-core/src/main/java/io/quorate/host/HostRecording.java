// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.RunPart;
import io.quorate.cluster.Member;
import io.quorate.format.AtomicFile;
import io.quorate.format.CsvText;
import io.quorate.format.NumberFormats;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunEvent;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.MemberSeries;
import io.quorate.results.hosts.StepBoundary;
import io.quorate.store.Access;
import io.quorate.store.Store;
import io.quorate.store.server.Figure;
import io.quorate.store.server.ServerInternals;
import io.quorate.store.server.StoreServers;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * Records the machines during a run: host metrics of each member and of this process, the metrics
 * that servers report about themselves, and the size of their data. It is closed first, while the
 * servers still run.
 *
 * <p>Separate threads do the work, not the threads that generate the load. It never fails a run:
 * {@link #remarks} lists what could not be recorded. Members without processes here have server
 * metrics if agents measure them. External endpoints have none, and the in-memory map has the
 * client's metrics. The methods are for one thread, but {@link #remarks} and {@link #sample} are
 * for any.
 */
public final class HostRecording implements RunPart {
  private final Store database;
  private final Access access;
  private final List<Member> members;
  private final IntSupplier clients;
  private final HostFiles files;
  private final Optional<RemoteMetrics> remote;
  private final SamplingWarnings remarks = new SamplingWarnings();
  private Optional<HostSampler> sampler = Optional.empty();
  private Optional<InternalsRecorder> internals = Optional.empty();
  private boolean closed;

  private HostRecording(
      Store database,
      List<Member> members,
      IntSupplier clients,
      DatabaseDirectory directory,
      Optional<RemoteMetrics> remote,
      Access access) {
    this.database = database;
    this.access = access;
    this.members = List.copyOf(members);
    this.clients = clients;
    this.files = new HostFiles(directory);
    this.remote = remote;
  }

  /**
   * What is recorded, and by which load generator. Only the first load generator asks servers for
   * their own metrics, unless agents do, since answering costs the servers time. Each load
   * generator measures at a separate time within a second. Otherwise load generators on one machine
   * would all use its CPUs at once.
   *
   * @param remote records members on other machines; empty if they are here
   * @param relay the process between zones; empty if there is none
   * @param number number of this load generator, from 1
   */
  public record Scope(
      Optional<RemoteMetrics> remote,
      Optional<Member.Server> relay,
      int number,
      int loadGenerators) {
    boolean asksServers() {
      return remote.isEmpty() && number == 1;
    }

    long offsetNanos() {
      return TimeUnit.SECONDS.toNanos(number - 1) / loadGenerators;
    }
  }

  /**
   * Starts to record; takes some tenths of a second, and the first rows are written then. Call it
   * before the first request.
   *
   * @param clients returns the current number of clients; called once a second from another thread
   * @param directory directory for the files, see {@link HostFiles}; existing files are replaced
   */
  public static HostRecording start(
      Store database,
      List<Member> members,
      IntSupplier clients,
      DatabaseDirectory directory,
      Scope scope,
      Access access,
      Clock clock) {
    Optional<RemoteMetrics> remote = scope.remote();
    HostRecording recording =
        new HostRecording(database, members, clients, directory, remote, access);
    remote.ifPresent(metrics -> metrics.start(clients, recording.files));
    List<Target> targets = new ArrayList<>(recording.targets());
    scope.relay().map(recording::relay).ifPresent(targets::add);
    recording.startSampler(targets, clock, scope.offsetNanos());
    if (scope.asksServers()) {
      recording.startInternals(clock);
    }
    return recording;
  }

  /**
   * Starts to record one member on this machine on behalf of a load generator, without this
   * process.
   *
   * @param loadGenerator address of the load generator, which determines the network interface of
   *     the traffic
   * @param clock clock for the times of the rows
   */
  public static HostRecording ofMember(
      Store database,
      Member member,
      String loadGenerator,
      IntSupplier clients,
      DatabaseDirectory directory,
      Access access,
      Clock clock) {
    HostRecording recording =
        new HostRecording(database, List.of(member), clients, directory, Optional.empty(), access);
    recording.startSampler(List.of(recording.server(member, loadGenerator)), clock, 0);
    recording.startInternals(clock);
    return recording;
  }

  private List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (Member member : members) {
      if (!member.pids().isEmpty()) {
        targets.add(server(member, member.endpoint().host()));
      } else if (database.hasServers() && remote.isEmpty()) {
        remarks.add(member.name() + ": no host metrics: Quorate did not start its process");
      }
    }
    targets.add(client());
    return targets;
  }

  private void startSampler(List<Target> targets, Clock clock, long offsetNanos) {
    try {
      sampler = Optional.of(new HostSampler(targets, clock, offsetNanos, remarks));
    } catch (RuntimeException | LinkageError unknownMachine) {
      // OSHI loads native code on some systems
      remarks.add("no host metrics: " + unknownMachine);
    }
  }

  private Target server(Member member, String otherEnd) {
    return new Target(
        member.name(),
        member.pids(),
        member.dataDirectory(),
        NetworkPath.to(otherEnd),
        () -> Integer.toString(clients.getAsInt()),
        files.server(member.index()));
  }

  private Target relay(Member.Server relay) {
    return new Target(
        "the relay",
        List.of(relay.pid()),
        Optional.empty(),
        NetworkPath.to(relay.endpoint().host()),
        () -> "",
        files.relay());
  }

  private Target client() {
    return new Target(
        "the load generator",
        List.of(ProcessHandle.current().pid()),
        Optional.of(files.directory().path()),
        members.stream().findFirst().flatMap(member -> NetworkPath.to(member.endpoint().host())),
        () -> "",
        files.client());
  }

  private void startInternals(Clock clock) {
    StoreServers servers = Stores.servers(database);
    if (servers.internals().isPresent()) {
      internals = Optional.of(new InternalsRecorder(servers, clock));
    }
  }

  /**
   * Samples every member and this process at an end of a step, next to the rows of each second.
   * Returns when that is done, some milliseconds later: a step begins after it. From any thread.
   *
   * @param step number of the step, from 1; its end follows its beginning
   */
  public void sample(int step, StepBoundary boundary) {
    Optional<Runnable> elsewhere = remote.map(metrics -> metrics.sample(step, boundary));
    sampler.ifPresent(here -> here.sample(step, boundary));
    elsewhere.ifPresent(Runnable::run);
  }

  @Override
  public void prepareStep(int step) {
    sample(step, StepBoundary.BEGIN);
  }

  @Override
  public void stepEnded(int step) {
    sample(step, StepBoundary.END);
  }

  @Override
  public void loadEnded() {
    diskUsage();
    close();
    RunEvent.append(files.directory(), sampler.map(HostSampler::stops).orElse(List.of()));
  }

  /**
   * Measures the size of each member's data and writes it, unless no size is known. Call it after
   * the load, and before the data is removed: that happens when a local cluster ends.
   */
  public void diskUsage() {
    CsvText text = new CsvText().row(HostFiles.diskHeader());
    boolean any = false;
    for (Member member : members) {
      Optional<Long> bytes = dataBytes(member);
      any |= bytes.isPresent();
      bytes.ifPresent(
          known ->
              text.row(
                  Integer.toString(member.index() - 1), // the reference counts from 0 here
                  member.endpoint().toString(),
                  NumberFormats.humanizedBytes(known),
                  Long.toString(known)));
    }
    if (any) {
      try {
        AtomicFile.write(files.diskUsage(), text.toString());
      } catch (QuorateException impossible) {
        remarks.add(impossible.getMessage());
      }
    }
  }

  /** Returns the current size of a member's data; empty, with a remark, if it is not known. */
  public Optional<Long> dataBytes(Member member) {
    return remote.isPresent()
        ? remote.get().dataBytes(member.index())
        : member.dataDirectory().flatMap(directory -> below(member, directory));
  }

  private Optional<Long> below(Member member, Path directory) {
    try {
      return Optional.of(bytesBelow(directory));
    } catch (IOException impossible) {
      remarks.add(
          member.name() + ": the size of its data is not known: " + FileFailure.reason(impossible));
      return Optional.empty();
    }
  }

  /**
   * Returns the sum of the apparent sizes of all regular files below a directory or below what a
   * link leads to, including hidden ones; other links are not followed. Files that a server removes
   * meanwhile do not count.
   *
   * @throws IOException if there is no such directory, or something in it cannot be read
   */
  static long bytesBelow(Path directory) throws IOException {
    AtomicLong bytes = new AtomicLong();
    Path start = directory.resolve(".");
    Files.walkFileTree(
        start,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes.addAndGet(attributes.isRegularFile() ? attributes.size() : 0);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (file.equals(start) || Files.exists(file)) {
              throw failure;
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return bytes.get();
  }

  /** Returns a readable line about each recording that failed, with the reason. */
  @Override
  public List<String> remarks() {
    List<String> all = new ArrayList<>(remarks.all());
    remote.ifPresent(metrics -> all.addAll(metrics.remarks()));
    return all;
  }

  /** Stops recording. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    internals.ifPresent(InternalsRecorder::close);
    sampler.ifPresent(HostSampler::close);
    remote.ifPresent(RemoteMetrics::stop);
  }

  /**
   * Asks every server once a second for its own metrics, each on a separate thread, and writes
   * {@code UNIX-SECOND,MEMBER,METRIC,VALUE}. A second without an answer has no rows.
   */
  private final class InternalsRecorder implements AutoCloseable {
    private final GrowingCsv file;
    private final List<EverySecond> threads = new ArrayList<>();

    /** Starts to ask in each second, one member after the other. */
    InternalsRecorder(StoreServers servers, Clock clock) {
      this.file =
          new GrowingCsv(files.internals(), remarks, MemberSeries.COLUMNS.toArray(String[]::new));
      for (Member member : file.isOpen() ? members : List.<Member>of()) {
        ServerInternals source = servers.internals().orElseThrow();
        threads.add(
            new EverySecond(
                "quorate-internals-" + member.index(),
                clock,
                // not at the same time as another one
                TimeUnit.SECONDS.toNanos(threads.size() + 1) / (members.size() + 1),
                second -> record(second, member, source)));
      }
    }

    private void miss(Member member, String why) {
      remarks.add(member.name() + ": metrics of the server are missing for some seconds: " + why);
    }

    private void record(long second, Member member, ServerInternals source) {
      try {
        Map<String, Double> figures =
            source.ask(member.ownEndpoint(), access, ServerInternals.LIMIT);
        CsvText rows = new CsvText();
        figures.forEach(
            (metric, value) ->
                rows.row(
                    Long.toString(second),
                    Integer.toString(member.index()),
                    metric,
                    Figure.text(value)));
        file.write(rows);
      } catch (IOException silent) {
        miss(member, FileFailure.reason(silent));
      } catch (RuntimeException unforeseen) {
        // the run continues whatever a server answers
        miss(member, unforeseen.toString());
      }
    }

    @Override
    public void close() {
      threads.forEach(EverySecond::close);
      file.close();
    }
  }
}
