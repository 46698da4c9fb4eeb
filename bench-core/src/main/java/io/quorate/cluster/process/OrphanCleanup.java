// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Cleans up after killed runs whose guard was killed as well. */
public final class OrphanCleanup {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(2);

  /** Directory of a matrix that contains {@code <cell>/<run>/<database>}. */
  private static final String CELLS = "cells";

  private OrphanCleanup() {}

  /**
   * Stops the servers and removes the data of runs that have ended. Runs that continue and runs of
   * other users are left alone. It follows no links and never fails.
   *
   * @param results directory with {@code <scenario>/<run>/<database>/data}; need not exist
   * @param console receives a line about everything that was removed or could not be removed
   */
  public static void tidy(Path results, Consumer<String> console) {
    databases(results).forEach(database -> tidyOne(database.resolve("data"), console));
  }

  /** Returns the directories of all databases of all runs, including matrices; follows no links. */
  public static List<Path> databases(Path results) {
    List<Path> runs = runs(results);
    return Stream.concat(
            runs.stream(), runs.stream().flatMap(run -> runs(run.resolve(CELLS)).stream()))
        .flatMap(run -> directories(run).stream())
        .toList();
  }

  private static List<Path> runs(Path results) {
    return directories(results).stream()
        .flatMap(scenario -> directories(scenario).stream())
        .toList();
  }

  private static void tidyOne(Path data, Consumer<String> console) {
    String shown = VisibleText.of(data.toString());
    try {
      OwnedDataDir marked = new OwnedDataDir(data);
      if (marked.state() == OwnedDataDir.State.ABANDONED) {
        marked.remove(STOP_LIMIT);
        console.accept("removed what a killed run had left: " + shown);
      } else if (marked.state() == OwnedDataDir.State.ELSEWHERE) {
        console.accept(
            "left alone, because it belongs to a run on another machine or in another "
                + "container: "
                + shown);
      }
    } catch (QuorateException impossible) {
      console.accept("cannot tidy up after a killed run: " + impossible.getMessage());
    }
  }

  private static List<Path> directories(Path parent) {
    try (Stream<Path> entries = Files.list(parent)) {
      return entries
          .filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .toList();
    } catch (IOException notThereOrNotOurs) {
      return List.of();
    }
  }
}
