package io.quorate.results.manifest;

import java.util.Optional;

/**
 * The keys that a run has in an existing cluster.
 *
 * @param prefix with which all of them begin; in ZooKeeper the path of the node above them
 * @param state whether they were removed
 * @param removal the command of the store's own tool that removes them; empty if there is none
 */
public record RunKeys(String prefix, State state, Optional<String> removal) {
  /** The states of the keys. */
  public enum State {
    /** The run uses them, or was killed before it could remove them. */
    WRITTEN,
    /** They were removed. */
    REMOVED,
    /** They were kept, as asked for. */
    KEPT,
    /** They could not be removed. */
    LEFT
  }

  /** Returns these keys in another state. */
  public RunKeys with(State other) {
    return new RunKeys(prefix, other, removal);
  }

  /** Returns the state in words, with the command that removes what is left. */
  public String text() {
    String command = removal.map(each -> "; remove them with: " + each).orElse("");
    return switch (state) {
      case REMOVED -> "keys below %s were removed".formatted(prefix);
      case KEPT -> "keys below %s were kept%s".formatted(prefix, command);
      case LEFT, WRITTEN -> "keys below %s may be left%s".formatted(prefix, command);
    };
  }
}
