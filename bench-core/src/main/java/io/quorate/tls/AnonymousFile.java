// SPDX-License-Identifier: Apache-2.0
package io.quorate.tls;

import io.quorate.FileAction;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A file for a secret that a library of this process wants to read from a file. Only this user may
 * read it, and it is in no directory, so it disappears however this JVM ends. On systems without
 * {@code /proc}, it has a name until it is closed or this JVM ends in an orderly way.
 *
 * @param path the path at which this process can read it until it is closed
 */
public record AnonymousFile(FileChannel open, Path path) implements AutoCloseable {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  public static AnonymousFile write(String content) throws IOException {
    Path named = Files.createTempFile("quorate-", ".pem");
    FileChannel open = FileChannel.open(named, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Optional<Path> descriptor = descriptor(named.toRealPath());
    if (descriptor.isPresent()) {
      Files.delete(named); // before the secret is written
    } else {
      named.toFile().deleteOnExit();
    }
    Channels.newOutputStream(open).write(content.getBytes(StandardCharsets.UTF_8));
    return new AnonymousFile(open, descriptor.orElse(named));
  }

  private static Optional<Path> descriptor(Path named) throws IOException {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return Optional.empty();
    }
    try (Stream<Path> all = Files.list(DESCRIPTORS)) {
      return all.filter(each -> isOf(each, named)).findFirst();
    }
  }

  private static boolean isOf(Path descriptor, Path named) {
    return FileAction.attempt(() -> Files.readSymbolicLink(descriptor).equals(named)).orElse(false);
  }

  @Override
  public void close() throws IOException {
    if (open.isOpen()) {
      if (!path.startsWith(DESCRIPTORS)) {
        Files.deleteIfExists(path);
      }
      open.close();
    }
  }

  @Override
  public String toString() {
    return "a file without a name";
  }
}
