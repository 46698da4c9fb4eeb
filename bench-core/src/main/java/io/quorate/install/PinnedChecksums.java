// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.ChecksumFile;
import io.quorate.store.server.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The SHA-256 sums of release archives, or of jars, that are trusted: {@code
 * src/databases/<id>/SHA256SUMS}, in the format of {@code sha256sum}, which the vendors' files of
 * this name have as well. Lines that begin with {@code #} are comments.
 */
record PinnedChecksums(Map<String, String> byArchive) {
  static final String FILE = ChecksumFile.NAME;

  /**
   * Reads the checksums of a program; none if the file does not exist. Those of archives of other
   * versions are in the file of the default version.
   *
   * @throws QuorateException if a line is neither a sum nor a comment; names the line
   */
  static PinnedChecksums read(Path modules, Program program) {
    Path own = modules.resolve(program.module()).resolve(FILE);
    Path file =
        program.isOfJars() || Files.exists(own) ? own : modules.resolve(program.id()).resolve(FILE);
    try {
      return new PinnedChecksums(ChecksumFile.read(file));
    } catch (NoSuchFileException nothingPinned) {
      return new PinnedChecksums(Map.of());
    } catch (IOException failure) {
      throw FileFailure.exception("cannot read " + file, failure);
    }
  }

  List<String> files() {
    return List.copyOf(byArchive.keySet());
  }

  /** Checks that a directory has all these files and no others, with their sums. */
  void requireAll(Path directory) throws IOException {
    for (Map.Entry<String, String> each : byArchive.entrySet()) {
      Path file = directory.resolve(each.getKey());
      if (!Files.isRegularFile(file)) {
        throw new QuorateException("it has no " + each.getKey());
      }
      String found = ChecksumFile.sum(file);
      if (!found.equals(each.getValue())) {
        throw new QuorateException(
            "%s: its SHA-256 is %s, but %s is pinned: it was damaged on the way or replaced"
                .formatted(each.getKey(), found, each.getValue()));
      }
    }
    try (Stream<Path> all = Files.list(directory)) {
      all.map(file -> file.getFileName().toString())
          .filter(name -> !byArchive.containsKey(name))
          .findFirst()
          .ifPresent(
              name -> {
                throw new QuorateException("nothing is pinned for " + VisibleText.line(name));
              });
    }
  }

  Optional<String> of(String archive) {
    return Optional.ofNullable(byArchive.get(archive));
  }
}
