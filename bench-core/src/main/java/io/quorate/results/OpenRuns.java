// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import io.quorate.FileAction;
import io.quorate.QuorateException;
import io.quorate.install.TemporaryDirectory;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The runs and matrices that a command reads. A published one is in an archive, which is unpacked
 * into a temporary directory until the command ends. For one thread.
 */
public final class OpenRuns {
  private final Map<Path, Path> unpacked = new LinkedHashMap<>();
  private Optional<TemporaryDirectory> temporary = Optional.empty();

  private OpenRuns() {}

  /**
   * Returns the result of an action with runs, and removes what was unpacked for it.
   *
   * @throws QuorateException of the action; its message names the archive instead of the temporary
   *     directory
   */
  public static <T> T with(Function<OpenRuns, T> action) {
    OpenRuns runs = new OpenRuns();
    try {
      return action.apply(runs);
    } catch (QuorateException problem) {
      throw runs.unpacked.isEmpty()
          ? problem
          : new QuorateException(runs.named(problem.getMessage()), problem);
    } finally {
      runs.temporary.ifPresent(TemporaryDirectory::close);
    }
  }

  /** Returns whether a directory contains a published run or matrix. */
  public static boolean isPublished(Path directory) {
    return Files.isRegularFile(directory.resolve(RunArchive.NAME), LinkOption.NOFOLLOW_LINKS);
  }

  /** Returns whether a directory is that of a run with databases, or of a matrix. */
  public static boolean isRun(Path directory) {
    return isPublished(directory)
        || MatrixDirectory.isAt(directory)
        || !RunDirectory.open(directory).databases().isEmpty();
  }

  /**
   * Returns the directory with the files of a run or a matrix: its own or, if it is published, one
   * that exists until the action ends.
   *
   * @throws QuorateException if the archive is damaged, too large or hostile
   */
  public Path files(Path directory) {
    Path known = unpacked.get(key(directory));
    if (known != null) {
      return known;
    }
    return isPublished(directory)
        ? unpack(RunArchive.read(directory.resolve(RunArchive.NAME)), directory)
        : directory;
  }

  /**
   * Unpacks an archive.
   *
   * @param published directory in which it is published, or will be
   * @return see {@link #files}
   */
  public Path unpack(RunArchive archive, Path published) {
    if (temporary.isEmpty()) {
      temporary = Optional.of(TemporaryDirectory.create());
    }
    Path parent =
        temporary
            .get()
            .path()
            .resolve("" + unpacked.size())
            .resolve(String.valueOf(published.getFileName()));
    return FileAction.require(
        published + ": cannot be unpacked",
        () -> {
          Path files = archive.unpack(Files.createDirectories(parent)).toAbsolutePath().normalize();
          unpacked.put(key(published), files);
          return files;
        });
  }

  private static Path key(Path directory) {
    return directory.toAbsolutePath().normalize();
  }

  /** Returns a text with the paths of archives instead of those of their unpacked files. */
  public String named(String text) {
    String named = text;
    for (Map.Entry<Path, Path> each : unpacked.entrySet()) {
      named =
          named.replace(
              each.getValue().toString(), each.getKey().resolve(RunArchive.NAME).toString());
    }
    return named;
  }
}
