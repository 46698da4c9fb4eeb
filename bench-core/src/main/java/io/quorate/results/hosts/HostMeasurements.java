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
import java.util.stream.Stream;

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
    return stepRows(raw).map(steps -> HostTimeline.of(steps, required, optional, samples(raw)));
  }

  private Optional<HostSamples> stepRows(Path raw) {
    return Optional.of(samples(HostFiles.steps(raw))).filter(rows -> rows != HostSamples.NONE);
  }

  /** Returns the steps of a machine; none if it was not measured at their ends. */
  public List<HostTimeline.Step> steps(Path raw, List<String> columns) {
    return stepRows(raw)
        .map(steps -> HostTimeline.of(steps, columns, List.of(), HostSamples.NONE).steps())
        .orElse(List.of());
  }

  /** Returns the names of truncated files among those that were read. */
  public List<String> truncated() {
    return Stream.concat(
            samples.entrySet().stream()
                .filter(each -> each.getValue().isTruncated())
                .map(Map.Entry::getKey),
            reported.stream().filter(MemberSeries::isTruncated).map(any -> files.internals()))
        .map(file -> file.getFileName().toString())
        .sorted()
        .toList();
  }

  /** Returns the size of each member's data in bytes, in the order of the file; empty without. */
  public Optional<List<Long>> diskBytes() {
    return Files.exists(checked(files.diskUsage()))
        ? Optional.of(HostFiles.diskBytes(files.diskUsage()))
        : Optional.empty();
  }
}
