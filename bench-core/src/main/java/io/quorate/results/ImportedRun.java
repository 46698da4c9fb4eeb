// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.format.AtomicFile;
import io.quorate.format.StrictJson;
import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.format.TextFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A run of another tool, known only from its output: {@code imported.json} and the text itself, in
 * a directory next to the directories of databases. It is a column of the table, without seconds,
 * manifest or machine.
 *
 * @param directory absolute directory
 * @param tag heading of the column and name of the directory
 * @param title title of the whole run, if the user gave one
 * @param source the name of the file that was imported
 */
public record ImportedRun(
    Path directory, String tag, Optional<String> title, String source, EtcdBenchmarkReport report) {
  /** Name of the tool that printed the text. */
  public static final String ORIGIN = "etcd-benchmark";

  private static final long MAX_BYTES = 64L << 20;
  private static final String NOTE = "imported.json";
  private static final String TEXT = "etcd-benchmark.txt";

  /**
   * The content of {@code imported.json}.
   *
   * @param report its number in the text, from 1
   */
  @FormatVersion(1)
  record Note(String origin, String tag, Optional<String> title, String source, int report) {
    Note {
      if (!origin.equals(ORIGIN) || report < 1) {
        throw new IllegalArgumentException("expected origin " + ORIGIN + " and a report from 1");
      }
    }
  }

  /**
   * Reads the reports of a text that etcd's benchmark printed.
   *
   * @throws QuorateException with {@code file:line}, what was found and what was expected
   */
  public static List<EtcdBenchmarkReport> reports(Path file) {
    return EtcdBenchmarkReport.EtcdBenchmarkText.reports(file, text(file));
  }

  private static String text(Path file) {
    return TextFile.readForeign(file, MAX_BYTES, "an output of etcd's benchmark");
  }

  /**
   * Adds a report of a text to the databases of a run.
   *
   * @param tag tag that is valid as the name of a directory
   * @param file the whole text, which is copied
   * @param report its number in the text, from 1
   * @throws QuorateException if that name already exists
   */
  public static ImportedRun write(
      RunDirectory run, String tag, Optional<String> title, Path file, int report) {
    Path directory = run.path().resolve(tag);
    String source = file.getFileName().toString();
    Note note = new Note(ORIGIN, tag, title, source, report);
    String text = text(file);
    FileAction.require(
        directory + ": cannot be made",
        () -> {
          Files.createDirectories(run.path());
          Files.createDirectory(directory);
        });
    AtomicFile.write(directory.resolve(TEXT), text);
    AtomicFile.write(directory.resolve(NOTE), StrictJson.text(note));
    return read(directory);
  }

  static boolean isIn(Path directory) {
    return Files.exists(directory.resolve(NOTE));
  }

  static ImportedRun read(Path directory) {
    Path file = directory.resolve(NOTE);
    Note note = StrictJson.read(file, Note.class);
    if (!note.tag.equals(directory.getFileName().toString())) {
      throw new QuorateException(file + ": tag: expected the name of its directory");
    }
    List<EtcdBenchmarkReport> reports = reports(directory.resolve(TEXT));
    if (note.report > reports.size()) {
      throw new QuorateException(
          "%s: report: found %d, expected 1 to %d".formatted(file, note.report, reports.size()));
    }
    return new ImportedRun(
        directory.toAbsolutePath().normalize(),
        note.tag,
        note.title,
        note.source,
        reports.get(note.report - 1));
  }
}
