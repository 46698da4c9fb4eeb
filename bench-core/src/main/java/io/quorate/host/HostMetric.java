// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.format.NumberFormats;
import io.quorate.results.hosts.HostFiles;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The values of {@link HostFiles#COLUMNS}, in the same order, each with the name of its column.
 * {@code host-metrics.md} explains them.
 */
public enum HostMetric {
  // a constant can refer to a later one only by its name
  UNIX_NANOSECOND(GapFill.LATEST, r -> Long.toString(r.unixNanos())),
  UNIX_SECOND(GapFill.LATEST, r -> Long.toString(r.unixNanos() / 1_000_000_000)),
  PROGRAM(GapFill.LATEST, r -> r.process().program()),
  STATE(GapFill.LATEST, r -> r.process().state()),
  PID(GapFill.LATEST, r -> Long.toString(r.process().pids().get(0))),
  PPID(GapFill.LATEST, process(ProcessReading::parent)),
  CPU((row, before) -> percent(row.cell(valueOf("CPU_NUM")))),
  VMRSS(humanized("VMRSS_NUM")),
  VMSIZE(humanized("VMSIZE_NUM")),
  FD(GapFill.LATEST, process(ProcessReading::openFiles)),
  THREADS(GapFill.LATEST, process(ProcessReading::threads)),
  VOLUNTARY_CTXT_SWITCHES(GapFill.COUNTER, process(ProcessReading::voluntarySwitches)),
  NON_VOLUNTARY_CTXT_SWITCHES(GapFill.COUNTER, process(ProcessReading::involuntarySwitches)),
  CPU_NUM(GapFill.DECIMAL, r -> decimal(r.process().cpuPercent())),
  VMRSS_NUM(GapFill.LEVEL, process(ProcessReading::residentBytes)),
  VMSIZE_NUM(GapFill.LEVEL, process(ProcessReading::virtualBytes)),
  LOAD_AVERAGE_1_MINUTE(GapFill.DECIMAL, r -> decimal(r.machine().loads().get(0))),
  LOAD_AVERAGE_5_MINUTE(GapFill.DECIMAL, r -> decimal(r.machine().loads().get(1))),
  LOAD_AVERAGE_15_MINUTE(GapFill.DECIMAL, r -> decimal(r.machine().loads().get(2))),
  DEVICE(GapFill.LATEST, r -> r.disk().map(DiskReading::device).orElse("")),
  READS_COMPLETED(GapFill.COUNTER, disk(DiskReading::reads)),
  SECTORS_READ(GapFill.COUNTER, disk(DiskReading::sectorsRead)),
  TIME_READS(durationOf("MILLISECONDS_READS")),
  WRITES_COMPLETED(GapFill.COUNTER, disk(DiskReading::writes)),
  SECTORS_WRITTEN(GapFill.COUNTER, disk(DiskReading::sectorsWritten)),
  TIME_WRITES(durationOf("MILLISECONDS_WRITES")),
  MILLISECONDS_READS(GapFill.COUNTER, disk(DiskReading::readMillis)),
  MILLISECONDS_WRITES(GapFill.COUNTER, disk(DiskReading::writeMillis)),
  INTERFACE(GapFill.LATEST, r -> r.network().map(NetworkReading::name).orElse("")),
  RECEIVE_BYTES(humanized("RECEIVE_BYTES_NUM")),
  RECEIVE_PACKETS(GapFill.COUNTER, network(NetworkReading::receivedPackets)),
  TRANSMIT_BYTES(humanized("TRANSMIT_BYTES_NUM")),
  TRANSMIT_PACKETS(GapFill.COUNTER, network(NetworkReading::sentPackets)),
  RECEIVE_BYTES_NUM(GapFill.COUNTER, network(NetworkReading::receivedBytes)),
  TRANSMIT_BYTES_NUM(GapFill.COUNTER, network(NetworkReading::sentBytes)),
  READS_COMPLETED_DELTA(delta(READS_COMPLETED)),
  SECTORS_READ_DELTA(delta(SECTORS_READ)),
  WRITES_COMPLETED_DELTA(delta(WRITES_COMPLETED)),
  SECTORS_WRITTEN_DELTA(delta(SECTORS_WRITTEN)),
  READ_BYTES_DELTA(bytes(SECTORS_READ, MetricRow::text)),
  READ_MEGABYTES_DELTA(bytes(SECTORS_READ, HostMetric::megabytes)),
  WRITE_BYTES_DELTA(bytes(SECTORS_WRITTEN, MetricRow::text)),
  WRITE_MEGABYTES_DELTA(bytes(SECTORS_WRITTEN, HostMetric::megabytes)),
  RECEIVE_BYTES_DELTA(humanizedDelta(RECEIVE_BYTES_NUM)),
  RECEIVE_PACKETS_DELTA(delta(RECEIVE_PACKETS)),
  TRANSMIT_BYTES_DELTA(humanizedDelta(TRANSMIT_BYTES_NUM)),
  TRANSMIT_PACKETS_DELTA(delta(TRANSMIT_PACKETS)),
  RECEIVE_BYTES_NUM_DELTA(delta(RECEIVE_BYTES_NUM)),
  TRANSMIT_BYTES_NUM_DELTA(delta(TRANSMIT_BYTES_NUM)),
  EXTRA(GapFill.LATEST, Reading::extra),

  PIDS(GapFill.LATEST, HostMetric::pids),
  CPU_MILLISECONDS(GapFill.COUNTER, process(ProcessReading::cpuMillis)),
  PROCESS_READ_BYTES_NUM(GapFill.COUNTER, process(ProcessReading::readBytes)),
  PROCESS_WRITE_BYTES_NUM(GapFill.COUNTER, process(ProcessReading::writtenBytes)),
  VOLUNTARY_CTXT_SWITCHES_DELTA(delta(VOLUNTARY_CTXT_SWITCHES)),
  NON_VOLUNTARY_CTXT_SWITCHES_DELTA(delta(NON_VOLUNTARY_CTXT_SWITCHES)),
  CPU_MILLISECONDS_DELTA(delta(CPU_MILLISECONDS)),
  PROCESS_READ_BYTES_NUM_DELTA(delta(PROCESS_READ_BYTES_NUM)),
  PROCESS_WRITE_BYTES_NUM_DELTA(delta(PROCESS_WRITE_BYTES_NUM)),
  CPUS(GapFill.LATEST, machine(MachineReading::cpus)),
  MACHINE_CPU_MILLISECONDS(GapFill.COUNTER, machine(MachineReading::busyMillis)),
  MACHINE_STEAL_MILLISECONDS(GapFill.COUNTER, machine(MachineReading::stealMillis)),
  CPU_WAIT_MILLISECONDS(GapFill.COUNTER, process(ProcessReading::waitMillis)),
  STOPPED_MILLISECONDS(GapFill.COUNTER, process(ProcessReading::stoppedMillis)),
  THROTTLED_MILLISECONDS(GapFill.COUNTER, process(ProcessReading::throttledMillis)),
  CPU_PRESSURE_MILLISECONDS(GapFill.COUNTER, machine(MachineReading::cpuPressureMillis)),
  IO_PRESSURE_MILLISECONDS(GapFill.COUNTER, machine(MachineReading::ioPressureMillis)),
  MEMORY_PRESSURE_MILLISECONDS(GapFill.COUNTER, machine(MachineReading::memoryPressureMillis)),
  DISK_BUSY_MILLISECONDS(GapFill.COUNTER, disk(DiskReading::busyMillis)),
  TCP_RETRANSMITS(GapFill.COUNTER, machine(MachineReading::retransmits)),
  SWAPPED_PAGES(GapFill.COUNTER, machine(MachineReading::swappedPages)),
  MEMORY_AVAILABLE_BYTES(GapFill.LEVEL, machine(MachineReading::availableBytes)),
  MEMORY_BYTES(GapFill.LEVEL, machine(MachineReading::totalBytes)),
  CPU_GOVERNOR(GapFill.LATEST, r -> r.machine().governor()),
  PROCESS_CPU_OTHERS(GapFill.LATEST, r -> r.other().text()),
  OTHERS_TIME_MILLISECONDS(GapFill.LATEST, r -> known(r.other().elapsedMillis())),
  MACHINE_TIME_MILLISECONDS(GapFill.COUNTER, machine(MachineReading::timeMillis));

  private static final List<HostMetric> ALL = List.of(values());

  private final GapFill fill;
  private final Function<Reading, String> measured;
  private final BiFunction<MetricRow, Optional<MetricRow>, String> derived;

  HostMetric(GapFill fill, Function<Reading, String> measured) {
    this.fill = fill;
    this.measured = measured;
    this.derived = (row, before) -> row.cell(this);
  }

  HostMetric(BiFunction<MetricRow, Optional<MetricRow>, String> derived) {
    this.fill = GapFill.DERIVED;
    this.measured = reading -> "";
    this.derived = derived;
  }

  public String column() {
    return HostFiles.COLUMNS.get(ordinal());
  }

  GapFill fill() {
    return fill;
  }

  String measured(Reading reading) {
    return measured.apply(reading);
  }

  String derived(MetricRow row, Optional<MetricRow> before) {
    return derived.apply(row, before);
  }

  static List<HostMetric> all() {
    return ALL;
  }

  /** Returns the columns that are measured, not computed from others. */
  static List<HostMetric> measured() {
    return ALL.stream().filter(metric -> metric.fill != GapFill.DERIVED).toList();
  }

  static String[] header(List<HostMetric> columns) {
    return columns.stream().map(HostMetric::column).toArray(String[]::new);
  }

  private static BiFunction<MetricRow, Optional<MetricRow>, String> humanized(String bytes) {
    return (row, before) -> MetricRow.humanized(row.whole(valueOf(bytes)));
  }

  private static BiFunction<MetricRow, Optional<MetricRow>, String> durationOf(String millis) {
    return (row, before) -> duration(row.whole(valueOf(millis)));
  }

  private static Function<Reading, String> process(ToLongFunction<ProcessReading> figure) {
    return reading -> known(figure.applyAsLong(reading.process()));
  }

  private static Function<Reading, String> machine(ToLongFunction<MachineReading> figure) {
    return reading -> known(figure.applyAsLong(reading.machine()));
  }

  private static Function<Reading, String> disk(ToLongFunction<DiskReading> figure) {
    return reading -> reading.disk().map(disk -> known(figure.applyAsLong(disk))).orElse("");
  }

  private static Function<Reading, String> network(ToLongFunction<NetworkReading> figure) {
    return reading -> reading.network().map(net -> known(figure.applyAsLong(net))).orElse("");
  }

  private static BiFunction<MetricRow, Optional<MetricRow>, String> delta(HostMetric counter) {
    return (row, before) -> MetricRow.text(row.growth(counter, before));
  }

  /** Empty in the first row, as in the reference. */
  private static BiFunction<MetricRow, Optional<MetricRow>, String> humanizedDelta(
      HostMetric counter) {
    return (row, before) ->
        before.isEmpty() ? "" : MetricRow.humanized(row.growth(counter, before));
  }

  private static BiFunction<MetricRow, Optional<MetricRow>, String> bytes(
      HostMetric sectors, Function<OptionalLong, String> format) {
    return (row, before) -> {
      OptionalLong grown = row.growth(sectors, before);
      return format.apply(grown.isEmpty() ? grown : OptionalLong.of(grown.getAsLong() * 512));
    };
  }

  private static String pids(Reading reading) {
    return reading.process().pids().stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static String known(long figure) {
    return figure < 0 ? "" : Long.toString(figure);
  }

  private static String decimal(double figure) {
    return figure < 0 || !Double.isFinite(figure) ? "" : NumberFormats.fixed(figure, 2);
  }

  private static String percent(String number) {
    return number.isEmpty() ? "" : number + " %";
  }

  /** Formats megabytes: the reference divides whole numbers here, so its value is always 0. */
  private static String megabytes(OptionalLong bytes) {
    return bytes.isEmpty() ? "" : NumberFormats.fixed(bytes.getAsLong() / 1e6, 2);
  }

  /** Returns a phrase such as {@code 4 minutes}: whole units, rounded down. */
  private static String duration(OptionalLong milliseconds) {
    if (milliseconds.isEmpty()) {
      return "";
    }
    long seconds = milliseconds.getAsLong() / 1_000;
    for (DurationUnit unit : DurationUnit.values()) {
      long count = seconds / unit.seconds;
      if (count > 0) {
        return count + " " + unit.name().toLowerCase(Locale.ROOT) + (count == 1 ? "" : "s");
      }
    }
    return "now";
  }

  /** Units in descending order. */
  private enum DurationUnit {
    YEAR(31_104_000),
    MONTH(2_592_000),
    WEEK(604_800),
    DAY(86_400),
    HOUR(3_600),
    MINUTE(60),
    SECOND(1);

    private final long seconds;

    DurationUnit(long seconds) {
      this.seconds = seconds;
    }
  }
}
