package io.quorate.cli;

import io.quorate.cluster.standing.StandingClusters.MemberStatus;
import io.quorate.cluster.standing.StandingClusters.Status;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The state of a cluster that was left running, as lines for people. */
final class ClusterStatusText {
  private ClusterStatusText() {}

  /** Returns a line about the cluster and one about each of its members. */
  static String of(Status status) {
    if (status.members().isEmpty()) {
      return "%s is being started, or its start was cut short: './quorate cluster down %s' tidies up"
          .formatted(status.database(), status.database());
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s %s, %d of %d members alive; logs and data in %s",
            status.database(),
            status.version().orElse("(does not answer)"),
            status.members().stream().filter(MemberStatus::alive).count(),
            status.members().size(),
            status.directory()));
    for (MemberStatus each : status.members()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %-12s %-16s %-8s pid %-8s %s",
              each.member().name(),
              each.member().endpoint(),
              role(each),
              each.member().pids().stream().map(String::valueOf).collect(Collectors.joining("+")),
              each.member().log().map(Path::toString).orElse("")));
    }
    return String.join("\n", lines);
  }

  private static String role(MemberStatus member) {
    if (!member.alive()) {
      return "dead";
    }
    if (!member.answers()) {
      return "silent";
    }
    return member.leads() ? "leader" : "follower";
  }
}
