// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.compare.RunValues;
import io.quorate.report.compare.Series;
import io.quorate.report.compare.Side;
import io.quorate.report.history.HistoryEntry.Identity;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.Errata;
import io.quorate.results.MatrixDirectory;
import io.quorate.results.OpenRuns;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Adds runs to a history, each once. */
final class HistoryUpdate {
  private static final int MAX_DEPTH = 3;

  private final HistoryStore store;
  private final OpenRuns runs;
  private final Optional<String> commit;
  private final Optional<String> build;
  private final Map<Identity, HistoryEntry> known = new LinkedHashMap<>();
  private final Map<Path, RunOrigin> origins = new HashMap<>();
  private final List<HistoryEntry> fresh = new ArrayList<>();
  private final Set<String> again = new LinkedHashSet<>();
  private final Set<String> different = new LinkedHashSet<>();
  private final List<String> notes = new ArrayList<>();

  /** Creates an update that names the commit and the build of all added runs. */
  HistoryUpdate(
      HistoryStore store, OpenRuns runs, Optional<String> commit, Optional<String> build) {
    this.store = store;
    this.runs = runs;
    this.commit = commit;
    this.build = build;
    store.read().entries().forEach(each -> known.put(each.identity(), each));
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
    for (Path found : found(store.directory(), 1)) {
      Optional<String> withdrawn = Errata.withdrawal(found);
      if (withdrawn.isPresent()) {
        notes.add("left out: " + withdrawn.get());
        continue;
      }
      attempt(() -> runs(runs.files(found)).forEach(run -> attempt(() -> readUnknown(run))));
    }
    append();
    return notes;
  }

  private void attempt(Runnable addition) {
    try {
      addition.run();
    } catch (QuorateException wrong) {
      notes.add("left out: " + runs.named(wrong.getMessage()));
    }
  }

  private static List<Path> found(Path directory, int depth) {
    if (OpenRuns.isRun(directory)) {
      return List.of(directory);
    }
    if (depth >= MAX_DEPTH) {
      return List.of();
    }
    return DatabaseDirectory.directories(directory).stream()
        .flatMap(entry -> found(entry, depth + 1).stream())
        .toList();
  }

  /** Returns the last run of each repeat of a matrix, or the run. */
  private static List<Path> runs(Path found) {
    if (!MatrixDirectory.isAt(found)) {
      return List.of(found);
    }
    return new MatrixDirectory(found)
        .lastRuns().stream()
            .flatMap(each -> each.last().stream())
            .filter(run -> !run.databases().isEmpty())
            .map(RunDirectory::path)
            .toList();
  }

  /** Reads a run, unless its manifests show that the history has its complete databases. */
  private void readUnknown(Path run) {
    RunOrigin origin = origin(run);
    List<Manifest> complete =
        RunOrigin.manifests(RunDirectory.open(run)).stream()
            .filter(each -> each.status() == RunStatus.COMPLETE)
            .toList();
    if (complete.isEmpty()
        || !complete.stream().map(origin::identity).allMatch(known::containsKey)) {
      read(run.toString());
    }
  }

  private RunOrigin origin(Path run) {
    return origins.computeIfAbsent(run, RunOrigin::of);
  }

  private void read(String argument) {
    Side side = Side.read(argument, runs);
    side.leftOut().forEach(each -> notes.add("left out: " + each.text()));
    for (Series series : side.series()) {
      for (RunValues values : series.runs()) {
        Optional<String> why = values.disqualification();
        if (why.isPresent()) {
          notes.add(
              "left out: %s says nothing: %s"
                  .formatted(VisibleText.of(runs.named(values.directory().toString())), why.get()));
          continue;
        }
        add(
            HistoryEntry.of(
                origin(Objects.requireNonNull(values.directory().getParent())),
                values,
                commit,
                build));
      }
    }
  }

  private void add(HistoryEntry entry) {
    HistoryEntry other = known.putIfAbsent(entry.identity(), entry);
    if (other == null) {
      fresh.add(entry);
    } else if (other.values().equals(entry.values())) {
      again.add(entry.run());
    } else {
      different.add(entry.run());
    }
  }

  private void append() {
    if (!fresh.isEmpty()) {
      store.append(fresh);
      long count = fresh.stream().map(HistoryEntry::runKey).distinct().count();
      notes.add(
          "added %s to %s"
              .formatted(
                  NumberFormats.count(count, "run"), VisibleText.of(store.file().toString())));
    }
    fresh.forEach(each -> again.remove(each.run()));
    note(again, "already in the history");
    note(different, "in the history with other values, which are kept");
  }

  private void note(Set<String> runs, String state) {
    if (!runs.isEmpty()) {
      notes.add(
          runs.size() == 1
              ? "%s is %s".formatted(VisibleText.of(runs.iterator().next()), state)
              : "%s are %s".formatted(NumberFormats.count(runs.size(), "run"), state));
    }
  }
}
