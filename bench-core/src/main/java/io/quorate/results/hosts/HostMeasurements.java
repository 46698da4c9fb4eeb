// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.hosts;

import io.quorate.QuorateException;
import io.quorate.results.DatabaseDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What was measured of the machines of a database's run, each file read once, when it is first
 * needed. For one thread. Each method throws a {@link QuorateException} with file, line, what was
 * found and what was expected if its file cannot be read.
 */
public final class HostMeasurements {
  private final HostFiles files;
  private final Consumer<Path> check;
  private final Map<Path, HostSamples> samples = new HashMap<>();
  private Optional<MemberSeries> reported = Optional.empty();

  public HostMeasurements(DatabaseDirectory directory) {
    this(directory, file -> {});
  }

  /**
   * @param check throws a {@link QuorateException} about a file that must not be read
   */
  public HostMeasurements(DatabaseDirectory directory, Consumer<Path> check) {
    this.files = new HostFiles(directory);
    this.check = check;
  }

  public HostFiles files() {
    return files;
  }

  /** Returns the rows of the load generator's machine; none if it was not measured. */
  public HostSamples client() {
    return samples(files.client());
  }

  /** Returns the rows of each member that was measured, by its number from 1. */
  public SortedMap<Integer, HostSamples> servers() {
    SortedMap<Integer, HostSamples> servers = new TreeMap<>();
    files.servers().forEach((member, file) -> servers.put(member, samples(file)));
    return servers;
  }

  private HostSamples samples(Path file) {
    return samples.computeIfAbsent(file, any -> HostSamples.read(checked(file)));
  }

  private Path checked(Path file) {
    check.accept(file);
    return file;
  }

  /** Returns what the members reported about themselves. */
  public MemberSeries reported() {
    if (reported.isEmpty()) {
      reported = Optional.of(MemberSeries.read(checked(files.internals())));
    }
    return reported.get();
  }

  /**
   * Returns the levels of a machine during the steps; empty if it was not measured at their ends.
   *
   * @param raw file of its measured rows
   * @param required numeric columns of the file, and of that with the rows of steps
   * @param optional numeric columns whose levels are NaN in files without them
   */
  public Optional<HostTimeline> timeline(Path raw, List<String> required, List<String> optional) {
    check.accept(HostFiles.steps(raw));
    return HostTimeline.of(raw, required, optional, () -> samples(raw));
  }

  /** Returns the steps of a machine; none if it was not measured at their ends. */
  public List<HostTimeline.Step> steps(Path raw, List<String> columns) {
    check.accept(HostFiles.steps(raw));
    return HostTimeline.of(raw, columns, List.of(), () -> HostSamples.NONE)
        .map(HostTimeline::steps)
        .orElse(List.of());
  }

  /** Returns the size of each member's data in bytes, in the order of the file; empty without. */
  public Optional<List<Long>> diskBytes() {
    return Files.exists(checked(files.diskUsage()))
        ? Optional.of(HostFiles.diskBytes(files.diskUsage()))
        : Optional.empty();
  }
}
