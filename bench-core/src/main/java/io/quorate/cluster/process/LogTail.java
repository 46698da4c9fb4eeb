package io.quorate.cluster.process;

import io.quorate.DiskSpace;
import io.quorate.VisibleText;
import io.quorate.store.server.ServerLog;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The last part of a server's log, in a form fit to be shown. */
public final class LogTail {
  private static final int MAX_BYTES = 16_384;

  /**
   * Size of the part that is searched: Go may print the stacks of thousands of goroutines below the
   * line that counts.
   */
  private static final int MAX_EVIDENCE_BYTES = 4 << 20;

  private final Path log;

  public LogTail(Path log) {
    this.log = log;
  }

  /** Returns at most the given number of last lines that are not blank, the oldest first. */
  public List<String> lines(int count) {
    List<String> lines =
        text(MAX_BYTES).lines().filter(line -> !line.isBlank()).map(VisibleText::line).toList();
    return lines.subList(Math.max(0, lines.size() - count), lines.size());
  }

  /**
   * Returns the line that explains why the server ended at that time; empty if there is none.
   *
   * @param meaning tells what its lines mean
   */
  public Optional<String> reasonOfEnd(Instant end, ServerLog meaning) {
    return LogEvidence.of(end, meaning, text(MAX_EVIDENCE_BYTES).lines()::iterator)
        .map(VisibleText::line);
  }

  /** Returns the last lines as a block below a heading that names the file. */
  public String block(int count) {
    List<String> lines = lines(count);
    return lines.isEmpty()
        ? "Nothing was logged in " + log
        : "Last lines of " + log + ":\n  " + String.join("\n  ", lines);
  }

  /** Returns whether the server reported that its port was taken. */
  public boolean tellsOfTakenPort() {
    return text(MAX_BYTES).toLowerCase(Locale.ROOT).contains("address already in use");
  }

  /**
   * Returns whether the server reported that it could not write: a trace of all its threads may
   * follow that line.
   */
  boolean tellsOfFullDisk() {
    return DiskSpace.tells(text(MAX_EVIDENCE_BYTES));
  }

  private String text(int maxBytes) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long start = Math.max(0, file.length() - maxBytes);
      file.seek(start);
      byte[] bytes = new byte[(int) Math.min(maxBytes, file.length() - start)];
      int read = Math.max(0, file.read(bytes));
      return new String(bytes, 0, read, StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      return "(cannot read " + log + ": " + unreadable.getMessage() + ")";
    }
  }
}
