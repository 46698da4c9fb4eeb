// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import io.quorate.FileAction;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Files that are written together below a directory. They are written only if all of them are
 * writable, each atomically, and none through a symbolic link. Files may be added by several
 * threads.
 */
public final class OutputFiles {
  private final Path root;
  private final Map<Path, byte[]> contents = new LinkedHashMap<>();

  /**
   * Creates an empty set of files below a root that exists or can be created; the root may be a
   * link.
   */
  public OutputFiles(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  public void add(Path file, String text) {
    add(file, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a file below the directory, which must not have been added before. */
  public synchronized void add(Path file, byte[] content) {
    Path target = root.resolve(file).normalize();
    if (!target.startsWith(root) || target.equals(root)) {
      throw new QuorateException(shown(target) + ": would be written outside of " + shown(root));
    }
    if (contents.putIfAbsent(target, content) != null) {
      throw new QuorateException(shown(target) + ": would be written twice, expected once");
    }
  }

  public synchronized boolean has(Path file) {
    return contents.containsKey(file);
  }

  /** Passes each file with its content, in the order in which they were added. */
  public synchronized void forEach(BiConsumer<Path, byte[]> action) {
    contents.forEach(action);
  }

  /** Returns the files that were added for a directory, not for those below it. */
  public synchronized List<Path> in(Path directory) {
    return contents.keySet().stream().filter(file -> directory.equals(file.getParent())).toList();
  }

  /** Writes all files, or none if one cannot be written; reports all reasons. */
  public synchronized void write() {
    List<String> problems = new ArrayList<>();
    Set<Path> directories = new LinkedHashSet<>();
    contents.keySet().forEach(file -> directories.addAll(above(file)));
    directories.forEach(directory -> problem(directory, true).ifPresent(problems::add));
    if (problems.isEmpty()) {
      contents.keySet().forEach(file -> problem(file, false).ifPresent(problems::add));
    }
    contents.keySet().stream()
        .filter(directories::contains)
        .forEach(file -> problems.add(shown(file) + ": would be a file and a directory"));
    QuorateException.throwIfAny(problems);
    make(root);
    Map<Path, Path> drafts = new LinkedHashMap<>();
    try {
      directories.forEach(OutputFiles::make);
      contents.forEach((file, content) -> drafts.put(file, AtomicFile.draft(file, content)));
      drafts.forEach((file, draft) -> AtomicFile.publish(draft, file));
    } finally {
      drafts.values().forEach(AtomicFile::discard);
    }
  }

  private Deque<Path> above(Path file) {
    Deque<Path> above = new ArrayDeque<>();
    for (Path at = parent(file); !at.equals(root); at = parent(at)) {
      above.addFirst(at);
    }
    return above;
  }

  private static Path parent(Path path) {
    return Objects.requireNonNull(path.getParent());
  }

  private static void make(Path directory) {
    FileAction.require(
        shown(directory) + ": cannot be made", () -> Files.createDirectories(directory));
  }

  private static Optional<String> problem(Path path, boolean directory) {
    String expected = directory ? "a directory" : "a file that can be replaced";
    try {
      BasicFileAttributes found =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      boolean right = directory ? found.isDirectory() : found.isRegularFile();
      return right
          ? Optional.empty()
          : Optional.of(
              "%s: found %s, expected %s: nothing was written"
                  .formatted(shown(path), kind(found), expected));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException impossible) {
      return Optional.of(
          "%s: cannot be written: %s: nothing was written"
              .formatted(VisibleText.line(path.toString()), FileFailure.reason(impossible)));
    }
  }

  private static String kind(BasicFileAttributes found) {
    if (found.isSymbolicLink()) {
      return "a symbolic link";
    }
    return found.isDirectory()
        ? "a directory"
        : found.isRegularFile() ? "a file" : "a special file";
  }

  private static String shown(Path path) {
    return VisibleText.of(path.toString());
  }
}
