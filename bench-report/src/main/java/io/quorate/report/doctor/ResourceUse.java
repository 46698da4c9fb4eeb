// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static io.quorate.format.NumberFormats.fixed;
import static io.quorate.format.NumberFormats.wholePercent;

import io.quorate.report.figures.OtherProcess;
import io.quorate.results.hosts.HostSamples;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How much of a resource of a machine a step used: a row of a USE table (utilization, saturation,
 * errors), after Brendan Gregg's USE method.
 *
 * @param host machine or member
 * @param step number of the step, from 1
 * @param used part of the resource that was used, 0 to 1; NaN if its size is not known
 * @param utilizationText, saturationText, errors values as texts; {@code -} if not known
 * @param saturated whether it limits the load
 * @param note who used it, if that was somebody else; may be empty
 */
public record ResourceUse(
    String host,
    int step,
    Resource resource,
    double used,
    String utilizationText,
    String saturationText,
    String errors,
    boolean saturated,
    String note) {
  /** The resources of a machine, and the log of a member. */
  public enum Resource {
    CPU,
    MEMORY,
    DISK,
    NETWORK,
    /** The log of a member, which one thread writes: its utilization is the time of all fsyncs. */
    LOG,
    /** The database of a member: its utilization is the time of all commits. */
    DATABASE;

    public String words() {
      return switch (this) {
        case CPU -> "CPU";
        case MEMORY -> "memory";
        case DISK -> "disk";
        case NETWORK -> "network";
        case LOG -> "log (fsync)";
        case DATABASE -> "database (commit)";
      };
    }
  }

  private static final double FULL = 0.9;
  private static final double FULL_LOG = 0.6;

  /** Part of the time with waiting tasks that slows all requests. */
  private static final double WAITING = 0.5;

  private static final double OTHERS = 0.25;
  private static final double BYTES_PER_MB = 1e6;

  /**
   * Returns the rows of a machine in a step; none if it was not measured.
   *
   * @param programs programs outside of the run
   */
  static List<ResourceUse> ofMachine(
      String host, HostSamples rows, List<OtherProcess> programs, MeasuredStep step) {
    double cpus = step.last(rows, "CPUS");
    double cpu = step.cpu(host.equals(CheckInput.LOAD_GENERATOR), rows);
    double cpuWait = step.part(rows, "CPU-PRESSURE-MILLISECONDS");
    double steal = step.cpuPart(rows, "MACHINE-STEAL-MILLISECONDS");
    String stolen = Double.isNaN(steal) ? "-" : percent(steal) + " steal";
    String others = others(programs, step, cpus);
    double memory = 1 - step.last(rows, "MEMORY-AVAILABLE-BYTES") / step.last(rows, "MEMORY-BYTES");
    double memoryWait = step.part(rows, "MEMORY-PRESSURE-MILLISECONDS");
    String swapped = rounded(step.growth(rows, "SWAPPED-PAGES"), 0, " swapped pages");
    double disk = step.part(rows, "DISK-BUSY-MILLISECONDS");
    double diskWait = step.part(rows, "IO-PRESSURE-MILLISECONDS");
    double bytes = step.growth(rows, "RECEIVE-BYTES-NUM") + step.growth(rows, "TRANSMIT-BYTES-NUM");
    double speed = bytes / BYTES_PER_MB / (step.millis() / 1000);
    return Stream.of(
            of(host, step, Resource.CPU, cpu, cpuWait, stolen, cpu > FULL, others),
            of(host, step, Resource.MEMORY, memory, memoryWait, swapped, memoryWait > WAITING, ""),
            of(host, step, Resource.DISK, disk, diskWait, "-", disk > FULL, ""),
            new ResourceUse(
                host,
                step.number(),
                Resource.NETWORK,
                Double.NaN,
                rounded(speed, 1, " MB/s"),
                "-",
                rounded(step.growth(rows, "TCP-RETRANSMITS"), 0, " retransmits"),
                false,
                ""))
        .filter(ResourceUse::isKnown)
        .toList();
  }

  private static ResourceUse of(
      String host,
      MeasuredStep step,
      Resource resource,
      double used,
      double waiting,
      String errors,
      boolean saturated,
      String note) {
    return new ResourceUse(
        host,
        step.number(),
        resource,
        used,
        percent(used),
        percent(waiting),
        errors,
        saturated,
        note);
  }

  private static String rounded(double number, int decimals, String what) {
    return Double.isNaN(number) ? "-" : fixed(number, decimals) + what;
  }

  /**
   * Returns the row of the log, or the database, of a member; empty if it does not report its
   * times.
   *
   * @param millis time of all fsyncs, or commits, in the step
   */
  static List<ResourceUse> ofWrites(
      Resource resource, String member, OptionalDouble millis, MeasuredStep step) {
    if (millis.isEmpty()) {
      return List.of();
    }
    double used = millis.getAsDouble() / step.millis();
    return List.of(
        new ResourceUse(
            member, step.number(), resource, used, percent(used), "-", "-", used > FULL_LOG, ""));
  }

  /** Returns the resource as a phrase, such as {@code the CPU of etcd-1}. */
  public String name() {
    return "the %s of %s".formatted(resource.words(), host);
  }

  private boolean isKnown() {
    return !utilizationText.equals("-") || !saturationText.equals("-");
  }

  /** Returns the program outside of the run that used most CPU, if that was much. */
  private static String others(List<OtherProcess> others, MeasuredStep step, double cpus) {
    Map<String, Double> used = new TreeMap<>();
    for (OtherProcess each : others) {
      used.merge(each.name(), each.millisIn(step.startMillis(), step.endMillis()), Double::sum);
    }
    return used.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .filter(most -> most.getValue() > OTHERS * step.millis())
        .map(
            most ->
                "%s, which is not part of the run, used %s of %s CPUs"
                    .formatted(
                        most.getKey(), fixed(most.getValue() / step.millis(), 1), fixed(cpus, 0)))
        .orElse("");
  }

  private static String percent(double part) {
    return Double.isFinite(part) ? wholePercent(part) : "-";
  }
}
