package io.quorate.host;

import io.quorate.format.CsvText;
import io.quorate.results.hosts.StepBoundary;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes the file with the rows of one target at both ends of each measured step: levels only, so
 * that the work of a step is the row of its end minus that of its beginning. Not for several
 * threads.
 */
final class StepRows {
  private static final List<HostMetric> COLUMNS = HostMetric.measured();

  private final Path path;
  private CpuUse cpu = new CpuUse();
  private Writer file;

  StepRows(Path path) {
    this.path = path;
  }

  /** Returns the CPU use of the step that ends; at a beginning, one without a reading. */
  CpuUse cpu(StepBoundary boundary) {
    if (boundary == StepBoundary.BEGIN) {
      cpu = new CpuUse();
    }
    return cpu;
  }

  /** Adds a row; the first one creates the file, replacing an existing one. */
  void add(int step, StepBoundary boundary, Reading reading) throws IOException {
    if (file == null) {
      file = Files.newBufferedWriter(path, StandardCharsets.UTF_8);
      write(Stream.of("STEP", "BOUNDARY"), HostMetric.header(COLUMNS));
    }
    write(
        Stream.of(Integer.toString(step), boundary.label()),
        MetricRow.of(reading, Optional.empty()).cells(COLUMNS));
  }

  private void write(Stream<String> first, String... others) throws IOException {
    String[] cells = Stream.concat(first, Stream.of(others)).toArray(String[]::new);
    file.write(new CsvText().row(cells).toString());
    file.flush();
  }

  void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
