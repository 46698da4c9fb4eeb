// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.host.NetworkPath;
import io.quorate.results.hosts.HostSamples;
import io.quorate.store.server.ServerKind;
import io.quorate.stores.Stores;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The program outside of the run that used most CPU between two rows.
 *
 * @param row number of the later row
 * @param startMillis time of the earlier row, in milliseconds since 1970
 * @param cpus CPUs that it used on average
 */
public record OtherProcess(
    String name, int row, double startMillis, double endMillis, double cpus) {
  private static final Pattern CELL = Pattern.compile("(.+) (\\d+)");
  private static final double NANOS_PER_MILLI = 1e6;

  /** Time between two looks at processes in versions that did not record it. */
  private static final double USUAL_MILLIS = 1_000;

  /** Length at which the kernel cuts off the name of a program. */
  private static final int NAME_LENGTH = 15;

  /**
   * Returns whether the servers of an existing cluster may be among the processes of the machine:
   * traffic to any address of the machine was measured at the loopback interface, and traffic to
   * its containers at their bridge.
   */
  static boolean mayIncludeServers(HostSamples rows) {
    return rows.size() > 0 && NetworkPath.leadsHere(rows.text("INTERFACE", rows.size() - 1));
  }

  /** Returns the programs of {@link #all} that are not servers of a store. */
  static List<OtherProcess> strangers(HostSamples rows, String store) {
    Set<String> servers = servers(store);
    return all(rows).stream().filter(each -> !servers.contains(each.name())).toList();
  }

  /** Returns the programs of {@link #all} that are not servers of an existing cluster. */
  public static List<OtherProcess> besideExistingCluster(HostSamples rows, String store) {
    return mayIncludeServers(rows) ? strangers(rows, store) : all(rows);
  }

  /** Returns the programs of the servers of a store, and of the way to them. */
  private static Set<String> servers(String store) {
    Set<String> programs = new HashSet<>(Set.of("docker-proxy"));
    for (ServerKind kind :
        Stores.byId(store).map(each -> Stores.servers(each).kinds()).orElse(List.of())) {
      programs.add(kind.id().substring(0, Math.min(kind.id().length(), NAME_LENGTH)));
      if (kind.program().isEmpty()) {
        programs.add("java"); // ZooKeeper, which needs no other program
      }
    }
    return programs;
  }

  /** Returns the program of each row that names one. */
  public static List<OtherProcess> all(HostSamples rows) {
    double[] times = rows.values("OTHERS-TIME-MILLISECONDS");
    double[] machine = rows.values("CPUS");
    List<OtherProcess> all = new ArrayList<>();
    for (int i = 1; i < rows.size(); i++) {
      Matcher cell = CELL.matcher(rows.text("PROCESS-CPU-OTHERS", i));
      if (cell.matches()) {
        double start = rows.unixNanos(i - 1) / NANOS_PER_MILLI;
        double end = rows.unixNanos(i) / NANOS_PER_MILLI;
        double measured = times[i] > 0 ? times[i] : Math.max(USUAL_MILLIS, end - start);
        double cpus = Double.parseDouble(cell.group(2)) / measured;
        // without its own time, a row may carry another one than the look
        all.add(
            new OtherProcess(
                cell.group(1),
                i,
                start,
                end,
                Double.isNaN(machine[i]) ? cpus : Math.min(machine[i], cpus)));
      }
    }
    return all;
  }

  /** Returns the CPU time that it used within a time, in milliseconds. */
  public double millisIn(double fromMillis, double toMillis) {
    return cpus * Math.max(0, Math.min(endMillis, toMillis) - Math.max(startMillis, fromMillis));
  }
}
