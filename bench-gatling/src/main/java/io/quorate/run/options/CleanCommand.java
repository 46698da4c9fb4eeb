// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.options;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.cli.QuorateCommand;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.ExternalCluster;
import io.quorate.cluster.MemberProtocol;
import io.quorate.format.ConsoleText;
import io.quorate.format.NumberFormats;
import io.quorate.load.Connector;
import io.quorate.load.workload.KeyRemoval;
import io.quorate.load.workload.LeftRun;
import io.quorate.load.workload.RunMark;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.server.ServerProtocol;
import io.quorate.stores.Stores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Removes what runs have left in an existing cluster. */
@Command(name = "clean", resourceBundle = "io.quorate.run.options.commands")
final class CleanCommand extends QuorateCommand implements Callable<Integer> {
  private static final Duration YOUNG = Duration.ofHours(1);
  private static final Duration LIMIT = Duration.ofSeconds(15);
  private static final int CONNECTIONS = 100;

  @Option(names = "--database", paramLabel = "ID", required = true)
  private String database;

  @Option(names = "--endpoints", paramLabel = "HOST:PORT", required = true)
  private String endpoints;

  @Mixin private AccessArguments access;

  @Option(names = "--all")
  private boolean all;

  @Option(names = "--yes")
  private boolean yes;

  @Override
  public Integer call() {
    Store store =
        Stores.byId(database)
            .filter(each -> Stores.servers(each).marksRuns())
            .orElseThrow(
                () ->
                    wrongUsage(
                        "--database: found %s, expected one of %s"
                            .formatted(VisibleText.quoted(database), marking())));
    AccessArguments.NamedCluster named =
        access.cluster(store, endpoints, System.getenv(), err()::println);
    String root = named.chroot() + ServerProtocol.KEYS;
    Cluster cluster = ExternalCluster.of(store, named.endpoints(), named.access(), root);
    try (StoreClient client = store.clients().get(0).start()) {
      Connector connector = new Connector(client, named.endpoints(), LIMIT, named.access());
      List<LeftRun> found = LeftRun.find(connector, store.capabilities(), root);
      Instant now = Instant.now();
      List<LeftRun> removed =
          found.stream().filter(each -> all || !each.mayLive(now.minus(YOUNG))).toList();
      list(found, removed, root, now);
      if (!removed.isEmpty() && (yes || isConfirmed())) {
        removed.forEach(each -> remove(each, store, cluster, connector));
      }
    }
    return 0;
  }

  /** Returns the stores whose runs mark their keys. */
  private static String marking() {
    return Stores.all().stream()
        .filter(each -> Stores.servers(each).marksRuns())
        .map(Store::id)
        .collect(Collectors.joining(", "));
  }

  private void list(List<LeftRun> found, List<LeftRun> removed, String root, Instant now) {
    if (found.isEmpty()) {
      out().println("no run has left keys below " + root);
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("keys", "number", "last alive", ""));
    for (LeftRun each : found) {
      rows.add(
          List.of(
              VisibleText.of(each.prefix()),
              NumberFormats.commas(each.keys()),
              each.lastAlive().map(time -> age(Duration.between(time, now))).orElse("unknown"),
              removed.contains(each) ? "to be removed" : "stays: --all removes it, too"));
    }
    ConsoleText.table(rows, column -> column != 1).forEach(out()::println);
  }

  private static String age(Duration age) {
    return age.compareTo(Duration.ofHours(2)) < 0
        ? Math.max(0, age.toMinutes()) + " min ago"
        : age.toHours() + " h ago";
  }

  private boolean isConfirmed() {
    if (!Boolean.getBoolean("quorate.terminal")) {
      out().println("nothing was removed: pass --yes");
      return false;
    }
    out().print("Remove them? [y/N] ");
    out().flush();
    try {
      String answer =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
      return answer != null && answer.strip().equalsIgnoreCase("y");
    } catch (IOException closed) {
      throw new QuorateException("the answer cannot be read: pass --yes", closed);
    }
  }

  private void remove(LeftRun run, Store store, Cluster cluster, Connector connector) {
    int leases = 0;
    try {
      leases =
          new MemberProtocol(store, connector.access()).endLeases(cluster.members(), run.prefix());
    } catch (QuorateException refused) {
      out()
          .println(
              "the leases of %s end by themselves: %s"
                  .formatted(VisibleText.of(run.prefix()), refused.getMessage()));
    }
    new KeyRemoval(run.prefix(), List.of(), CONNECTIONS)
        .run(connector, store.capabilities(), progress -> {});
    RunMark.of(run.prefix()).remove(connector);
    out()
        .println(
            "removed %s%s"
                .formatted(
                    VisibleText.of(run.prefix()),
                    leases == 0
                        ? ""
                        : ", and ended " + NumberFormats.count(leases, "lease") + " of its keys"));
  }
}
