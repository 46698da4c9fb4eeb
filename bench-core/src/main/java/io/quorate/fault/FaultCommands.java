// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cluster.Member;
import io.quorate.cluster.process.GuardedCommand;
import io.quorate.format.TextFile;
import io.quorate.scenario.Fault;
import io.quorate.scenario.FaultPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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
      Matcher parts = LINE.matcher(line);
      String key = parts.matches() ? parts.group(1) : line.replaceFirst("(?s)[^a-z-].*", "");
      String at = "%s:%d: found %s, expected ".formatted(file, number, VisibleText.quoted(key));
      if (!parts.matches()) {
        problems.add(at + EXPECTED);
      } else if (FaultPlan.Kind.parse(key).isEmpty()) {
        problems.add(at + "one of " + String.join(", ", FaultPlan.ids()));
      } else {
        Fault fault = FaultPlan.Kind.parse(key).get().fault();
        Map<Fault, String> commands = parts.group(2) == null ? begin : end;
        if (commands.putIfAbsent(fault, parts.group(3)) != null) {
          problems.add(at + "each command once");
        }
      }
    }
    end.keySet().stream()
        .filter(each -> !begin.containsKey(each))
        .map(each -> "%1$s: found '%2$s end', expected '%2$s' as well".formatted(file, each.id()))
        .forEach(problems::add);
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
  public String text(Fault fault) {
    return "runs the command '%s'%s"
        .formatted(
            fault.id(),
            end.containsKey(fault) ? ", and at the end '%s end'".formatted(fault.id()) : "");
  }

  public boolean has(Fault fault) {
    return begin.containsKey(fault);
  }

  /**
   * Returns the commands of a fault.
   *
   * @param log receives what a command that failed has written
   */
  GuardedCommand of(Fault fault, List<Member> members, Consumer<String> log) {
    return new GuardedCommand(
        fault.id(),
        Optional.ofNullable(end.get(fault)),
        Map.of(
            MEMBERS,
            members.stream().map(Member::name).collect(Collectors.joining(" ")),
            ENDPOINTS,
            members.stream().map(each -> "" + each.endpoint()).collect(Collectors.joining(" "))),
        log);
  }
}
