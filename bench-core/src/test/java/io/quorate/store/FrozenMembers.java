// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import io.quorate.cluster.Await;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Members whose processes stand still, with their connections open, until this is closed. */
final class FrozenMembers implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final List<Member> members;

  private FrozenMembers(List<Member> members) {
    this.members = members;
  }

  static FrozenMembers othersThan(Member alone, Cluster cluster) {
    var frozen =
        new FrozenMembers(
            cluster.members().stream().filter(member -> !member.equals(alone)).toList());
    try {
      frozen.signal("STOP");
      frozen.awaitStop();
      return frozen;
    } catch (AssertionError failure) {
      frozen.close();
      throw failure;
    }
  }

  @Override
  public void close() {
    signal("CONT");
  }

  /** Waits until no thread runs: the kernel stops those on other CPUs a moment after the signal. */
  private void awaitStop() {
    for (Member member : members) {
      for (long pid : member.pids()) {
        Await.until(
            "all threads of " + pid + " are stopped",
            LIMIT,
            () -> isStopped(Path.of("/proc/" + pid)));
      }
    }
  }

  private static boolean isStopped(Path process) {
    try (Stream<Path> threads = Files.list(process.resolve("task"))) {
      for (Path thread : threads.toList()) {
        String stat = Files.readString(thread.resolve("stat"));
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
      return true;
    } catch (IOException ended) {
      throw new AssertionError(ended);
    }
  }

  private void signal(String name) {
    for (Member member : members) {
      for (long pid : member.pids()) {
        try {
          int code =
              new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                  .inheritIO()
                  .start()
                  .waitFor();
          if (code != 0) {
            throw new AssertionError("kill -" + name + " " + pid + " ended with " + code);
          }
        } catch (IOException failure) {
          throw new AssertionError(failure);
        } catch (InterruptedException interrupt) {
          Thread.currentThread().interrupt();
          throw new AssertionError(interrupt);
        }
      }
    }
  }
}
