// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.DaemonThreads;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cluster.Member;
import io.quorate.format.TextFile;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultPlan;
import io.quorate.store.Login;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The commands of a user that cause faults in an existing cluster. A command runs in a shell, with
 * {@value #MEMBERS} and {@value #ENDPOINTS} in its environment, separated by blanks.
 *
 * @param begin commands that cause a fault
 * @param end commands that end it; a fault without one ends by itself
 */
public record FaultCommands(Map<Fault, String> begin, Map<Fault, String> end) {
  public static final FaultCommands NONE = new FaultCommands(Map.of(), Map.of());

  static final String MEMBERS = "QUORATE_MEMBERS";
  static final String ENDPOINTS = "QUORATE_ENDPOINTS";

  private static final Pattern LINE = Pattern.compile("([a-z-]+)( +end)? *: *(\\S.*)");
  private static final String EXPECTED = "a fault and its command, such as kill-leader: COMMAND";
  private static final int MAX_BYTES = 64 << 10;
  private static final int MAX_OUTPUT = 4096;
  private static final long LIMIT_SECONDS = 60;

  public FaultCommands {
    begin = Map.copyOf(begin);
    end = Map.copyOf(end);
  }

  /**
   * Reads a file with lines such as {@code kill-leader: kubectl delete pod etcd-0}, and {@code
   * pause-leader end: COMMAND} for the end of a fault. Empty lines and lines that begin with # are
   * ignored.
   *
   * @throws QuorateException with file and line of all problems
   */
  public static FaultCommands read(Path file) {
    Map<Fault, String> begin = new EnumMap<>(Fault.class);
    Map<Fault, String> end = new EnumMap<>(Fault.class);
    List<String> problems = new ArrayList<>();
    List<String> lines = TextFile.read(file, MAX_BYTES, "one with commands").lines().toList();
    for (int number = 1; number <= lines.size(); number++) {
      String line = lines.get(number - 1).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String at = "%s:%d: found %s, expected ".formatted(file, number, VisibleText.quoted(line));
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        problems.add(at + EXPECTED);
      } else if (FaultPlan.Kind.parse(parts.group(1)).isEmpty()) {
        problems.add(at + "one of " + String.join(", ", FaultPlan.ids()));
      } else {
        Fault fault = FaultPlan.Kind.parse(parts.group(1)).get().fault();
        Map<Fault, String> commands = parts.group(2) == null ? begin : end;
        if (commands.putIfAbsent(fault, parts.group(3)) != null) {
          problems.add(at + "each command once");
        }
      }
    }
    if (problems.isEmpty() && begin.isEmpty()) {
      problems.add(file + ": found no command, expected " + EXPECTED);
    }
    QuorateException.throwIfAny(problems);
    return new FaultCommands(begin, end);
  }

  /** Returns the faults of a plan that have no command, and need one. */
  public List<Fault> missing(FaultPlan plan) {
    return without(plan).filter(each -> !each.isRequest() && !each.needsOwnMembers()).toList();
  }

  /** Returns the faults of a plan that members cause on a request of Quorate. */
  public List<Fault> requests(FaultPlan plan) {
    return without(plan).filter(Fault::isRequest).toList();
  }

  private Stream<Fault> without(FaultPlan plan) {
    return plan.kinds().stream()
        .map(FaultPlan.Kind::fault)
        .filter(each -> !begin.containsKey(each))
        .distinct();
  }

  /** Returns which commands a fault runs, by their names in the file. */
  String text(Fault fault) {
    return "runs the command '%s'%s"
        .formatted(
            fault.id(),
            end.containsKey(fault) ? ", and at the end '%s end'".formatted(fault.id()) : "");
  }

  public boolean has(Fault fault) {
    return begin.containsKey(fault);
  }

  /**
   * Causes a fault, and waits until the command ends.
   *
   * @throws QuorateException if it fails, or does not end in time
   */
  void begin(Fault fault, List<Member> members) {
    run(Objects.requireNonNull(begin.get(fault)), members);
  }

  /**
   * Ends a fault, if it has a command for that.
   *
   * @throws QuorateException if it fails, or does not end in time
   */
  void end(Fault fault, List<Member> members) {
    if (end.containsKey(fault)) {
      run(end.get(fault), members);
    }
  }

  private static void run(String command, List<Member> members) {
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", "-c", command)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true);
    builder.environment().keySet().removeAll(Login.VARIABLES);
    builder
        .environment()
        .putAll(
            Map.of(
                MEMBERS,
                members.stream().map(Member::name).collect(Collectors.joining(" ")),
                ENDPOINTS,
                members.stream()
                    .map(each -> "" + each.endpoint())
                    .collect(Collectors.joining(" "))));
    try {
      Process process = builder.start();
      Output output = new Output(process.getInputStream());
      Thread reader = DaemonThreads.start("fault-command", output);
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new QuorateException(
            "the command did not end within %d s: %s".formatted(LIMIT_SECONDS, command));
      }
      if (process.exitValue() != 0) {
        reader.join(TimeUnit.SECONDS.toMillis(1));
        throw new QuorateException(
            "the command ended with exit code %d: %s"
                .formatted(process.exitValue(), VisibleText.line(output.text().strip())));
      }
    } catch (IOException failure) {
      throw new QuorateException("the command cannot be run: " + failure.getMessage(), failure);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads all output of a command, and keeps its beginning. */
  private static final class Output implements Runnable {
    private final InputStream stream;
    private final StringBuffer kept = new StringBuffer();

    Output(InputStream stream) {
      this.stream = stream;
    }

    @Override
    public void run() {
      byte[] piece = new byte[1024];
      try (stream) {
        for (int read = stream.read(piece); read >= 0; read = stream.read(piece)) {
          if (kept.length() < MAX_OUTPUT) {
            kept.append(new String(piece, 0, read, StandardCharsets.UTF_8));
          }
        }
      } catch (IOException ended) {
        kept.append(ended.getMessage());
      }
    }

    String text() {
      return kept.toString();
    }
  }
}
