// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.history;

import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.format.StrictJson;
import io.quorate.format.TextFile;
import io.quorate.report.history.HistoryEntry.Identity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The file {@code history.ndjson} of a directory: a line for each database of each run. It only
 * grows, except that an incomplete last line is removed before the next append. Lines do not depend
 * on each other, so they may be in any order, and a merge of two files is a file.
 */
record HistoryStore(Path directory) {
  private static final String NAME = "history.ndjson";
  private static final long MAX_BYTES = 64L << 20;
  private static final int MAX_PROBLEMS = 5;

  /**
   * The content of the file.
   *
   * @param entries lines in the order of their start, the first of each identity
   * @param incomplete sentence about an incomplete last line; empty if there is none
   */
  record Contents(List<HistoryEntry> entries, Optional<String> incomplete) {}

  private record Line(int number, HistoryEntry entry) {}

  Path file() {
    return directory.resolve(NAME);
  }

  boolean exists() {
    return Files.exists(file(), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Reads the file; nothing if it does not exist.
   *
   * @throws QuorateException with path and line of the first lines that are wrong
   */
  Contents read() {
    if (!exists()) {
      return new Contents(List.of(), Optional.empty());
    }
    refuseLink();
    String text = TextFile.read(file(), MAX_BYTES, "a history");
    List<String> lines = text.lines().toList();
    Map<Identity, Line> entries = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    Optional<String> incomplete = Optional.empty();
    for (int number = 1; number <= lines.size() && problems.size() < MAX_PROBLEMS; number++) {
      String line = lines.get(number - 1);
      try {
        add(entries, new Line(number, parsed(number, line)));
      } catch (QuorateException wrong) {
        if (number == lines.size() && !text.endsWith("\n") && StrictJson.isCut(line)) {
          incomplete =
              Optional.of(
                  "%s:%d: the last line is incomplete and ignored. The next --add removes it"
                      .formatted(shown(), number));
        } else {
          problems.add(wrong.getMessage());
        }
      }
    }
    QuorateException.throwIfAny(problems);
    return new Contents(
        entries.values().stream()
            .map(Line::entry)
            .sorted(
                Comparator.comparing(HistoryEntry::start)
                    .thenComparing(HistoryEntry::scenario)
                    .thenComparing(HistoryEntry::database))
            .toList(),
        incomplete);
  }

  private HistoryEntry parsed(int number, String line) {
    if (line.matches("(<{7}|\\|{7}|={7}|>{7})(| .*)")) {
      throw new QuorateException(
          "%s:%d: found a conflict of Git. Remove its three markers, and keep the lines of both sides"
              .formatted(shown(), number));
    }
    try {
      return StrictJson.parse(shown(), number, line, HistoryEntry.class);
    } catch (QuorateException wrong) {
      String problem = wrong.getMessage().substring(shown().length());
      throw new QuorateException(
          problem.startsWith(": ") // of the version, without a line
              ? shown() + ":" + number + problem
              : shown() + problem + ". Correct this line, or remove it",
          wrong);
    }
  }

  private void add(Map<Identity, Line> entries, Line line) {
    Line other = entries.putIfAbsent(line.entry.identity(), line);
    if (other != null && !other.entry.values().equals(line.entry.values())) {
      throw new QuorateException(
          "%s:%d: found %s of %s, started at %s, with other values than in line %d. Remove one of the two lines"
              .formatted(
                  shown(),
                  line.number,
                  VisibleText.quoted(line.entry.database()),
                  VisibleText.quoted(line.entry.scenario()),
                  line.entry.start(),
                  other.number));
    }
  }

  /**
   * Appends lines in one write, and removes an incomplete last line before. Other processes that
   * append wait for each other.
   *
   * @throws QuorateException if the file cannot be written; it then has the same complete lines as
   *     before
   */
  void append(List<HistoryEntry> entries) {
    String lines = entries.stream().map(StrictJson::line).collect(Collectors.joining());
    try {
      Files.createDirectories(directory);
      refuseLink();
      try (FileChannel channel =
          FileChannel.open(
              file(),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS)) {
        channel.lock();
        append(channel, ascii(lines));
      }
    } catch (IOException impossible) {
      throw DiskSpace.exception(file(), impossible);
    }
  }

  /** Escapes other characters in the texts of JSON, so that an interrupted write cuts none. */
  private static String ascii(String json) {
    return json.chars()
        .mapToObj(each -> each < 0x80 ? Character.toString(each) : "\\u%04x".formatted(each))
        .collect(Collectors.joining());
  }

  private void append(FileChannel channel, String lines) throws IOException {
    byte[] before = content(channel);
    int end = before.length;
    while (end > 0 && before[end - 1] != '\n') {
      end--;
    }
    String last = new String(before, end, before.length - end, StandardCharsets.UTF_8);
    String separator = "";
    if (!last.isEmpty() && !StrictJson.isCut(last)) { // perhaps a line of another version
      end = before.length;
      separator = "\n";
    }
    byte[] added = (separator + lines).getBytes(StandardCharsets.UTF_8);
    if (end + added.length > MAX_BYTES) {
      throw tooLarge();
    }
    channel.truncate(end);
    try {
      ByteBuffer buffer = ByteBuffer.wrap(added);
      while (buffer.hasRemaining()) {
        channel.write(buffer, end + (long) buffer.position());
      }
      channel.force(true);
    } catch (IOException interrupted) {
      channel.truncate(end);
      throw interrupted;
    }
  }

  private byte[] content(FileChannel channel) throws IOException {
    if (channel.size() > MAX_BYTES) {
      throw tooLarge();
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
    int read = 0;
    while (read >= 0 && bytes.hasRemaining()) {
      read = channel.read(bytes, bytes.position());
    }
    return bytes.array();
  }

  private QuorateException tooLarge() {
    return new QuorateException(
        "%s: would have more than %s bytes. Move old lines to another directory"
            .formatted(shown(), NumberFormats.commas(MAX_BYTES)));
  }

  private void refuseLink() {
    if (Files.isSymbolicLink(file())) {
      throw new QuorateException(
          shown()
              + ": found a symbolic link, expected a file. Pass the directory that it leads to");
    }
  }

  private String shown() {
    return VisibleText.of(file().toString());
  }
}
