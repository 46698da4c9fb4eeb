// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.Await;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.StepBoundary;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
@SuppressWarnings("try") // a sampler may be closed by hand, and again
class HostSamplerIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final SamplingWarnings remarks = new SamplingWarnings();

  @TempDir Path directory;
  private final Children children = new Children();

  @AfterEach
  void end() {
    children.close();
  }

  private Target target(String name, long... pids) {
    List<Long> all = new ArrayList<>();
    for (long pid : pids) {
      all.add(pid);
    }
    return new Target(
        name,
        all,
        Optional.of(directory),
        NetworkPath.to("127.0.0.1"),
        () -> "7",
        directory.resolve(name + ".csv"));
  }

  private HostSampler started(Target... targets) {
    return new HostSampler(List.of(targets), Clock.systemUTC(), 0, remarks);
  }

  private static List<MetricRow> rows(Target target) {
    return GoldenMetrics.read(target.rawFile()).rows();
  }

  private static void awaitRows(Target target, int count) {
    Await.until(count + " rows", LIMIT, () -> rows(target).size() >= count);
  }

  private static long whole(MetricRow row, HostMetric metric) {
    return row.whole(metric).getAsLong();
  }

  @Test
  void rows_are_on_the_second_and_readable_while_they_are_written() {
    Target target = target("self", ProcessHandle.current().pid());
    try (HostSampler sampler = started(target)) {
      assertThat(rows(target)).hasSize(1);
      awaitRows(target, 4);
      assertThat(remarks.all()).isEmpty();
    }
    List<MetricRow> rows = rows(target);
    for (int i = 1; i < rows.size(); i++) {
      MetricRow row = rows.get(i);
      long nanos = Long.parseLong(row.cell(HostMetric.UNIX_NANOSECOND));
      assertThat(nanos / 1_000_000_000).isEqualTo(SecondGrid.second(row));
      assertThat(SecondGrid.second(row)).isGreaterThan(SecondGrid.second(rows.get(i - 1)));
    }
    MetricRow last = rows.get(rows.size() - 1);
    assertThat(last.cell(HostMetric.PROGRAM)).isEqualTo("java");
    assertThat(last.cell(HostMetric.PID)).isEqualTo("" + ProcessHandle.current().pid());
    assertThat(last.cell(HostMetric.INTERFACE)).isEqualTo("lo");
    assertThat(last.cell(HostMetric.EXTRA)).isEqualTo("7");
    assertThat(Double.parseDouble(last.cell(HostMetric.LOAD_AVERAGE_1_MINUTE))).isNotNegative();
    assertThat(last.cells(HostMetric.all().subList(28, 50))).doesNotContain("");
    assertThat(whole(last, HostMetric.CPUS)).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(whole(last, HostMetric.MACHINE_CPU_MILLISECONDS))
        .isGreaterThanOrEqualTo(whole(last, HostMetric.CPU_MILLISECONDS));
    assertThat(whole(last, HostMetric.MEMORY_AVAILABLE_BYTES))
        .isBetween(1L, whole(last, HostMetric.MEMORY_BYTES));
    // a process cannot observe that it is stopped
    assertThat(last.cell(HostMetric.STOPPED_MILLISECONDS)).isEmpty();
    for (MetricRow row : rows) {
      assertThat(row.cell(HostMetric.PROCESS_CPU_OTHERS)).matches("|.+ [1-9]\\d*0");
    }
    assertThat(GoldenMetrics.read(target.rawFile()).interpolated().rows())
        .hasSize((int) (SecondGrid.second(last) - SecondGrid.second(rows.get(0)) + 1));
  }

  @Test
  void rows_of_one_of_several_load_generators_are_at_its_own_time_in_each_second() {
    Target target = target("self", ProcessHandle.current().pid());
    long offset = new HostRecording.Scope(Optional.empty(), Optional.empty(), 4, 5).offsetNanos();
    try (HostSampler sampler =
        new HostSampler(List.of(target), Clock.systemUTC(), offset, remarks)) {
      // on a busy machine the thread may wake up in the next second
      Await.until(
          "a row at its time",
          LIMIT,
          () ->
              rows(target).stream()
                  .skip(1)
                  .map(row -> Long.parseLong(row.cell(HostMetric.UNIX_NANOSECOND)))
                  .anyMatch(nanos -> nanos % 1_000_000_000 >= 600_000_000));
      assertThat(remarks.all()).isEmpty();
    }
  }

  @Test
  void the_ends_of_a_step_are_measured_at_once_and_leave_the_rows_of_seconds_alone()
      throws IOException {
    long burner = children.start("burn").pid();
    Target target = target("burner", burner);
    List<Long> ticks = new ArrayList<>();
    try (HostSampler sampler = started(target)) {
      assertThat(HostFiles.steps(target.rawFile())).doesNotExist();
      ticks.add(ProcByHand.of(burner).cpuTicks());
      sampler.sample(1, StepBoundary.BEGIN);
      ticks.add(ProcByHand.of(burner).cpuTicks());
      awaitRows(target, 3);
      ticks.add(ProcByHand.of(burner).cpuTicks());
      sampler.sample(1, StepBoundary.END);
      ticks.add(ProcByHand.of(burner).cpuTicks());
      assertThat(remarks.all()).isEmpty();
    }
    List<String[]> lines =
        Files.readAllLines(HostFiles.steps(target.rawFile())).stream()
            .map(line -> line.split(",", -1))
            .toList();
    List<String> header = List.of(lines.get(0));
    int cpuMillis = header.indexOf("CPU-MILLISECONDS");
    int cpuPercent = header.indexOf("CPU-NUM");
    assertThat(header).startsWith("STEP", "BOUNDARY", "UNIX-NANOSECOND", "UNIX-SECOND");
    assertThat(header).noneMatch(column -> column.endsWith("-DELTA"));
    assertThat(lines.get(1)).startsWith("1", "begin");
    assertThat(lines.get(2)).startsWith("1", "end");
    assertThat(Long.parseLong(lines.get(1)[cpuMillis]) / 10).isBetween(ticks.get(0), ticks.get(1));
    assertThat(Long.parseLong(lines.get(2)[cpuMillis]) / 10).isBetween(ticks.get(2), ticks.get(3));
    assertThat(lines.get(1)[cpuPercent]).isEmpty();
    assertThat(Double.parseDouble(lines.get(2)[cpuPercent])).isPositive();
    List<MetricRow> rows = rows(target);
    assertThat(rows.get(0).cell(HostMetric.CPU)).isEmpty();
    for (int i = 1; i < rows.size(); i++) {
      assertThat(whole(rows.get(i), HostMetric.CPU_MILLISECONDS_DELTA))
          .isEqualTo(
              whole(rows.get(i), HostMetric.CPU_MILLISECONDS)
                  - whole(rows.get(i - 1), HostMetric.CPU_MILLISECONDS));
    }
  }

  @Test
  void a_stopped_process_is_seen_to_be_stopped_and_a_hog_is_named() throws Exception {
    long burner = children.start("burn").pid();
    children.start("burn");
    Target target = target("burner", burner);
    try (HostSampler sampler = started(target)) {
      awaitRows(target, 3);
      assertThat(whole(lastRow(target), HostMetric.STOPPED_MILLISECONDS)).isZero();
      signal("STOP", burner);
      Await.until(
          "it is seen to be stopped",
          LIMIT,
          () -> whole(lastRow(target), HostMetric.STOPPED_MILLISECONDS) > 0);
      signal("CONT", burner);
      Await.until(
          "the other one is named",
          LIMIT,
          () ->
              rows(target).stream()
                  .anyMatch(
                      row -> row.cell(HostMetric.PROCESS_CPU_OTHERS).matches("java [1-9]\\d+0")));
      assertThat(whole(lastRow(target), HostMetric.CPU_WAIT_MILLISECONDS)).isNotNegative();
      assertThat(remarks.all()).isEmpty();
    }
  }

  private static void signal(String name, long pid) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor())
        .isZero();
  }

  @Test
  void figures_lie_between_those_read_by_hand_in_proc_before_and_after() throws IOException {
    long burner = children.start("burn").pid();
    long sleepers = children.start("threads", "50").pid();
    Path written = Files.createTempFile(Path.of("target"), "written", "");
    long writer = children.start("write", written.toString()).pid();
    // sampled by hand on the same thread at the same moments
    Machine machine = new Machine(List.of());
    List<ProcessGroup> groups =
        List.of(
            new ProcessGroup(machine, List.of(burner)),
            new ProcessGroup(machine, List.of(sleepers)),
            new ProcessGroup(machine, List.of(writer)));
    List<Long> pids = List.of(burner, sleepers, writer);
    List<ProcByHand> beforeFirst = byHand(pids);
    List<ProcessReading> first = groups.stream().map(each -> each.read().get()).toList();
    List<ProcByHand> afterFirst = byHand(pids);
    Await.until("they have done something", LIMIT, () -> haveWorked(afterFirst, byHand(pids)));
    List<ProcByHand> beforeLast = byHand(pids);
    List<ProcessReading> last = groups.stream().map(each -> each.read().get()).toList();
    List<ProcByHand> afterLast = byHand(pids);
    for (int i = 0; i < 3; i++) {
      ProcessGroup group = groups.get(i);
      long pid = pids.get(i);
      Await.until("both agree", LIMIT, () -> agree(group.read().get(), pid));
    }
    Files.deleteIfExists(written);

    double longest = (afterLast.get(0).nanoTime() - beforeFirst.get(0).nanoTime()) / 1e9;
    double shortest = (beforeLast.get(0).nanoTime() - afterFirst.get(0).nanoTime()) / 1e9;
    // a tick is a hundredth of a second, and so a percent
    assertThat(last.get(0).cpuPercent())
        .isBetween(
            (beforeLast.get(0).cpuTicks() - afterFirst.get(0).cpuTicks()) / longest,
            (afterLast.get(0).cpuTicks() - beforeFirst.get(0).cpuTicks()) / shortest);
    assertThat(last.get(1).threads()).isGreaterThan(50);
    assertThat(switches(last.get(1)) - switches(first.get(1)))
        .isBetween(
            beforeLast.get(1).switches() - afterFirst.get(1).switches(),
            afterLast.get(1).switches() - beforeFirst.get(1).switches());
    assertThat(last.get(2).writtenBytes() - first.get(2).writtenBytes())
        .isBetween(
            beforeLast.get(2).writtenBytes() - afterFirst.get(2).writtenBytes(),
            afterLast.get(2).writtenBytes() - beforeFirst.get(2).writtenBytes());
  }

  private static List<ProcByHand> byHand(List<Long> pids) {
    return pids.stream().map(ProcByHand::of).toList();
  }

  private static boolean haveWorked(List<ProcByHand> then, List<ProcByHand> now) {
    return now.get(0).cpuTicks() - then.get(0).cpuTicks() > 50
        && now.get(1).switches() - then.get(1).switches() > 1_000
        && now.get(2).writtenBytes() - then.get(2).writtenBytes() > 1_000_000;
  }

  private static long switches(ProcessReading reading) {
    return reading.voluntarySwitches() + reading.involuntarySwitches();
  }

  /** A JVM may open a file or allocate memory between two readings. */
  private static boolean agree(ProcessReading sampled, long pid) {
    ProcByHand byHand = ProcByHand.of(pid);
    return sampled.openFiles() == byHand.openFiles()
        && sampled.threads() == byHand.threads()
        && Math.abs(sampled.residentBytes() - byHand.residentBytes()) < byHand.residentBytes() / 50;
  }

  @Test
  void the_processes_of_a_member_are_added_up() {
    long one = children.start("threads", "20").pid();
    long other = children.start("threads", "30").pid();
    Target both = target("both", one, other);
    Target alone = target("alone", other);
    try (HostSampler sampler = started(both, alone)) {
      awaitRows(both, 3);
      Await.until(
          "as many threads as by hand",
          LIMIT,
          () ->
              whole(lastRow(both), HostMetric.THREADS)
                  == ProcByHand.of(one).threads() + ProcByHand.of(other).threads());
      assertThat(remarks.all()).isEmpty();
    }
    MetricRow row = rows(both).get(2);
    assertThat(row.cell(HostMetric.PID)).isEqualTo("" + one);
    assertThat(row.cell(HostMetric.PIDS)).isEqualTo(one + " " + other);
    assertThat(whole(row, HostMetric.VMRSS_NUM))
        .isGreaterThan(whole(rows(alone).get(2), HostMetric.VMRSS_NUM));
  }

  private static MetricRow lastRow(Target target) {
    List<MetricRow> rows = rows(target);
    return rows.get(rows.size() - 1);
  }

  @Test
  void the_rows_of_a_process_that_ends_stop_and_those_of_others_do_not() {
    Process ends = children.start("burn");
    Target first = target("first", ends.pid());
    Target second = target("second", children.start("burn").pid());
    try (HostSampler sampler = started(first, second)) {
      awaitRows(first, 2);
      ends.destroyForcibly();
      Await.until("it is noticed", LIMIT, () -> !remarks.all().isEmpty());
      int rows = rows(first).size();
      awaitRows(second, rows(second).size() + 2);
      assertThat(rows(first)).hasSize(rows);
      assertThat(remarks.all())
          .containsExactly("first: a process has ended, no further host metrics");
    }
  }

  @Test
  void a_process_that_is_not_there_has_no_rows() {
    Process ended = children.start("burn");
    ended.destroyForcibly();
    Await.until("it ends", LIMIT, () -> ProcessHandle.of(ended.pid()).isEmpty());
    Target target = target("gone", ended.pid());
    try (HostSampler sampler = started(target)) {
      assertThat(remarks.all()).hasSize(1);
    }
    assertThat(rows(target)).isEmpty();
  }

  @Test
  void a_file_that_cannot_be_written_is_a_remark() {
    Target target =
        new Target(
            "self",
            List.of(ProcessHandle.current().pid()),
            Optional.of(Path.of("/proc")),
            Optional.empty(),
            () -> "",
            directory.resolve("no/such/raw.csv"));
    try (HostSampler sampler = started(target)) {
      sampler.close();
      assertThat(remarks.all())
          .anyMatch(remark -> remark.startsWith("self: no disk metrics, since /proc is on no"))
          .anyMatch(remark -> remark.startsWith("self: no network metrics"))
          .anyMatch(remark -> remark.contains("raw.csv: cannot be written"));
    }
  }

  @Test
  void a_supplier_that_fails_costs_a_row_and_not_the_run() {
    AtomicInteger calls = new AtomicInteger();
    Target good = target("good", ProcessHandle.current().pid());
    Target bad =
        new Target(
            "bad",
            good.pids(),
            Optional.empty(),
            good.networkInterface(),
            () -> {
              if (calls.incrementAndGet() == 2) {
                throw new IllegalStateException("of the test");
              }
              return "";
            },
            directory.resolve("bad.csv"));
    try (HostSampler sampler = started(bad, good)) {
      awaitRows(bad, 2);
      assertThat(remarks.all()).hasSize(1);
      assertThat(remarks.all().get(0)).contains("bad: a second without").contains("of the test");
    }
    assertThat(rows(good)).hasSizeGreaterThan(rows(bad).size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"de", "ru"})
  void files_are_the_same_in_other_locales(String locale) {
    Golden.inLocale(
        locale,
        () -> {
          Target target = target("self", ProcessHandle.current().pid());
          started(target).close();
          assertThat(rows(target)).hasSize(1);
          assertThat(rows(target).get(0).cell(HostMetric.LOAD_AVERAGE_1_MINUTE))
              .matches("\\d+\\.\\d\\d");
        });
  }
}
