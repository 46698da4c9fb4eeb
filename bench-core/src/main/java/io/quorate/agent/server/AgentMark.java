package io.quorate.agent.server;

import io.quorate.install.LockFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content of {@code agent.lock}, by which an agent knows its own directory.
 *
 * @param pid of the agent that uses it, or was the last to do so
 * @param runs names of the directories of runs that it has made and not yet removed
 */
record AgentMark(long pid, List<String> runs) {
  private static final String FORMAT = "directory of a quorate agent, format 1";
  private static final int MOST_BYTES = 65_536;
  private static final Pattern PID = Pattern.compile("pid (\\d{1,10})");
  private static final Pattern RUN =
      Pattern.compile("run ([\\p{L}\\p{N}][\\p{L}\\p{N}._-]*-[0-9a-f]{16})");

  AgentMark {
    runs = List.copyOf(runs);
  }

  /** Returns the mark in a locked file; empty if it has none. */
  static Optional<AgentMark> in(LockFile lock) throws IOException {
    return parse(lock.text(MOST_BYTES));
  }

  /** Returns the mark in a file that somebody else has locked; empty also if it cannot be read. */
  static Optional<AgentMark> readable(Path file) {
    try {
      return Files.size(file) > MOST_BYTES ? Optional.empty() : parse(Files.readString(file));
    } catch (IOException unreadable) {
      // then it is not known who that is
      return Optional.empty();
    }
  }

  private static Optional<AgentMark> parse(String text) {
    List<String> lines = text.lines().toList();
    if (lines.size() < 2 || !text.endsWith("\n") || !lines.get(0).equals(FORMAT)) {
      return Optional.empty();
    }
    Matcher pid = PID.matcher(lines.get(1));
    List<String> runs = new ArrayList<>();
    for (String line : lines.subList(2, lines.size())) {
      Matcher run = RUN.matcher(line);
      if (!run.matches()) {
        return Optional.empty();
      }
      runs.add(run.group(1));
    }
    return pid.matches()
        ? Optional.of(new AgentMark(Long.parseLong(pid.group(1)), runs))
        : Optional.empty();
  }

  void write(LockFile lock) throws IOException {
    StringBuilder text = new StringBuilder(FORMAT).append("\npid ").append(pid).append('\n');
    runs.forEach(run -> text.append("run ").append(run).append('\n'));
    lock.write(text.toString());
  }
}
