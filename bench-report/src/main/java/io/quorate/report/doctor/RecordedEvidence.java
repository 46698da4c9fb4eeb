package io.quorate.report.doctor;

import static io.quorate.format.NumberFormats.fixed;

import io.quorate.report.doctor.MemberMetrics.Sample;
import io.quorate.results.DatabaseRun;
import io.quorate.results.RunEvent;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.HostSamples;
import io.quorate.results.manifest.ServerInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds the evidence for stalls in the files of a database's run. */
final class RecordedEvidence {
  private static final double NANOS_PER_MS = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;

  /** Shortest wait that is evidence: below it, disks and schedulers are as they usually are. */
  static final double LEAST_WAIT_MS = 20;

  /** CPU time of other processes in a second, as part of all CPUs, that slows the others. */
  private static final double OTHERS = 0.4;

  private static final double BUSY = 0.9;
  private static final double PRESSURE_MS = 300;
  private static final double LEAST_STEAL_MS = 50;
  private static final double LEAST_STOP_MS = 50;
  private static final double LEAST_SWAPPED_PAGES = 100;
  private static final double LEAST_RETRANSMITS = 3;

  /** Causes whose events have exact times. */
  private static final Set<StallCause> EXACT = Set.of(StallCause.STOPPED, StallCause.SERVER_GC);

  /** Causes with messages about their beginning, and metrics of their length. */
  private static final Set<StallCause> WORK = Set.of(StallCause.SNAPSHOT);

  /** Messages of servers by cause; the first that matches counts. */
  private static final Map<StallCause, Pattern> MESSAGES =
      Map.ofEntries(
          message(StallCause.LOG_SYNC, "slow fdatasync|fsync-ing the write ahead log"),
          message(
              StallCause.SERVER_GC, "Detected pause in JVM|\\bPause (Young|Full|Remark|Cleanup)"),
          message(StallCause.SNAPSHOT, "Snapshotting:|triggering snapshot|starting snapshot"),
          message(
              StallCause.LEADER_CHANGE,
              "lost leader|LEADER ELECTION TOOK|leadership lost|[Nn]o cluster leader|heartbeat timeout reached"),
          message(
              StallCause.NETWORK,
              "dropped internal Raft message|lost TCP streaming|failed to contact"
                  + "|failed to (appendEntries|heartbeat)|Exception when following"),
          message(
              StallCause.LIMIT,
              "Outstanding request limit|Throttl|rate limit|Too many connections|space exceeded"),
          message(StallCause.MEMBER, "failed to send out heartbeat on time"),
          message(StallCause.APPLY, "took too long"));

  private final String id;
  private final MemberMetrics metrics;
  private final List<Evidence> events = new ArrayList<>();
  private final List<Evidence> found = new ArrayList<>();

  /** Whether logs contain all slow fsyncs, as those of ZooKeeper's servers that the run started. */
  private final boolean logsSyncs;

  /** Whether all members are on the load generator's machine, where no packet can be lost. */
  private final boolean isLocal;

  private RecordedEvidence(DatabaseRun run, MemberMetrics metrics) {
    this.id = run.manifest().store().id();
    this.metrics = metrics;
    this.isLocal =
        run.manifest()
            .store()
            .servers()
            .hosting()
            .filter(ServerInfo.Hosting.LOCAL::equals)
            .isPresent();
    this.logsSyncs = id.startsWith("zookeeper") && isLocal;
  }

  private static Map.Entry<StallCause, Pattern> message(StallCause cause, String regex) {
    return Map.entry(cause, Pattern.compile(regex));
  }

  /**
   * Returns all evidence of a run, in no order.
   *
   * @throws io.quorate.QuorateException if a file cannot be read, with its line
   */
  static List<Evidence> of(DatabaseRun run, MemberMetrics metrics) {
    RecordedEvidence evidence = new RecordedEvidence(run, metrics);
    run.events().forEach(evidence::event);
    evidence.events.addAll(evidence.found);
    evidence.found.clear();
    evidence.internals();
    HostFiles files = new HostFiles(run.directory());
    HostSamples client = HostSamples.read(files.client());
    List<HostSamples> own = new ArrayList<>(List.of(client));
    for (Map.Entry<Integer, Path> server : files.servers().entrySet()) {
      HostSamples rows = HostSamples.read(server.getValue());
      evidence.member(evidence.name(server.getKey()), rows);
      if (evidence.isLocal) {
        own.add(rows);
      } else {
        evidence.machine(evidence.name(server.getKey()), rows, List.of(rows));
      }
    }
    own.add(HostSamples.read(files.relay()));
    evidence.machine("the load generator's machine", client, own);
    return evidence.exact();
  }

  /**
   * Leaves out seconds of a metric if events tell the same with their times, and messages about the
   * beginning of work whose length is known.
   */
  private List<Evidence> exact() {
    Set<StallCause> exact = causes(events);
    exact.removeIf(cause -> !EXACT.contains(cause) && !(logsSyncs && cause == StallCause.LOG_SYNC));
    Set<StallCause> measured = causes(found);
    measured.retainAll(WORK);
    return Stream.concat(
            events.stream().filter(each -> !measured.contains(each.cause())),
            found.stream().filter(each -> !exact.contains(each.cause())))
        .toList();
  }

  private static Set<StallCause> causes(List<Evidence> evidence) {
    return evidence.stream()
        .map(Evidence::cause)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(StallCause.class)));
  }

  private String name(int member) {
    return id + "-" + member;
  }

  private void add(
      StallCause cause, String source, double start, double end, double ms, String detail) {
    found.add(new Evidence(cause, source, start, end, ms, detail));
  }

  private void event(RunEvent event) {
    double start = event.startUnixNanos() / NANOS_PER_MS;
    double end = event.endUnixNanos() / NANOS_PER_MS;
    double ms = end > start ? end - start : Double.POSITIVE_INFINITY;
    switch (event.kind()) {
      case LOAD_GENERATOR_STALL ->
          add(StallCause.LOAD_GENERATOR, event.source(), start, end, ms, duration(ms));
      case GC_PAUSE ->
          add(StallCause.LOAD_GENERATOR_GC, event.source(), start, end, ms, duration(ms));
      case LEADER_CHANGE ->
          add(StallCause.LEADER_CHANGE, event.source(), start, end, Double.POSITIVE_INFINITY, "");
      case PROCESS_STOPPED -> add(StallCause.STOPPED, event.source(), start, end, ms, duration(ms));
      case FAULT ->
          add(StallCause.FAULT, event.source(), start, end, Double.POSITIVE_INFINITY, event.text());
      case SERVER_LOG ->
          MESSAGES.entrySet().stream()
              .sorted(Map.Entry.comparingByKey())
              .filter(rule -> rule.getValue().matcher(event.text()).find())
              .findFirst()
              .ifPresent(
                  rule ->
                      add(
                          rule.getKey(),
                          event.source(),
                          start,
                          end,
                          ms,
                          Double.isFinite(ms) ? duration(ms) : event.text()));
      case NO_SUCCESS -> {} // that is a stall itself
    }
  }

  /** Reads what members reported about themselves; the names of metrics are those of each store. */
  private void internals() {
    slowest(StallCause.LOG_SYNC, "etcd_disk_wal_fsync_duration_seconds", MILLIS_PER_SECOND);
    slowest(StallCause.COMMIT, "etcd_disk_backend_commit_duration_seconds", MILLIS_PER_SECOND);
    slowest(StallCause.LOG_SYNC, "zk_fsynctime", 1);
    excess(StallCause.LOG_SYNC, "consul_raft_leader_dispatchLog", 1);
    excess(StallCause.LOG_SYNC, "consul_raft_rpc_appendEntries_storeLogs", 1);
    work(StallCause.DEFRAGMENTATION, "etcd_disk_backend_defrag_duration_seconds_sum", 1e3);
    work(StallCause.SNAPSHOT, "etcd_snap_db_save_total_duration_seconds_sum", 1e3);
    work(StallCause.SNAPSHOT, "etcd_debugging_snap_save_total_duration_seconds_sum", 1e3);
    work(StallCause.SNAPSHOT, "etcd_disk_backend_snapshot_duration_seconds_sum", 1e3);
    work(StallCause.SNAPSHOT, "zk_sum_snapshottime", 1);
    work(StallCause.SNAPSHOT, "consul_raft_snapshot_takeSnapshot_sum", 1);
    work(
        StallCause.COMPACTION,
        "etcd_debugging_mvcc_db_compaction_total_duration_milliseconds_sum",
        1);
    work(StallCause.SERVER_GC, "zk_sum_jvm_pause_time_ms", 1);
    grown(StallCause.LEADER_CHANGE, "etcd_server_leader_changes_seen_total");
    grown(StallCause.LIMIT, "zk_throttled_ops");
    grown(StallCause.APPLY, "etcd_server_slow_apply_total");
  }

  /** Adds seconds in which the highest bucket of a histogram shows a long wait. */
  private void slowest(StallCause cause, String histogram, double millis) {
    for (Sample each : metrics.samples(histogram + "_max")) {
      double ms = each.value() * millis;
      if (ms > LEAST_WAIT_MS) {
        add(
            cause,
            name(each.member()),
            each.startMillis(),
            each.endMillis(),
            ms,
            "up to " + duration(ms));
      }
    }
  }

  /** Adds seconds in which a sum grew by more than usual for as many values. */
  private void excess(StallCause cause, String metric, double millis) {
    List<Sample> sums = metrics.growth(metric + "_sum");
    List<Sample> counts = metrics.growth(metric + "_count");
    int size = Math.min(sums.size(), counts.size());
    double usual =
        Stall.median(
            IntStream.range(0, size)
                .filter(i -> counts.get(i).value() > 0)
                .mapToDouble(i -> sums.get(i).value() / counts.get(i).value())
                .toArray());
    for (int i = 0; i < size; i++) {
      Sample each = sums.get(i);
      double ms = millis * (each.value() - usual * counts.get(i).value());
      // one slow write, not many that are a little slower
      if (ms > LEAST_WAIT_MS && ms > usual * counts.get(i).value()) {
        add(
            cause,
            name(each.member()),
            each.startMillis(),
            each.endMillis(),
            ms,
            "up to " + duration(ms));
      }
    }
  }

  /**
   * Adds work whose duration is reported when it has ended. It began at the latest message of the
   * server's log about it that fits, otherwise some time before.
   */
  private void work(StallCause cause, String sum, double millis) {
    for (Sample each : metrics.growth(sum)) {
      double ms = each.value() * millis;
      if (ms > LEAST_WAIT_MS) {
        String member = name(each.member());
        double earliest = Math.min(each.startMillis(), each.endMillis() - ms);
        OptionalDouble logged =
            events.stream()
                .filter(event -> event.cause() == cause && event.source().equals(member))
                .mapToDouble(Evidence::startMillis)
                .filter(
                    time ->
                        time > earliest - MILLIS_PER_SECOND
                            && time < each.endMillis() - ms + MILLIS_PER_SECOND)
                .max();
        double start = logged.orElse(earliest);
        double end = logged.isPresent() ? start + ms : each.endMillis();
        add(cause, member, start, end, ms, duration(ms));
      }
    }
  }

  private void grown(StallCause cause, String counter) {
    for (Sample each : metrics.growth(counter)) {
      if (each.value() > 0) {
        add(
            cause,
            name(each.member()),
            each.startMillis(),
            each.endMillis(),
            Double.POSITIVE_INFINITY,
            "");
      }
    }
  }

  /**
   * Reads the rows of a machine.
   *
   * @param own rows of the processes of the run on this machine
   */
  private void machine(String source, HostSamples rows, List<HostSamples> own) {
    double[] cpus = rows.values("CPUS");
    double[] busy = rows.growth("MACHINE-CPU-MILLISECONDS");
    double[] steal = rows.growth("MACHINE-STEAL-MILLISECONDS");
    double[] cpuPressure = rows.growth("CPU-PRESSURE-MILLISECONDS");
    double[] diskPressure = rows.growth("IO-PRESSURE-MILLISECONDS");
    double[] swapped = rows.growth("SWAPPED-PAGES");
    double[] retransmits = rows.growth("TCP-RETRANSMITS");
    for (int i = 1; i < rows.size(); i++) {
      double start = rows.unixNanos(i - 1) / NANOS_PER_MS;
      double end = rows.unixNanos(i) / NANOS_PER_MS;
      double seconds = (end - start) / MILLIS_PER_SECOND;
      double part = busy[i] / (cpus[i] * (end - start));
      boolean busyCpus = part > BUSY || cpuPressure[i] > PRESSURE_MS * seconds;
      double others = busy[i] - cpuMillis(own, rows.unixNanos(i - 1), rows.unixNanos(i));
      if (busyCpus && others > OTHERS * (end - start)) {
        String name = OtherProcess.of(rows.text("PROCESS-CPU-OTHERS", i)).name();
        add(
            StallCause.OTHER_PROCESSES,
            name.isEmpty() ? source : name,
            start,
            end,
            Math.min(others, end - start),
            "%s of %s CPUs".formatted(fixed(others / (end - start), 1), fixed(cpus[i], 0)));
      }
      if (part > BUSY) {
        add(StallCause.CPU, source, start, end, end - start, percent(part) + " busy");
      }
      if (steal[i] > LEAST_STEAL_MS) {
        add(StallCause.STEAL, source, start, end, steal[i], duration(steal[i]));
      }
      if (diskPressure[i] > PRESSURE_MS * seconds) {
        add(StallCause.DISK, source, start, end, diskPressure[i], duration(diskPressure[i]));
      }
      if (swapped[i] > LEAST_SWAPPED_PAGES) {
        add(StallCause.SWAP, source, start, end, end - start, fixed(swapped[i], 0) + " pages");
      }
      if (retransmits[i] >= LEAST_RETRANSMITS && !isLocal) {
        add(
            StallCause.NETWORK,
            source,
            start,
            end,
            Double.POSITIVE_INFINITY,
            fixed(retransmits[i], 0) + " retransmitted segments");
      }
    }
  }

  /** Returns the CPU time of processes of the run between two times, in milliseconds. */
  private static double cpuMillis(List<HostSamples> own, long from, long to) {
    return own.stream()
        .mapToDouble(
            each -> each.latest("CPU-MILLISECONDS", to) - each.latest("CPU-MILLISECONDS", from))
        .filter(grown -> grown > 0)
        .sum();
  }

  /** Reads the rows of a member's process. */
  private void member(String member, HostSamples rows) {
    double[] stopped = rows.growth("STOPPED-MILLISECONDS");
    double[] throttled = rows.growth("THROTTLED-MILLISECONDS");
    for (int i = 1; i < rows.size(); i++) {
      double start = rows.unixNanos(i - 1) / NANOS_PER_MS;
      double end = rows.unixNanos(i) / NANOS_PER_MS;
      if (stopped[i] >= LEAST_STOP_MS) {
        add(StallCause.STOPPED, member, start, end, stopped[i], "about " + duration(stopped[i]));
      }
      if (throttled[i] >= LEAST_WAIT_MS) {
        add(StallCause.THROTTLED, member, start, end, throttled[i], duration(throttled[i]));
      }
    }
  }

  /** The process outside of the run that used most CPU time since the row before. */
  record OtherProcess(String name, double cpuMillis) {
    private static final Pattern CELL = Pattern.compile("(.+) (\\d+)");

    static OtherProcess of(String cell) {
      var parts = CELL.matcher(cell);
      return parts.matches()
          ? new OtherProcess(parts.group(1), Double.parseDouble(parts.group(2)))
          : new OtherProcess("", 0);
    }
  }

  private static String percent(double part) {
    return fixed(100 * part, 0) + "%";
  }

  static String duration(double ms) {
    return ms >= 1000
        ? fixed(ms / MILLIS_PER_SECOND, 1) + " s"
        : String.format(Locale.ROOT, "%.0f ms", ms);
  }
}
