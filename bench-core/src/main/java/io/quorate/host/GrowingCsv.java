// SPDX-License-Identifier: Apache-2.0
package io.quorate.host;

import io.quorate.FileFailure;
import io.quorate.format.CsvText;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file of rows that grows during a run; all that is written survives a kill. If writing fails, it
 * adds a remark and writes nothing more. Safe for several threads.
 */
final class GrowingCsv implements AutoCloseable {
  private final Path path;
  private final SamplingWarnings remarks;

  /** Null when nothing more is written. */
  private @Nullable Writer file;

  /** Creates the file, replacing an existing one. */
  GrowingCsv(Path path, SamplingWarnings remarks, String... header) {
    this.path = path;
    this.remarks = remarks;
    try {
      file = Files.newBufferedWriter(path, StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      remark(impossible);
    }
    write(new CsvText().row(header));
  }

  synchronized boolean isOpen() {
    return file != null;
  }

  synchronized void write(CsvText rows) {
    if (file == null) {
      return;
    }
    try {
      file.write(rows.toString());
      file.flush();
    } catch (IOException impossible) {
      remark(impossible);
      close();
    }
  }

  private void remark(IOException impossible) {
    remarks.add(path + ": cannot be written: " + FileFailure.reason(impossible));
  }

  @Override
  public synchronized void close() {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException impossible) {
      remark(impossible);
    } finally {
      file = null;
    }
  }
}
