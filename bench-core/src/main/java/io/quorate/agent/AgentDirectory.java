package io.quorate.agent;

import io.quorate.QuorateException;
import io.quorate.install.DirectoryTree;
import io.quorate.install.LockFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The directory of an agent, which no other agent may use meanwhile: all its files are in it. */
final class AgentDirectory implements AutoCloseable {
  private final Path runs;
  private final LockFile lock;

  private AgentDirectory(Path runs, LockFile lock) {
    this.runs = runs;
    this.lock = lock;
  }

  /**
   * Makes it if need be, and removes what an agent left behind that was killed.
   *
   * @throws QuorateException if another agent uses it
   */
  static AgentDirectory open(Path data, Consumer<String> console) {
    Path top = data.toAbsolutePath().normalize();
    Path runs = top.resolve("runs");
    LockFile lock =
        LockFile.tryAcquire(top.resolve("agent.lock"))
            .orElseThrow(
                () ->
                    new QuorateException(
                        "another agent uses " + top + ": name another directory with --data"));
    try {
      Files.createDirectories(runs);
      try (Stream<Path> left = Files.list(runs)) {
        left.sorted().forEach(run -> remove(run, console));
      }
      return new AgentDirectory(runs, lock);
    } catch (IOException impossible) {
      lock.close();
      throw new QuorateException(top + ": cannot be used: " + impossible, impossible);
    }
  }

  private static void remove(Path run, Consumer<String> console) {
    try {
      new DirectoryTree(run).remove();
      console.accept("removed what was left of " + run.getFileName());
    } catch (QuorateException impossible) {
      console.accept(String.valueOf(impossible.getMessage()));
    }
  }

  /**
   * A new directory for a run.
   *
   * @throws QuorateException if that is no name of a run
   */
  Path create(String run) {
    if (!Protocol.isRunName(run)) {
      throw new QuorateException(
          "found the run '"
              + Protocol.word(run)
              + "', expected a name of letters, digits, '.', '_' and '-' that is no path");
    }
    try {
      return Files.createTempDirectory(runs, run + "-");
    } catch (IOException impossible) {
      throw new QuorateException(runs + ": cannot be written: " + impossible, impossible);
    }
  }

  @Override
  public void close() {
    lock.close();
  }
}
