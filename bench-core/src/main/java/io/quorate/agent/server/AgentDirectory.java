// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent.server;

import io.quorate.FileAction;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.agent.Protocol;
import io.quorate.format.StrictJson;
import io.quorate.install.DirectoryTree;
import io.quorate.install.LockFile;
import io.quorate.tls.PrivateFiles;
import io.quorate.tls.SafePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The data directory of an agent, locked against other agents, with all files of the agent. {@code
 * agent.lock} is the mark of an agent and names the run directories that it has created. Only these
 * are ever removed.
 */
final class AgentDirectory implements AutoCloseable {
  private static final String LOCK = "agent.lock";
  private static final String RUNS = "runs";
  private static final int MAX_NAMES_SHOWN = 5;
  private static final int NAME_BYTES = 8;
  private static final FileAttribute<?> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path runs;
  private final LockFile lock;
  private final SecureRandom random = new SecureRandom();
  private final Set<String> made = new TreeSet<>();

  private AgentDirectory(Path runs, LockFile lock) {
    this.runs = runs;
    this.lock = lock;
  }

  /**
   * Opens the directory, creating it if necessary, and removes files left by an agent that was
   * killed.
   *
   * @throws QuorateException if another agent uses it, no agent has created it, or other users may
   *     change it; nothing is removed or written then
   */
  static AgentDirectory open(Path data, Consumer<String> console) {
    Path top = data.toAbsolutePath().normalize();
    try {
      SafePath.requireSafeWay(top);
      if (Files.exists(top, LinkOption.NOFOLLOW_LINKS)) {
        requireMarkedOrEmpty(top);
      } else {
        Files.createDirectories(top, PRIVATE_DIRECTORY);
      }
      return locked(top, console);
    } catch (IOException | UncheckedIOException | UnsupportedOperationException impossible) {
      throw FileFailure.exception(Protocol.shown(top.toString()) + ": cannot be used", impossible);
    }
  }

  private static AgentDirectory locked(Path top, Consumer<String> console) throws IOException {
    Path file = top.resolve(LOCK);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      PrivateFiles.write(file, "");
    }
    SafePath.requireOwnFile(file);
    LockFile lock =
        LockFile.tryAcquire(file).orElseThrow(() -> new QuorateException(usedByAnother(top, file)));
    boolean usable = false;
    try {
      Optional<Mark> mark = Mark.in(lock.text(Mark.MAX_BYTES));
      if (mark.isEmpty()) {
        requireEmpty(top);
      }
      AgentDirectory directory = new AgentDirectory(top.resolve(RUNS), lock);
      directory.prepare(mark.map(Mark::runs).orElse(List.of()), console);
      usable = true;
      return directory;
    } finally {
      if (!usable) {
        lock.close();
      }
    }
  }

  private static String usedByAnother(Path top, Path lock) {
    String who = Mark.ofOther(lock).map(mark -> " with pid " + mark.pid()).orElse("");
    return "another agent%s uses %s: name another directory with --data"
        .formatted(who, Protocol.shown(top.toString()));
  }

  /** Checks the mark before the lock is taken; the check of the locked file is decisive. */
  private static void requireMarkedOrEmpty(Path top) throws IOException {
    SafePath.requireOwnDirectory(top);
    if (Files.exists(top.resolve(LOCK), LinkOption.NOFOLLOW_LINKS)) {
      SafePath.requireOwnFile(top.resolve(LOCK));
    } else {
      requireEmpty(top);
    }
  }

  /** Requires an empty directory, except for empty directories of runs and an empty lock. */
  private static void requireEmpty(Path top) throws IOException {
    List<String> found = names(top);
    found.remove(LOCK);
    if (found.equals(List.of(RUNS)) && isEmptyDirectory(top.resolve(RUNS))) {
      return;
    }
    if (!found.isEmpty() || isFilled(top.resolve(LOCK))) {
      String names = found.isEmpty() ? LOCK + " with other content" : String.join(", ", found);
      throw new QuorateException(
          ("%s is not an agent directory (contains %s). Agents delete leftover runs, so they "
                  + "only use directories they created: pass a new one with --data, or remove this "
                  + "one if you do not need it")
              .formatted(Protocol.shown(top.toString()), names));
    }
  }

  private static boolean isFilled(Path file) throws IOException {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) > 0;
  }

  private static boolean isEmptyDirectory(Path path) throws IOException {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) && names(path).isEmpty();
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> content = Files.list(directory)) {
      return content
          .map(each -> Protocol.word(each.getFileName().toString()))
          .limit(MAX_NAMES_SHOWN)
          .sorted()
          .collect(Collectors.toCollection(ArrayList::new));
    }
  }

  private void prepare(List<String> before, Consumer<String> console) throws IOException {
    if (!Files.exists(runs, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(runs, PRIVATE_DIRECTORY);
    }
    SafePath.requireOwnDirectory(runs);
    made.addAll(before);
    before.forEach(run -> removeLeft(run, console));
    write();
    try (Stream<Path> left = Files.list(runs)) {
      left.map(each -> each.getFileName().toString())
          .filter(name -> !made.contains(name))
          .limit(MAX_NAMES_SHOWN)
          .forEach(
              name ->
                  console.accept("left alone what no agent has made: runs/" + Protocol.word(name)));
    }
  }

  private void removeLeft(String run, Consumer<String> console) {
    try {
      Path path = runs.resolve(run);
      if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
        SafePath.requireOwnDirectory(path);
        new DirectoryTree(path).remove();
        console.accept("removed what was left of " + run);
      }
      made.remove(run);
    } catch (QuorateException | IOException | InvalidPathException impossible) {
      console.accept(String.valueOf(impossible.getMessage()));
    }
  }

  private void write() throws IOException {
    lock.write(StrictJson.line(new Mark(ProcessHandle.current().pid(), List.copyOf(made))));
  }

  synchronized Path create(String run) {
    if (!Protocol.isRunName(run)) {
      throw new QuorateException(
          "found the run '"
              + Protocol.word(run)
              + "', expected a name of letters, digits, '.', '_' and '-' that is not a path");
    }
    byte[] suffix = new byte[NAME_BYTES];
    random.nextBytes(suffix);
    String name = run + "-" + HexFormat.of().formatHex(suffix);
    try {
      Path path = runs.resolve(name);
      // first, so that a later agent removes it even if this process is killed now
      made.add(name);
      write();
      return Files.createDirectory(path, PRIVATE_DIRECTORY);
    } catch (IOException | InvalidPathException impossible) {
      made.remove(name);
      throw FileFailure.exception(runs + ": cannot be written", impossible);
    }
  }

  synchronized void remove(Path run) {
    new DirectoryTree(run).remove();
    made.remove(run.getFileName().toString());
    FileAction.require(runs + ": cannot be written", () -> write());
  }

  @Override
  public void close() {
    lock.close();
  }

  /**
   * The content of {@code agent.lock}, by which an agent recognizes its own directory.
   *
   * @param pid pid of the agent that uses the directory, or was the last to use it
   * @param runs names of the run directories that it has created and not yet removed
   */
  @StrictJson.FormatVersion(2)
  record Mark(long pid, List<String> runs) {
    private static final int MAX_BYTES = 65_536;
    private static final Pattern RUN =
        Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._-]*-[0-9a-f]{16}");

    Mark {
      runs = List.copyOf(runs);
      if (!runs.stream().allMatch(RUN.asMatchPredicate())) {
        throw new IllegalArgumentException("found a run that no agent has made");
      }
    }

    /** Returns the mark that a text contains; empty if it contains none. */
    static Optional<Mark> in(String text) {
      try {
        return Optional.of(StrictJson.parse(LOCK, 1, text, Mark.class));
      } catch (QuorateException other) {
        return Optional.empty();
      }
    }

    /**
     * Returns the mark in a file that another process has locked; empty if there is none or it
     * cannot be read.
     */
    static Optional<Mark> ofOther(Path file) {
      return FileAction.attempt(() -> LockFile.textOfOther(file, MAX_BYTES).flatMap(Mark::in))
          .orElse(Optional.empty());
    }
  }
}
