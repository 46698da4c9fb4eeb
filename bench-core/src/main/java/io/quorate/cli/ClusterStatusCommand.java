package io.quorate.cli;

import io.quorate.QuorateException;
import io.quorate.cluster.ClusterSettings;
import io.quorate.cluster.standing.PersistentClusters;
import io.quorate.cluster.standing.PersistentClusters.MemberStatus;
import io.quorate.cluster.standing.PersistentClusters.Status;
import io.quorate.install.Installation;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "status",
    description = {
      "Shows the clusters that are running, and the state of their members.",
      "The exit code is 0 if all members answer and one leads, otherwise 1, also if no cluster is"
          + " running."
    })
final class ClusterStatusCommand implements Callable<Integer> {
  private final Installation installation;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "DATABASE",
      completionCandidates = DatabaseById.Ids.class,
      converter = DatabaseById.class,
      description = "The database: ${COMPLETION-CANDIDATES} (default: all with a cluster).")
  private Optional<Store> database;

  ClusterStatusCommand(Installation installation) {
    this.installation = installation;
  }

  @Override
  public Integer call() {
    PersistentClusters clusters =
        new PersistentClusters(
            ClusterSettings.defaults(installation), spec.commandLine().getErr()::println);
    List<Status> all = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Store one : database.map(List::of).orElse(everyStore())) {
      try {
        clusters.status(one).ifPresent(all::add);
      } catch (QuorateException wrong) {
        problems.add(wrong.getMessage());
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    if (all.isEmpty() && problems.isEmpty()) {
      out.println(
          "no cluster"
              + database.map(one -> " of " + one).orElse("")
              + " is up (./quorate cluster up "
              + database.map(Store::id).orElse("etcd")
              + ")");
    }
    all.forEach(status -> out.println(text(status)));
    out.flush();
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
    boolean fine = all.stream().allMatch(Status::isHealthy) && !all.isEmpty();
    return fine ? 0 : Quorate.FAILED;
  }

  private static List<Store> everyStore() {
    return Stream.concat(Stores.all().stream(), Stores.versions().stream()).toList();
  }

  /** Returns a line about the cluster and one about each of its members. */
  static String text(Status status) {
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
