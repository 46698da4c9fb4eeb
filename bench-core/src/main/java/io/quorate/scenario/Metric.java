// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.Named;
import io.quorate.format.NumberFormats;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A value of a run that comparisons, gates and histories use, in its unit. */
public enum Metric implements Named {
  /** Successes per second. */
  THROUGHPUT("throughput", "/s", true),
  P50("p50", "ms", false),
  P90("p90", "ms", false),
  P99("p99", "ms", false),
  P99_9("p99.9", "ms", false),
  MAX("max", "ms", false),
  /** Requests that failed or timed out. */
  ERRORS("errors", "", false),
  /** Requests that were due, but never sent, as too many were in flight. */
  DROPPED("dropped", "", false),
  /**
   * Longest time without an acknowledged write after a fault: median of its injections in a run.
   */
  OUTAGE("outage", "ms", false),
  /** CPU time of all members per success. */
  SERVER_CPU("server CPU", "us per request", false),
  /** The highest mean of the memory of the members. */
  SERVER_MEMORY("server memory", "MB", false),
  /** What all members wrote to their disks. */
  DISK_WRITTEN("disk writes", "MB", false),
  /** CPU time of the load generator per success. */
  GENERATOR_CPU("load generator CPU", "us per request", false),
  /** What all members wrote to their disks, by the bytes of acknowledged values. */
  WRITE_AMPLIFICATION("write amplification", "times", false),
  /** What members sent to each other, by the members' own counters, per success. */
  MEMBER_TRAFFIC("member traffic", "B per request", false),
  /** What members and clients sent to other zones, by the relay's counts, per success. */
  ZONE_TRAFFIC("traffic across zones", "B per request", false),
  /** Mean memory of a member after the load, by the number of keys. */
  MEMORY_PER_KEY("memory per key", "B", false),
  /** Mean size of a member's data directory after the load. */
  DATA_ON_DISK("data on disk", "MB", false),
  /** Price of the time of a million successes; only with a price per hour. */
  PRICE("price", "per million", false),
  /** Puts per second into an in-memory map, before and after a series of runs. */
  CANARY_LOAD("canary load", "/s", true),
  /** Time of an fdatasync of the load generator's machine, before and after a series. */
  CANARY_SYNC("canary fsync", "ms", false),
  /** Time of a loop that only uses a CPU, before and after a series. */
  CANARY_LOOP("canary loop", "ms", false);

  private static final String PER = "per ";

  private final String title;
  private final String unit;
  private final boolean higherIsBetter;

  Metric(String title, String unit, boolean higherIsBetter) {
    this.title = title;
    this.unit = unit;
    this.higherIsBetter = higherIsBetter;
  }

  /** Returns the id in gates and files: {@code p99.9}, {@code server-cpu}. */
  @Override
  public String id() {
    return title.toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  public String title() {
    return title;
  }

  /** Returns the unit; empty for a count. */
  public String unit() {
    return unit;
  }

  public boolean isHigherBetter() {
    return higherIsBetter;
  }

  /** Returns the title with the unit, as a heading: {@code p99 (ms)}. */
  public String heading() {
    return isCount() ? title : title + " (" + unit.replaceFirst("^/s$", "requests/s") + ")";
  }

  /** Returns the title with what it is counted by: {@code server CPU per request}. */
  public String wholeTitle() {
    int per = unit.indexOf(PER);
    return per < 0 ? title : title + " " + unit.substring(per);
  }

  /** Returns a value with its unit: {@code 5.10 ms}, {@code 1,200/s}, {@code 12}. */
  public String text(double value) {
    int per = unit.indexOf(PER);
    String plain = (per < 0 ? unit : unit.substring(0, per)).strip();
    return number(value) + (plain.isEmpty() || plain.equals("/s") ? plain : " " + plain);
  }

  /** Returns a value of 0 or more without its unit. */
  public String number(double value) {
    return isTime() || value < 100 && !isCount()
        ? NumberFormats.fixed(value, value < 0.1 ? 4 : value < 1 ? 3 : value < 100 ? 2 : 1)
        : NumberFormats.commas(Math.round(value));
  }

  /** Returns whether it is a number of requests, whose changes are differences, not ratios. */
  public boolean isCount() {
    return unit.isEmpty();
  }

  public boolean isTime() {
    return unit.equals("ms");
  }

  /** Returns whether it is a value of machines over the whole run, not of requests. */
  public boolean isOfMachines() {
    return compareTo(SERVER_CPU) >= 0;
  }

  /** Returns whether it follows from other values, so that it decides nothing unless asked for. */
  public boolean isDerived() {
    return compareTo(WRITE_AMPLIFICATION) >= 0;
  }

  public static Optional<Metric> of(String id) {
    return Arrays.stream(values()).filter(each -> each.id().equals(id)).findFirst();
  }

  static List<String> ids() {
    return Arrays.stream(values()).map(Metric::id).toList();
  }
}
