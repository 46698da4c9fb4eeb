package io.quorate.format;

import io.quorate.DiskSpace;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.tls.SafePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A small JSON file with which one process of this user passes state to a later one. It is believed
 * only if nobody else can have written it.
 */
public final class StateFile {
  private static final int MAX_BYTES = 1 << 20;

  private final Path path;

  public StateFile(Path path) {
    this.path = path;
  }

  /** Returns whether there is an entry of that name. */
  public boolean exists() {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Reads the file; empty if it does not exist.
   *
   * @throws QuorateException with file, line, column, what was found and what was expected, if it
   *     is not of this user or does not hold such a thing
   */
  public <T> Optional<T> read(Class<T> type) {
    try {
      checkFile();
      byte[] content;
      try (var in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
        content = in.readNBytes(MAX_BYTES + 1);
      }
      if (content.length > MAX_BYTES) {
        throw wrong("found more than " + MAX_BYTES + " bytes, expected a small file");
      }
      return Optional.of(
          StrictJson.parse(shown(), 1, new String(content, StandardCharsets.UTF_8), type));
    } catch (NoSuchFileException missing) {
      return Optional.empty();
    } catch (IOException failure) {
      throw new QuorateException(
          shown() + ": cannot be read: " + FileFailure.reason(failure), failure);
    }
  }

  private void checkFile() throws IOException {
    Map<String, Object> found =
        Files.readAttributes(path, "unix:uid,permissions,fileKey", LinkOption.NOFOLLOW_LINKS);
    if (Files.isSymbolicLink(path)) {
      throw wrong("found a symbolic link, expected a file");
    }
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw wrong("found a directory, expected a file");
    }
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw wrong("found a pipe or a device, expected a file");
    }
    int user = SafePath.thisUser();
    if ((Integer) found.get("uid") != user) {
      throw wrong("found a file of user " + found.get("uid") + ", expected one of " + user);
    }
    Set<PosixFilePermission> permissions =
        Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
    if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw wrong("found a file that everybody may write, expected that only you may");
    }
  }

  private QuorateException wrong(String what) {
    return new QuorateException(shown() + ": " + what);
  }

  private String shown() {
    return VisibleText.line(path.toString());
  }

  /** Replaces the file, in one step; only this user may read and write it. */
  public void write(Object value) {
    Path part = path.resolveSibling(path.getFileName() + ".part");
    try {
      Files.createDirectories(path.getParent());
      Files.deleteIfExists(part);
      Files.createFile(
          part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(
          part, StrictJson.text(value).getBytes(StandardCharsets.UTF_8), StandardOpenOption.WRITE);
      Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      throw new QuorateException(DiskSpace.unwritable(path, failure), failure);
    }
  }

  /** Removes the file if it exists. */
  public void delete() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException failure) {
      throw new QuorateException(
          shown() + ": cannot be removed: " + FileFailure.reason(failure), failure);
    }
  }
}
