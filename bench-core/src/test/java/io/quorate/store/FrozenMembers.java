package io.quorate.store;

import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import java.io.IOException;
import java.util.List;

/** Members whose processes stand still, with their connections open, until this is closed. */
final class FrozenMembers implements AutoCloseable {
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
