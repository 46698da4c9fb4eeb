// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.QuorateException;
import io.quorate.format.OutputFiles;
import io.quorate.format.Unreadable;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.hosts.HostMeasurements;
import io.quorate.results.hosts.HostTimeline;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.store.server.ServerCourse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Analyzes the machines while a database was measured, from the files of a run of Quorate. */
public final class HostAnalysis {

  /** Length limit of a tag in a file name, which has at most 255 characters in total. */
  private static final int MAX_NAME = 100;

  private static final double MILLIS_PER_SECOND = 1000;

  private final HostMeasurements machines;
  private final SortedMap<Integer, Path> servers;
  private final HostFigures figures = new HostFigures();
  private final Map<String, byte[]> written = new LinkedHashMap<>();
  private final List<String> missing = new ArrayList<>();
  private final List<Unreadable> unreadable = new ArrayList<>();
  private Optional<ClientTimeline> clients = Optional.empty();
  private Frame seconds = new Frame(0);
  private Frame serversByKey = KeyNumberFiles.none();
  private Map<ServerCourse, double[]> courses = Map.of();
  private final Map<Integer, Double> traffic = new LinkedHashMap<>();
  private OptionalDouble relaySeconds = OptionalDouble.empty();
  private Optional<MemberTimelines> members = Optional.empty();

  private HostAnalysis(HostMeasurements machines) {
    this.machines = machines;
    this.servers = machines.files().servers();
  }

  static HostAnalysis of(DatabaseRun run, List<StepFigures> steps) {
    HostAnalysis analysis = new HostAnalysis(run.machines());
    List<ClientSecond> rows = steps.stream().flatMap(step -> step.seconds().stream()).toList();
    if (rows.isEmpty()) {
      analysis.missing.add("no request, so nothing to set host metrics against");
      return analysis;
    }
    ClientTimeline clients = ClientTimeline.of(rows);
    analysis.clients = Optional.of(clients);
    analysis.seconds = Aggregation.of(clients, List.of(), Double.NaN).frame();
    analysis.attempt(run, "servers", () -> analysis.servers(run, clients));
    analysis.attempt(run, "load generator", () -> analysis.client(run, clients));
    analysis.attempt(run, "data directories", () -> analysis.disk(run));
    analysis.attempt(run, "servers about themselves", () -> analysis.courses(run, clients));
    analysis.attempt(
        run, "traffic between servers", () -> steps.forEach(step -> analysis.traffic(run, step)));
    analysis.attempt(run, "relay between zones", () -> analysis.relay());
    return analysis;
  }

  private void attempt(DatabaseRun run, String machines, Runnable reading) {
    try {
      reading.run();
    } catch (QuorateException problem) {
      unreadable.add(
          new Unreadable(
              run.directory().manifest(),
              problem.getMessage(),
              "metrics of the %s are left out".formatted(machines)));
    }
  }

  private void courses(DatabaseRun run, ClientTimeline clients) {
    courses =
        new ServerCourses(machines.reported(), clients.first(), clients.size())
            .of(run.manifest().store().knowledge().courses());
  }

  /** Adds the traffic between members in a step. Each is asked at another part of a second. */
  private void traffic(DatabaseRun run, StepFigures step) {
    ServerInfo servers = run.manifest().store().servers();
    int members = servers.members().size();
    boolean apart = servers.are(ServerInfo.Hosting.AGENTS);
    double[] at = new double[members];
    Arrays.setAll(at, i -> apart ? 0.5 : (i + 1.0) / (members + 1));
    run.manifest()
        .store()
        .knowledge()
        .memberTraffic()
        .map(metric -> ServerCourses.perSuccess(machines.reported(), metric, at, step))
        .filter(OptionalDouble::isPresent)
        .ifPresent(known -> traffic.put(step.number(), known.getAsDouble()));
  }

  /** Returns what the servers reported of themselves, a value for each second of the clients. */
  public Map<ServerCourse, double[]> courses() {
    return courses;
  }

  private void relay() {
    relaySeconds =
        Stream.of(machines.steps(machines.files().relay(), List.of(ServerColumn.CPU_MILLISECONDS)))
            .filter(steps -> !steps.isEmpty())
            .mapToDouble(
                steps ->
                    steps.stream()
                            .mapToDouble(step -> step.growth(ServerColumn.CPU_MILLISECONDS))
                            .sum()
                        / MILLIS_PER_SECOND)
            .filter(seconds -> !Double.isNaN(seconds))
            .findFirst();
  }

  /**
   * Returns the CPU time of the relay between zones in the measured steps, in seconds; empty
   * without a relay.
   */
  public OptionalDouble relaySeconds() {
    return relaySeconds;
  }

  /** Returns the CPU time of all servers in some steps, numbered from 1, in seconds. */
  OptionalDouble serverCpuSeconds(IntPredicate steps) {
    return ofServers(each -> each.cpuMillis(machine -> only(machine, steps)) / MILLIS_PER_SECOND);
  }

  /** Returns the mean CPU of a server in some steps, which are numbered from 1; 100 is one core. */
  OptionalDouble serverCpuPercent(IntPredicate steps) {
    return ofServers(each -> HostFigures.meanCpuPercent(each.all(), steps));
  }

  /** Returns the bytes that all servers wrote to disks in some steps, numbered from 1. */
  public OptionalDouble serverBytesWritten(IntPredicate steps) {
    return ofServers(
        each ->
            ServerColumn.SECTOR_BYTES
                * each.growth(ServerColumn.SECTORS_WRITTEN, machine -> only(machine, steps)));
  }

  static Stream<HostTimeline.Step> only(HostTimeline machine, IntPredicate steps) {
    return IntStream.range(0, machine.steps().size())
        .filter(index -> steps.test(index + 1))
        .mapToObj(machine.steps()::get);
  }

  /** Returns the mean resident memory of a server at the end of the last step, in bytes. */
  OptionalDouble serverMemoryBytes() {
    return ofServers(MemberTimelines::memoryAtEnd);
  }

  /** Returns the bytes that servers sent to each other in a step, per success. */
  OptionalDouble memberTraffic(int step) {
    return Stream.ofNullable(traffic.get(step)).mapToDouble(each -> each).findFirst();
  }

  private OptionalDouble ofServers(ToDoubleFunction<MemberTimelines> figure) {
    return members.stream().mapToDouble(figure).filter(value -> !Double.isNaN(value)).findFirst();
  }

  public boolean isMeasured() {
    return knowsServers()
        || machines.files().hasClient()
        || Files.exists(machines.files().diskUsage());
  }

  public Map<HostFigure, Double> figures() {
    return figures.toMap();
  }

  public boolean knowsServers() {
    return !servers.isEmpty();
  }

  /** Returns the missing values and the reasons, as sentences without a full stop. */
  public List<String> missing() {
    return Stream.of(
            missing.stream(),
            unreadable.stream().map(Unreadable::text),
            machines.truncated().stream()
                .map("the incomplete last line of %s was left out"::formatted))
        .flatMap(Function.identity())
        .toList();
  }

  public List<Unreadable> unreadable() {
    return List.copyOf(unreadable);
  }

  public void write(DatabaseDirectory directory, OutputFiles files) {
    written.forEach((name, csv) -> files.add(directory.path().resolve(name), csv));
  }

  /** Returns the seconds of the clients; empty if there was no request. */
  public Optional<ClientTimeline> clients() {
    return clients;
  }

  /** Returns the columns of the aggregated file; growths are rates over the covered time. */
  public Frame seconds() {
    Frame all =
        seconds.only(
            Arrays.stream(AggregatedColumn.values()).map(AggregatedColumn::title).toList());
    return clients
        .map(known -> all.with(AggregatedColumn.AVG_THROUGHPUT.title(), known.successRates()))
        .orElse(all);
  }

  /** Returns the columns of the servers by number of keys, with rates. */
  public Frame serversByKey() {
    return serversByKey;
  }

  private void servers(DatabaseRun run, ClientTimeline clients) {
    if (hasNoServers(run)) {
      missing.add("there were no servers, so the rows about them are empty");
      return;
    }
    int known = servers.isEmpty() ? 0 : servers.lastKey();
    int members = Math.max(known, run.manifest().store().servers().members().size());
    List<String> absent =
        IntStream.rangeClosed(1, members)
            .filter(server -> !servers.containsKey(server))
            .mapToObj(Integer::toString)
            .toList();
    if (known == 0 || !absent.isEmpty()) {
      missing.add(
          known == 0
              ? "no metrics of the servers were recorded"
              : "no metrics of server " + String.join(", ", absent) + ", so none of all servers");
      return;
    }
    List<HostTimeline> timelines = new ArrayList<>();
    servers.forEach(
        (server, file) ->
            timeline(run, file, "server " + server, ServerColumn.levels())
                .ifPresent(timelines::add));
    if (timelines.size() < servers.size()) {
      return;
    }
    List<MeasurementWindow> measured =
        timelines.stream().map(machine -> new MeasurementWindow(machine, clients)).toList();
    Aggregation counted = Aggregation.of(clients, measured, Double.NaN);
    Frame frame = counted.frame();
    MemberTimelines all = MemberTimelines.of(timelines, machines(run, timelines.size()));
    figures.servers(all, measured, frame);
    this.members = Optional.of(all);
    write(run, frame, KeyNumberFiles.of(counted, frame, clients));
    Aggregation rates =
        Aggregation.of(
            clients, measured.stream().map(MeasurementWindow::rates).toList(), Double.NaN);
    seconds = rates.frame();
    serversByKey = KeyNumberFiles.of(rates, seconds, clients);
  }

  /** Returns the name of each member's machine. */
  private static List<String> machines(DatabaseRun run, int members) {
    ServerInfo servers = run.manifest().store().servers();
    List<String> known = servers.machines();
    return IntStream.range(0, members)
        .mapToObj(
            i ->
                servers.are(ServerInfo.Hosting.LOCAL)
                    ? ""
                    : i < known.size() ? known.get(i) : Integer.toString(i))
        .toList();
  }

  /**
   * Returns the timeline; empty, with the reason, unless it was measured at both ends of every
   * step.
   */
  private Optional<HostTimeline> timeline(
      DatabaseRun run, Path file, String whose, List<String> columns) {
    Optional<HostTimeline> found =
        machines.timeline(
            file,
            columns,
            List.of(ServerColumn.PROCESS_READ_BYTES, ServerColumn.PROCESS_WRITE_BYTES));
    int steps = run.manifest().load().steps().size();
    Optional<String> gap =
        found.isPresent() ? found.get().gap(steps) : Optional.of("at the ends of steps");
    gap.ifPresent(
        where ->
            missing.add(
                "%s was not measured %s, so what %s did is left out"
                    .formatted(whose, where, whose.startsWith("server") ? "all servers" : "it")));
    return gap.isPresent() ? Optional.empty() : found;
  }

  private void write(DatabaseRun run, Frame frame, Frame byKey) {
    String name = run.manifest().store().tag().replaceAll("[^A-Za-z0-9._-]", "-");
    String tag = name.substring(0, Math.min(name.length(), MAX_NAME));
    write(tag + "-all-aggregated.csv", frame);
    write("server-memory-by-key-number.csv", byKey.only(KeyNumberFiles.MEMORY));
    write("server-read-bytes-delta-by-key-number.csv", byKey.only(KeyNumberFiles.READ));
    write("server-write-bytes-delta-by-key-number.csv", byKey.only(KeyNumberFiles.WRITTEN));
  }

  private void write(String name, Frame frame) {
    written.put(name, frame.csv().getBytes(StandardCharsets.UTF_8));
  }

  private void client(DatabaseRun run, ClientTimeline clients) {
    if (!machines.files().hasClient()) {
      missing.add("no metrics of the load generator were recorded");
      return;
    }
    timeline(run, machines.files().client(), "the load generator", HostFigures.CLIENT_LEVELS)
        .ifPresent(client -> figures.client(client, clients));
    figures.clientCosts(run.manifest().costs());
    if (figures.lacksCpuPercent()) {
      missing.add("the steps took less than 0.1 s, too short for a percentage of CPU");
    }
  }

  private boolean hasNoServers(DatabaseRun run) {
    return run.manifest().store().runsInLoadGenerator() && servers.isEmpty();
  }

  private void disk(DatabaseRun run) {
    if (hasNoServers(run)) {
      return;
    }
    Optional<List<Long>> recorded = machines.diskBytes();
    if (recorded.isEmpty()) {
      missing.add("the size of the data directories was not recorded");
      return;
    }
    List<Long> bytes = recorded.get();
    int members = run.manifest().store().servers().members().size();
    if (bytes.size() < members || bytes.isEmpty()) {
      missing.add(
          "the size of %d of %d data directories was recorded, so the mean is left out"
              .formatted(bytes.size(), members));
      return;
    }
    figures.disk(bytes);
  }
}
