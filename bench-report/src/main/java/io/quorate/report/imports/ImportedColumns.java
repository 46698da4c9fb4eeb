package io.quorate.report.imports;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.GoText;
import io.quorate.results.EtcdBenchmarkReport;
import io.quorate.results.ImportedRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the output of other tools, and names its columns of the result table. */
public final class ImportedColumns {
  private final Optional<String> name;

  /**
   * @param name heads the column; empty for the name of the file
   */
  public ImportedColumns(Optional<String> name) {
    this.name = name;
  }

  /**
   * The source of a column.
   *
   * @param report its number in the file, from 1
   */
  public record Source(Path file, int report) {}

  /**
   * Returns the columns of files by their names; it writes nothing.
   *
   * @throws QuorateException with all problems of all files
   */
  public Map<String, Source> of(List<Path> files) {
    if (name.isPresent() && files.size() > 1) {
      throw new QuorateException("--name: found " + files.size() + " files, expected one");
    }
    List<String> problems = new ArrayList<>();
    Map<String, Source> columns = new LinkedHashMap<>();
    for (Path file : files) {
      try {
        List<EtcdBenchmarkReport> reports = ImportedRun.reports(file);
        for (int i = 0; i < reports.size(); i++) {
          String tag = tag(file) + suffix(reports, i);
          if (columns.putIfAbsent(tag, new Source(file, i + 1)) != null) {
            problems.add(
                VisibleText.of(file.toString())
                    + (": found a second column '" + tag + "', expected another name:")
                    + " import it by itself, with --name");
          }
        }
      } catch (QuorateException unreadable) {
        problems.add(unreadable.getMessage());
      }
    }
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
    return columns;
  }

  private String tag(Path file) {
    String text = name.orElseGet(() -> file.getFileName().toString().replaceAll("\\.\\w+$", ""));
    String tag = text.replaceAll("[^A-Za-z0-9._-]+", "-").replaceFirst("^[.-]+", "");
    if (tag.isEmpty() || !tag.equals(name.orElse(tag)) || tag.length() > 100) {
      throw new QuorateException(
          GoText.quoted(text)
              + ": expected a --name of at most 100 letters, digits, '.', '_' and '-'");
    }
    return tag;
  }

  /** Returns a suffix that distinguishes the reports of a text: their part, or their number. */
  private static String suffix(List<EtcdBenchmarkReport> reports, int index) {
    long named = reports.stream().flatMap(each -> each.part().stream()).distinct().count();
    return named == reports.size()
        ? "-" + reports.get(index).part().orElseThrow()
        : reports.size() == 1 ? "" : "-" + (index + 1);
  }
}
