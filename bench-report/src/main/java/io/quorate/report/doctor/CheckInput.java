// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import io.quorate.report.figures.OtherProcess;
import io.quorate.results.hosts.HostSamples;
import io.quorate.store.server.LogRule;
import io.quorate.store.server.ReportedMetrics;
import io.quorate.store.server.ServerKnowledge;
import io.quorate.stores.Stores;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * What checks read.
 *
 * @param id id of the database
 * @param hasAgents whether members are on other machines, which agents measured
 * @param isLocal whether the run started the members on the load generator's machine
 * @param metrics what members reported about themselves
 * @param machine rows of the load generator's machine
 * @param servers rows of each member, by its number from 1
 * @param remarks what could not be recorded, and why; none if that is not known
 */
record CheckInput(
    String id,
    boolean hasAgents,
    boolean isLocal,
    List<MeasuredStep> steps,
    MemberMetrics metrics,
    HostSamples machine,
    SortedMap<Integer, HostSamples> servers,
    List<String> remarks,
    Probes probes) {
  /** Name of the load generator's machine. */
  static final String LOAD_GENERATOR = "the load generator's machine";

  private static final double NANOS_PER_MS = 1e6;

  /** Returns the same without the machine of an observer, which is not one of the cluster. */
  CheckInput withoutMachine(List<String> missing) {
    return new CheckInput(
        id, hasAgents, isLocal, steps, metrics, HostSamples.NONE, servers, missing, probes);
  }

  /** Returns the programs that a machine's rows name, without servers of an existing cluster. */
  List<OtherProcess> others(HostSamples rows) {
    return hasAgents || isLocal
        ? OtherProcess.all(rows)
        : OtherProcess.besideExistingCluster(rows, store());
  }

  /** Returns whether disks were busy for at least half of the time of some waits for them. */
  boolean diskWasBusy(List<Evidence> waits) {
    double busyMillis = 0;
    double waitMillis = 0;
    for (Evidence wait : waits) {
      HostSamples rows =
          servers.entrySet().stream()
              .filter(each -> member(each.getKey()).equals(wait.source()))
              .map(Map.Entry::getValue)
              .findFirst()
              .orElse(machine);
      double[] busy = rows.growth("DISK-BUSY-MILLISECONDS");
      for (int i = 1; i < rows.size(); i++) {
        if (rows.unixNanos(i) / NANOS_PER_MS >= wait.startMillis()
            && rows.unixNanos(i - 1) / NANOS_PER_MS <= wait.endMillis()
            && !Double.isNaN(busy[i])) {
          busyMillis += busy[i];
        }
      }
      waitMillis += Math.min(wait.ms(), wait.endMillis() - wait.startMillis());
    }
    return busyMillis > 0 && busyMillis >= waitMillis / 2;
  }

  String store() {
    return id.replaceFirst("@.*", "");
  }

  ServerKnowledge knowledge() {
    return Stores.knowledge(id);
  }

  /** Returns the rules for messages in the logs of the members; none of an unknown store. */
  List<LogRule> logRules() {
    return Stores.byId(store()).map(each -> Stores.servers(each).logRules()).orElse(List.of());
  }

  String member(int number) {
    return id + "-" + number;
  }

  double startMillis() {
    return steps.stream().mapToDouble(MeasuredStep::startMillis).min().orElse(0);
  }

  double endMillis() {
    return steps.stream().mapToDouble(MeasuredStep::endMillis).max().orElse(0);
  }

  /** Returns what a member reported while requests were measured. */
  ReportedMetrics values(int member) {
    return metrics.of(member, startMillis(), endMillis());
  }
}
