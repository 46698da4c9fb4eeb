package io.quorate.report.dbtester;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.format.OutputFiles;
import io.quorate.format.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A directory of generated files that may be written repeatedly. It remembers which of its files
 * were written so, and replaces no others, nor anything outside of it.
 */
public final class OutputDirectory {
  /** Name of the file with a line for each file that was written by us. */
  private static final String LIST = ".quorate-report";

  private static final long MAX_LIST = 1 << 20;

  private final Path root;
  private final boolean force;

  /**
   * @param force to replace also what we have not written
   */
  public OutputDirectory(Path root, boolean force) {
    this.root = root.toAbsolutePath().normalize();
    this.force = force;
  }

  /**
   * Writes all files, or none if one of them may not be written.
   *
   * @param files contents by the path in the directory
   * @param inputs files that are never replaced
   */
  public void write(Map<Path, byte[]> files, Set<Path> inputs) {
    try {
      Set<String> ours = ours();
      OutputFiles output = new OutputFiles(root);
      for (Map.Entry<Path, byte[]> file : files.entrySet()) {
        check(file.getKey(), file.getValue(), ours, inputs);
        output.add(file.getKey(), file.getValue());
      }
      files.keySet().forEach(file -> ours.add(file.toString()));
      output.add(Path.of(LIST), String.join("\n", ours) + "\n");
      output.write();
    } catch (IOException impossible) {
      throw new QuorateException(DiskSpace.unwritable(root, impossible), impossible);
    }
  }

  private Set<String> ours() {
    Path list = root.resolve(LIST);
    return Files.isRegularFile(list, LinkOption.NOFOLLOW_LINKS)
        ? TextFile.read(list, MAX_LIST, "the list of our files")
            .lines()
            .collect(Collectors.toCollection(TreeSet::new))
        : new TreeSet<>();
  }

  private void check(Path file, byte[] content, Set<String> ours, Set<Path> inputs)
      throws IOException {
    Path target = root.resolve(file);
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    for (Path input : inputs) {
      if (Files.isSameFile(input, target)) {
        throw new QuorateException(
            target + ": is an input, and never replaced: choose another --output");
      }
    }
    if (!force && !ours.contains(file.toString()) && !isSame(target, content)) {
      throw new QuorateException(
          target
              + ": is there and was not made by this command: choose another --output,"
              + " or replace it with --force");
    }
  }

  private static boolean isSame(Path target, byte[] content) throws IOException {
    return Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)
        && Arrays.equals(Files.readAllBytes(target), content);
  }
}
