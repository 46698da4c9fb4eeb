package io.quorate.install;

import io.quorate.QuorateException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A directory with all that is in it.
 *
 * @param top need not be there
 */
public record DirectoryTree(Path top) {
  /**
   * Removes it. Links are removed, not followed.
   *
   * @throws QuorateException if something of it cannot be removed
   */
  public void remove() {
    if (!Files.exists(top)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(top)) {
      for (Path each : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException failure) {
      throw new QuorateException("cannot remove " + top + ": " + failure, failure);
    }
  }
}
