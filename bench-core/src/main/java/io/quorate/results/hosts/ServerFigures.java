package io.quorate.results.hosts;

import io.quorate.format.CsvTable;
import io.quorate.results.DatabaseDirectory;
import io.quorate.store.server.Figure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/** The last value of a figure that each member told of itself, by the number of the member. */
public record ServerFigures(SortedMap<Integer, Double> last) {
  private static final String FILE = "server-internals.csv";
  private static final int MEMBER = 1;
  private static final int METRIC = 2;
  private static final int VALUE = 3;

  /**
   * Reads the values of a figure; none if there is no file.
   *
   * @throws io.quorate.QuorateException with file, line, what was found and what was expected
   */
  public static ServerFigures read(DatabaseDirectory directory, String figure) {
    SortedMap<Integer, Double> last = new TreeMap<>();
    Path file = directory.path().resolve(FILE);
    if (Files.exists(file)) {
      for (CsvTable.Row row : CsvTable.read(file, "UNIX-SECOND", "MEMBER", "METRIC", "VALUE")) {
        if (row.text(METRIC).equals(figure)) {
          OptionalDouble value = Figure.parse(row.text(VALUE));
          value.ifPresent(each -> last.put((int) row.integer(MEMBER), each));
        }
      }
    }
    return new ServerFigures(last);
  }
}
