// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.QuorateException;
import io.quorate.format.NumberFormats;
import io.quorate.host.NetworkPath;
import io.quorate.measure.GeneratorDelay;
import io.quorate.results.DatabaseRun;
import io.quorate.results.capacity.SearchRecord;
import io.quorate.results.capacity.TrialRow;
import io.quorate.results.hosts.HostMeasurements;
import io.quorate.results.hosts.HostSamples;
import io.quorate.results.hosts.HostTimeline;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.manifest.StepUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The part of the load generator's CPUs that processes outside of the run used in each step.
 *
 * @param costs costs of the steps to the load generator; none if they are not known
 * @param ours steps of the servers on this machine and of the relay; empty if their CPU is not
 *     known, as that of a killed member
 * @param machine steps of the load generator's machine
 * @param named programs outside of the run, each the busiest of its time; none of a server
 * @param trials trials that decided about a capacity; none if their servers' CPU is not known
 */
public record ForeignCpu(
    List<StepUsage> costs,
    int cores,
    Optional<List<List<HostTimeline.Step>>> ours,
    List<HostTimeline.Step> machine,
    List<OtherProcess> named,
    List<TrialRow> trials) {
  /** Shortest time in which the machine's load is known: the kernel counts ticks of 10 ms. */
  private static final double MIN_NANOS = 1e9;

  private static final double NANOS_PER_MILLI = 1e6;
  private static final String CPU = ServerColumn.CPU_MILLISECONDS;

  private static final ForeignCpu UNKNOWN =
      new ForeignCpu(List.of(), 1, Optional.empty(), List.of(), List.of(), List.of());

  static ForeignCpu of(DatabaseRun run) {
    try {
      return run.manifest().shards().isEmpty() ? read(run) : UNKNOWN;
    } catch (QuorateException unreadable) { // reported with the other values of the machines
      return UNKNOWN;
    }
  }

  private static ForeignCpu read(DatabaseRun run) {
    Manifest manifest = run.manifest();
    HostMeasurements machines = run.machines();
    HostSamples rows = machines.client();
    List<Integer> here = membersHere(manifest, rows);
    return new ForeignCpu(
        manifest.costs(),
        manifest.host().cores(),
        ours(manifest, machines, here),
        machines.steps(machines.files().client(), List.of(CPU)),
        OtherProcess.strangers(rows, manifest.store().baseId()),
        run.searches().stream()
            .flatMap(search -> decided(search).stream())
            .filter(trial -> here.isEmpty() || trial.serverCores().isPresent())
            .toList());
  }

  private static Optional<List<List<HostTimeline.Step>>> ours(
      Manifest manifest, HostMeasurements machines, List<Integer> here) {
    List<List<HostTimeline.Step>> ours = new ArrayList<>();
    for (int member : here) {
      List<HostTimeline.Step> steps = machines.steps(machines.files().server(member), List.of(CPU));
      if (steps.isEmpty() || steps.size() < manifest.costs().size()) {
        return Optional.empty(); // its CPU time would count as that of others
      }
      ours.add(steps);
    }
    ours.add(machines.steps(machines.files().relay(), List.of(CPU)));
    return manifest.costs().stream().allMatch(cost -> cost.machineLoad().isPresent())
        ? Optional.of(ours)
        : Optional.empty();
  }

  /** Returns the numbers of the members that run on the load generator's machine, or may do so. */
  private static List<Integer> membersHere(Manifest manifest, HostSamples rows) {
    if (manifest.store().runsInLoadGenerator()) {
      return List.of();
    }
    ServerInfo servers = manifest.store().servers();
    boolean given = servers.are(ServerInfo.Hosting.GIVEN);
    boolean near = given && OtherProcess.mayIncludeServers(rows);
    List<String> machines = servers.machines();
    return IntStream.rangeClosed(1, machines.size())
        .filter(
            member -> {
              String host = machines.get(member - 1);
              return isHere(host, manifest) || near || given && NetworkPath.isHere(host);
            })
        .boxed()
        .toList();
  }

  /** Returns the trials that decided; without a conclusion, all that were not spoiled. */
  private static List<TrialRow> decided(SearchRecord search) {
    List<TrialRow> decided =
        search.conclusion().stream()
            .flatMap(end -> Stream.of(end.holds(), end.fails()))
            .flatMap(Optional::stream)
            .flatMap(bound -> search.deciding(bound.load()).stream())
            .toList();
    return decided.isEmpty()
        ? search.trials().stream().filter(trial -> !trial.isSpoiled()).toList()
        : decided;
  }

  /** Returns whether an address is one of the load generator's machine. */
  public static boolean isHere(String host, Manifest manifest) {
    return host.startsWith("127.")
        || host.equals("localhost")
        || host.equals("[::1]")
        || manifest.host().host().filter(host::equals).isPresent();
  }

  /**
   * Returns a phrase about the part in the whole run, or in the trials that decided about a
   * capacity, if that is more than {@value GeneratorDelay#MOST_OTHERS}.
   */
  Optional<String> tooMuch() {
    double part = trials.isEmpty() ? least(any -> true) : ofTrials();
    return part > GeneratorDelay.MOST_OTHERS
        ? Optional.of(
            "other processes used %s%s%% of the load generator's CPUs"
                .formatted(
                    trials.isEmpty() && ours.isEmpty() ? "at least " : "",
                    NumberFormats.fixed(100 * part, 0)))
        : Optional.empty();
  }

  private double ofTrials() {
    double others = 0;
    double seconds = 0;
    for (TrialRow trial : trials) {
      if (trial.machineBusy().isPresent()) {
        double own = trial.loadGeneratorCores() + trial.serverCores().orElse(0);
        others +=
            trial.measuredSeconds() * (trial.machineBusy().getAsDouble() * cores - own) / cores;
        seconds += trial.measuredSeconds();
      }
    }
    return seconds == 0 ? 0 : others / seconds;
  }

  /** Returns whether others used too much in the whole run, or in one of these steps. */
  boolean disturbs(IntPredicate steps) {
    return tooMuch().isPresent()
        || costs.stream()
            .mapToInt(StepUsage::step)
            .filter(steps)
            .anyMatch(step -> least(each -> each == step) > GeneratorDelay.MOST_OTHERS);
  }

  /** Returns the part in some steps or, if it is not known, that of the programs that are named. */
  private double least(IntPredicate steps) {
    if (ours.isPresent()) {
      return part(steps).orElse(0);
    }
    double others = 0;
    double millis = 0;
    for (int i = 0; i < machine.size(); i++) {
      if (steps.test(i + 1)) {
        double from = machine.get(i).beginNanos() / NANOS_PER_MILLI;
        double to = machine.get(i).endNanos() / NANOS_PER_MILLI;
        others += named.stream().mapToDouble(each -> each.millisIn(from, to)).sum();
        millis += to - from;
      }
    }
    return millis * NANOS_PER_MILLI < MIN_NANOS ? 0 : others / millis / cores;
  }

  /** Returns the part in some steps, 0 to 1; empty if it is not known or they were too short. */
  public OptionalDouble part(IntPredicate steps) {
    double all = 0;
    double nanos = 0;
    for (StepUsage cost : ours.isPresent() ? costs : List.<StepUsage>of()) {
      if (steps.test(cost.step())) {
        double own = cost.cpuNanos();
        for (List<HostTimeline.Step> process : ours.get()) {
          own +=
              process.size() < cost.step()
                  ? 0
                  : process.get(cost.step() - 1).growth(CPU) * NANOS_PER_MILLI;
        }
        all += cost.machineLoad().orElseThrow() * cost.elapsedNanos() * cores - own;
        nanos += cost.elapsedNanos();
      }
    }
    return nanos < MIN_NANOS || Double.isNaN(all)
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.max(0, all / nanos / cores));
  }
}
