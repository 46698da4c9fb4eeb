package io.quorate.report.dbtester;

import io.quorate.QuorateException;
import io.quorate.report.figures.Frame;
import io.quorate.report.plot.PlotCsvFiles;
import io.quorate.report.plot.draw.DatabaseSeries;
import java.util.List;
import java.util.SortedSet;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Writes the CSV files with the data of the plots by the reference's rules. */
final class DbtesterPlotFiles extends PlotCsvFiles {
  private final List<DatabaseSeries> databases;
  private final boolean asPublished;

  /**
   * @param directory in which they are, as the configuration says
   * @param output is given each file by its path
   */
  DbtesterPlotFiles(
      String directory,
      List<DatabaseSeries> databases,
      boolean asPublished,
      BiConsumer<String, String> output) {
    super(directory, databases, output);
    this.databases = List.copyOf(databases);
    this.asPublished = asPublished;
  }

  /** Returns true: a column without values is written, too. */
  @Override
  protected boolean isKnown(String column) {
    return true;
  }

  /** Returns true: a file without rows is written, too. */
  @Override
  protected boolean isKnown(Function<DatabaseSeries, Frame> frame) {
    return true;
  }

  /**
   * Returns the numbers of clients.
   *
   * @throws QuorateException unless every database has the same
   */
  @Override
  protected SortedSet<Long> clientNumbers() {
    SortedSet<Long> expected = clientNumbers(databases.get(0));
    for (DatabaseSeries database : databases) {
      SortedSet<Long> found = clientNumbers(database);
      if (!found.equals(expected)) {
        throw new QuorateException(
            "%s: all keys must be %s, got %s: every database needs the same numbers of clients"
                .formatted(
                    database.id(),
                    expected.toString().replace(",", ""),
                    found.toString().replace(",", "")));
      }
    }
    return expected;
  }

  /** Returns the mean; as published it is none: each second counts as much as all before it. */
  @Override
  protected double mean(DatabaseSeries database, String column, long clients) {
    if (!asPublished) {
      return super.mean(database, column, clients);
    }
    double[] values = database.seconds().numbers(column);
    double halved = Double.NaN;
    for (int i = 0; i < values.length; i++) {
      if (database.clients().get(i).clients() == clients) {
        double value = Double.isNaN(values[i]) ? 0 : values[i];
        halved = Double.isNaN(halved) ? value : (halved + value) / 2;
      }
    }
    return halved;
  }
}
