// SPDX-License-Identifier: Apache-2.0
package io.quorate.tls;

import com.sun.security.auth.module.UnixSystem;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;

/**
 * Checks that only this user and root could have created or changed a file or directory, as sshd
 * requires of its keys (StrictModes).
 */
public final class SafePath {
  private static final Path THIS_PROCESS = Path.of("/proc/self");

  private static final int ROOT = 0;
  private static final int WRITABLE_BY_GROUP = 0020;
  private static final int WRITABLE_BY_OTHERS = 0002;
  private static final int OPEN_TO_OTHERS = 0066;
  private static final int READABLE_BY_GROUP = 0040;
  private static final int STICKY = 01000;
  private static final int MAX_LINKS = 40;

  private final Path path;
  private final int owner;
  private final int mode;
  private final String ownerName;
  private final String groupName;

  private SafePath(Path path) throws IOException {
    this.path = path;
    Map<String, Object> unix =
        Files.readAttributes(path, "unix:uid,mode,owner,group", LinkOption.NOFOLLOW_LINKS);
    this.owner = (Integer) Objects.requireNonNull(unix.get("uid"));
    this.mode = (Integer) Objects.requireNonNull(unix.get("mode"));
    this.ownerName = String.valueOf(unix.get("owner"));
    this.groupName = String.valueOf(unix.get("group"));
  }

  /**
   * Checks that this user owns a directory, that it is not a link, and that other users may not
   * write there.
   */
  public static void requireOwnDirectory(Path directory) throws IOException {
    if (Files.isSymbolicLink(directory)) {
      throw new QuorateException(
          shown(directory) + " is a link, expected a directory: name the one that it points to");
    }
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw new QuorateException(shown(directory) + " is not a directory");
    }
    new SafePath(directory).requireOwn();
  }

  /**
   * Checks that this user owns a regular file, and that it is not a link; fails like {@link
   * #requireOwnDirectory}.
   */
  public static void requireOwnFile(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new QuorateException(shown(file) + " is a link or no regular file");
    }
    new SafePath(file).requireOwn();
  }

  private void requireOwn() throws IOException {
    if (owner != thisUser()) {
      throw belongsToAnother("this user");
    }
    requireWritableByOwnerOnly();
  }

  /**
   * Checks a file or a directory that root or this user created, and all directories and links on
   * the path to it.
   *
   * @throws QuorateException if another user than root could have created it, or could change it
   */
  public static void requireTrusted(Path path) throws IOException {
    requireSafeWay(path);
    SafePath real = new SafePath(path.toRealPath());
    real.requireTrustedOwner();
    real.requireWritableByOwnerOnly();
  }

  /**
   * Checks the directories and links on a path, which need not exist; fails like {@link
   * #requireTrusted}.
   */
  public static void requireSafeWay(Path path) throws IOException {
    Deque<Path> ahead = new ArrayDeque<>();
    path.toAbsolutePath().forEach(ahead::add);
    Path way = path.toAbsolutePath().getRoot();
    int links = 0;
    while (!ahead.isEmpty()) {
      new SafePath(way).requireSafeOnTheWay();
      Path next = way.resolve(ahead.removeFirst()).normalize();
      if (!Files.exists(next, LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      if (!Files.isSymbolicLink(next)) {
        way = next;
        continue;
      }
      if (++links > MAX_LINKS) {
        throw new QuorateException(shown(path) + ": found more than " + MAX_LINKS + " links");
      }
      new SafePath(next).requireTrustedOwner();
      Path target = Files.readSymbolicLink(next);
      way = target.isAbsolute() ? target.getRoot() : way;
      for (int i = target.getNameCount() - 1; i >= 0; i--) {
        ahead.addFirst(target.getName(i));
      }
    }
  }

  private void requireSafeOnTheWay() throws IOException {
    requireTrustedOwner();
    // many systems have a group for each user, with the user's name, to which new directories
    // belong
    boolean ownGroup = groupName.equals(ownerName);
    int writable = ownGroup ? WRITABLE_BY_OTHERS : WRITABLE_BY_OTHERS | WRITABLE_BY_GROUP;
    if ((mode & writable) != 0 && (mode & STICKY) == 0) {
      throw writableByOthers();
    }
  }

  private void requireTrustedOwner() throws IOException {
    if (owner != thisUser() && owner != ROOT) {
      throw belongsToAnother("this user or root");
    }
  }

  private void requireWritableByOwnerOnly() {
    if ((mode & (WRITABLE_BY_GROUP | WRITABLE_BY_OTHERS)) != 0) {
      throw writableByOthers();
    }
  }

  private QuorateException belongsToAnother(String expected) {
    return new QuorateException(
        "%s belongs to %s, expected %s: name another one, or use it as that user"
            .formatted(shown(path), VisibleText.of(ownerName, 200), expected));
  }

  private QuorateException writableByOthers() {
    return new QuorateException(
        "%s may be changed by other users: chmod go-w %s".formatted(shown(path), shown(path)));
  }

  public static boolean isOpenToOthers(Path file) throws IOException {
    return (new SafePath(file.toRealPath()).mode & OPEN_TO_OTHERS) != 0;
  }

  static boolean isOpenToGroupOnly(Path file) throws IOException {
    return (new SafePath(file.toRealPath()).mode & OPEN_TO_OTHERS) == READABLE_BY_GROUP;
  }

  /**
   * Returns the number of this user; Java alone returns 0 for a user without a name, as in
   * containers.
   */
  public static int thisUser() throws IOException {
    return Files.exists(THIS_PROCESS)
        ? (Integer) Files.getAttribute(THIS_PROCESS, "unix:uid")
        : Math.toIntExact(new UnixSystem().getUid());
  }

  private static String shown(Path path) {
    return VisibleText.of(path.toString());
  }
}
