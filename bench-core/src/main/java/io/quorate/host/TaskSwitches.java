package io.quorate.host;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the context switches of all threads of a process, from {@code /proc/PID/task/*}{@code
 * /status}: OSHI reads {@code /proc/PID/status} of another process, which is about its main thread
 * only. What an ended thread had when it was last seen still counts, so the sums never fall. Not
 * for several threads.
 */
final class TaskSwitches {
  private static final byte[] VOLUNTARY = bytes("\nvoluntary_ctxt_switches:");
  private static final byte[] INVOLUNTARY = bytes("\nnonvoluntary_ctxt_switches:");
  private static final int MAX_DIGITS = 16;

  private final Path tasks;
  private final byte[] buffer = new byte[16_384];
  private Map<String, Switches> seen = new HashMap<>();
  private Switches ended = new Switches(0, 0);

  /** The switches of one thread, or of several together. */
  record Switches(long voluntary, long involuntary) {
    Switches plus(Switches other) {
      return new Switches(voluntary + other.voluntary, involuntary + other.involuntary);
    }
  }

  TaskSwitches(long pid) {
    this(Path.of("/proc", Long.toString(pid), "task"));
  }

  TaskSwitches(Path tasks) {
    this.tasks = tasks;
  }

  /** Reads all threads; one that ends meanwhile counts as it was last seen. */
  Switches read() {
    Map<String, Switches> now = new HashMap<>();
    String[] names = tasks.toFile().list();
    for (String task : names == null ? new String[0] : names) {
      Switches switches = read(task);
      if (switches != null) {
        now.put(task, switches);
      }
    }
    seen.forEach(
        (task, before) -> {
          Switches after = now.get(task);
          // fewer than before: another thread with the number of one that has ended
          if (after == null || after.voluntary < before.voluntary) {
            ended = ended.plus(before);
          }
        });
    seen = now;
    return now.values().stream().reduce(ended, Switches::plus);
  }

  private Switches read(String task) {
    try (InputStream in = new FileInputStream(tasks + "/" + task + "/status")) {
      return parse(buffer, in.readNBytes(buffer, 0, buffer.length));
    } catch (IOException hasEnded) {
      return null;
    }
  }

  /** Parses the switches in the text of a status file; null when it does not have both. */
  static Switches parse(byte[] text, int length) {
    long voluntary = number(text, length, VOLUNTARY);
    long involuntary = number(text, length, INVOLUNTARY);
    return voluntary < 0 || involuntary < 0 ? null : new Switches(voluntary, involuntary);
  }

  /** Returns the number after a label, which is near the end; negative if there is none. */
  private static long number(byte[] text, int length, byte[] label) {
    for (int start = length - label.length; start >= 0; start--) {
      if (startsWith(text, start, label)) {
        return number(text, length, start + label.length);
      }
    }
    return -1;
  }

  private static boolean startsWith(byte[] text, int start, byte[] label) {
    for (int i = 0; i < label.length; i++) {
      if (text[start + i] != label[i]) {
        return false;
      }
    }
    return true;
  }

  private static long number(byte[] text, int length, int start) {
    int at = start;
    while (at < length && (text[at] == ' ' || text[at] == '\t')) {
      at++;
    }
    int first = at;
    long number = 0;
    for (; at < length && text[at] >= '0' && text[at] <= '9'; at++) {
      number = number * 10 + (text[at] - '0');
      if (at - first >= MAX_DIGITS) {
        return -1;
      }
    }
    boolean ends = at == length || text[at] == '\n';
    return at > first && ends ? number : -1;
  }

  private static byte[] bytes(String label) {
    return label.getBytes(StandardCharsets.US_ASCII);
  }
}
