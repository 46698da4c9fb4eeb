// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.capacity;

import io.quorate.QuorateException;
import io.quorate.capacity.SearchResult;
import io.quorate.capacity.Trial;
import io.quorate.format.StrictJson;
import io.quorate.results.DatabaseDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The file {@code trials.jsonl}. Each search has a line for its task, one for each trial, written
 * at its end, and one for the conclusion. Lines for the trials of the curve and the recovery from
 * an overload follow. So an interrupted search can continue after the last recorded trial.
 */
public record TrialsJournal(Path file) {
  /** A line: exactly one of these. */
  record Line(
      Optional<SearchRecord.Header> search,
      Optional<TrialRow> trial,
      Optional<SearchResult> conclusion,
      Optional<OverloadRecovery> recovery) {
    Line {
      if (Stream.of(search, trial, conclusion, recovery).filter(Optional::isPresent).count() != 1) {
        throw new IllegalArgumentException("expected search, trial, conclusion or recovery");
      }
    }
  }

  public static Path file(DatabaseDirectory directory) {
    return directory.path().resolve("trials.jsonl");
  }

  /**
   * Begins a journal, or adds another search to it. All writing methods throw a {@link
   * QuorateException} if writing fails.
   */
  public static TrialsJournal begin(DatabaseDirectory directory, SearchRecord.Header header) {
    TrialsJournal journal = new TrialsJournal(file(directory));
    journal.append(
        new Line(Optional.of(header), Optional.empty(), Optional.empty(), Optional.empty()));
    return journal;
  }

  public void add(TrialRow row) {
    append(new Line(Optional.empty(), Optional.of(row), Optional.empty(), Optional.empty()));
  }

  /** Adds the recovery from an overload. */
  public void add(OverloadRecovery recovery) {
    append(new Line(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(recovery)));
  }

  /** Adds the conclusion of the search. */
  public void add(SearchResult conclusion) {
    append(new Line(Optional.empty(), Optional.empty(), Optional.of(conclusion), Optional.empty()));
  }

  private void append(Line line) {
    StrictJson.append(file, List.of(line));
  }

  /**
   * Reads the searches of a database. An incomplete last line is left out, as the load generator
   * may have been killed while it wrote it.
   *
   * @return the searches; empty if there is no such file
   * @throws QuorateException with file, line and column of the first line that is wrong
   */
  public static List<SearchRecord> read(DatabaseDirectory directory) {
    List<SearchRecord> searches = new ArrayList<>();
    List<Line> lines = StrictJson.readLines(file(directory), Line.class);
    for (Line line : lines) {
      if (line.search().isPresent()) {
        searches.add(
            new SearchRecord(
                line.search().get(), List.of(), Optional.empty(), List.of(), Optional.empty()));
      } else if (searches.isEmpty()) {
        throw new QuorateException(
            file(directory) + ":1: found another line, expected one with search");
      } else {
        searches.add(with(searches.remove(searches.size() - 1), line));
      }
    }
    return searches;
  }

  private static SearchRecord with(SearchRecord search, Line line) {
    List<TrialRow> trials = new ArrayList<>(search.trials());
    List<TrialRow> curve = new ArrayList<>(search.curve());
    line.trial().ifPresent(row -> (row.stage() == Trial.Stage.CURVE ? curve : trials).add(row));
    return new SearchRecord(
        search.header(),
        trials,
        line.conclusion().or(search::conclusion),
        curve,
        line.recovery().or(search::recovery));
  }
}
