package io.quorate.report;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.run.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A directory into which files are written again and again. It remembers which of its files were
 * written so, and replaces no others, nor anything outside of it.
 */
final class OutputDirectory {
  /** A line for each file that was written by us. */
  private static final String LIST = ".quorate-report";

  private final Path root;
  private final boolean force;

  /**
   * @param force to replace also what we have not written
   */
  OutputDirectory(Path root, boolean force) {
    this.root = root.toAbsolutePath().normalize();
    this.force = force;
  }

  /**
   * Writes all files, or none if one of them must not be written.
   *
   * @param files contents by the path in the directory
   * @param inputs files that are never replaced
   */
  void write(Map<Path, byte[]> files, Set<Path> inputs) {
    try {
      Set<String> ours = ours();
      for (Map.Entry<Path, byte[]> file : files.entrySet()) {
        check(file.getKey(), file.getValue(), ours, inputs);
      }
      Files.createDirectories(root);
      files.keySet().forEach(file -> ours.add(file.toString()));
      AtomicFile.write(root.resolve(LIST), String.join("\n", ours) + "\n");
      for (Map.Entry<Path, byte[]> file : files.entrySet()) {
        Path target = root.resolve(file.getKey());
        Files.createDirectories(target.getParent());
        AtomicFile.write(target, file.getValue());
      }
    } catch (IOException impossible) {
      throw new QuorateException(DiskSpace.unwritable(root, impossible), impossible);
    }
  }

  private Set<String> ours() throws IOException {
    Path list = root.resolve(LIST);
    return Files.exists(list) ? new TreeSet<>(Files.readAllLines(list)) : new TreeSet<>();
  }

  private void check(Path file, byte[] content, Set<String> ours, Set<Path> inputs)
      throws IOException {
    Path target = root.resolve(file).normalize();
    if (!target.startsWith(root) || !isBelowRoot(target.getParent())) {
      throw new QuorateException(target + ": would be written outside of " + root);
    }
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (inputs.contains(target) || Files.isDirectory(target)) {
      throw new QuorateException(
          target + ": is an input or a directory, and never replaced: choose another --output");
    }
    boolean replaceable = force || ours.contains(file.toString()) || isSame(target, content);
    if (!replaceable) {
      throw new QuorateException(
          target
              + ": is there and was not made by this command: choose another --output,"
              + " or replace it with --force");
    }
  }

  /** Whether no link on the way leads out of the directory. */
  private boolean isBelowRoot(Path directory) throws IOException {
    Path existing = directory;
    while (!Files.exists(existing) && existing.startsWith(root)) {
      existing = existing.getParent();
    }
    return !existing.startsWith(root) || existing.toRealPath().startsWith(root.toRealPath());
  }

  private static boolean isSame(Path target, byte[] content) throws IOException {
    return Files.isRegularFile(target) && Arrays.equals(Files.readAllBytes(target), content);
  }
}
