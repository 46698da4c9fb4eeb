package io.quorate.report.history;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.compare.RunValues;
import io.quorate.report.compare.Series;
import io.quorate.report.compare.Side;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Adds runs to a history, each once. */
final class HistoryUpdate {
  private static final int MAX_DEPTH = 3;

  private final HistoryStore store;
  private final Optional<String> commit;
  private final Optional<String> build;
  private final Set<String> keys;
  private final Set<String> runs;
  private final List<HistoryEntry> fresh = new ArrayList<>();
  private final List<String> again = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /** Creates an update that names the commit and the build of all added runs. */
  HistoryUpdate(HistoryStore store, Optional<String> commit, Optional<String> build) {
    this.store = store;
    this.commit = commit;
    this.build = build;
    List<HistoryEntry> known = store.read().entries();
    this.keys = known.stream().map(HistoryEntry::key).collect(Collectors.toSet());
    this.runs =
        known.stream().map(HistoryEntry::run).collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Adds these runs, or directories with runs.
   *
   * @return sentences about what was added and what was not
   */
  List<String> add(List<String> arguments) {
    arguments.forEach(this::read);
    append();
    return notes;
  }

  /**
   * Adds the complete runs below the directory of the history that it does not have.
   *
   * @return sentences about what was added and what was not
   */
  List<String> addFound() {
    for (Path run : found(store.directory(), 1)) {
      try {
        if (!isKnown(run)) {
          read(run.toString());
        }
      } catch (QuorateException wrong) {
        notes.add("left out: " + wrong.getMessage());
      }
    }
    append();
    return notes;
  }

  private static List<Path> found(Path directory, int depth) {
    if (MatrixDirectory.isAt(directory) || !RunDirectory.open(directory).databases().isEmpty()) {
      return List.of(directory);
    }
    if (depth >= MAX_DEPTH) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries
          .filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .flatMap(entry -> found(entry, depth + 1).stream())
          .toList();
    } catch (IOException impossible) {
      throw FileFailure.unreadable(directory, impossible);
    }
  }

  /** Returns whether the history has the run, from its name only. */
  private boolean isKnown(Path run) {
    if (MatrixDirectory.isAt(run)) {
      String id = new MatrixDirectory(run).readManifest().name() + "/" + run.getFileName() + "/";
      return runs.stream().anyMatch(each -> each.startsWith(id));
    }
    DatabaseDirectory first = RunDirectory.open(run).databases().get(0);
    return runs.contains(
        Manifest.read(first.manifest()).scenario().name() + "/" + run.getFileName());
  }

  private void read(String argument) {
    Side side = Side.read(argument);
    side.leftOut().forEach(each -> notes.add("left out: " + each.text()));
    for (Series series : side.series()) {
      for (RunValues values : series.runs()) {
        HistoryEntry entry = HistoryEntry.of(series.key(), values, commit, build);
        if (keys.add(entry.key())) {
          fresh.add(entry);
        } else {
          again.add(entry.run());
        }
      }
    }
  }

  private void append() {
    if (!fresh.isEmpty()) {
      store.append(fresh);
      long count = fresh.stream().map(HistoryEntry::run).distinct().count();
      notes.add(
          "added %s to %s"
              .formatted(
                  NumberFormats.count(count, "run"), VisibleText.of(store.file().toString())));
    }
    List<String> known = again.stream().distinct().toList();
    if (!known.isEmpty()) {
      notes.add(
          known.size() == 1
              ? VisibleText.of(known.get(0)) + " is already in the history"
              : NumberFormats.count(known.size(), "run") + " are already in the history");
    }
  }
}
