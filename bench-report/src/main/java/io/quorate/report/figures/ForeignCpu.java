// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import io.quorate.QuorateException;
import io.quorate.results.DatabaseRun;
import io.quorate.results.capacity.TrialRow;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.HostTimeline;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.StepUsage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;

/**
 * The part of the load generator's CPUs that processes outside of the run used in each step.
 *
 * @param costs costs of the steps to the load generator; none if they are not known
 * @param ours steps of the servers on this machine and of the relay
 * @param trials trials of capacity searches; none if their servers' CPU is not known
 */
public record ForeignCpu(
    List<StepUsage> costs, int cores, List<List<HostTimeline.Step>> ours, List<TrialRow> trials) {
  /** Greatest part that leaves the results usable. */
  public static final double MOST = 0.25;

  /** Shortest time in which the machine's load is known: the kernel counts ticks of 10 ms. */
  private static final double MIN_NANOS = 1e9;

  private static final double NANOS_PER_MILLI = 1e6;
  private static final String CPU = ServerColumn.CPU_MILLISECONDS;

  private static final ForeignCpu UNKNOWN = new ForeignCpu(List.of(), 1, List.of(), List.of());

  static ForeignCpu of(DatabaseRun run) {
    try {
      return read(run);
    } catch (QuorateException unreadable) { // reported with the other values of the machines
      return UNKNOWN;
    }
  }

  private static ForeignCpu read(DatabaseRun run) {
    Manifest manifest = run.manifest();
    List<String> machines = manifest.store().servers().machines();
    HostFiles files = new HostFiles(run.directory());
    List<List<HostTimeline.Step>> ours = new ArrayList<>();
    boolean servers = !manifest.store().runsInLoadGenerator();
    for (int member = 1; servers && member <= machines.size(); member++) {
      if (isHere(machines.get(member - 1), manifest)) {
        List<HostTimeline.Step> steps = steps(files.server(member));
        if (steps.size() < manifest.costs().size()) {
          return UNKNOWN; // its CPU time would count as that of others
        }
        ours.add(steps);
      }
    }
    ours.add(steps(files.relay()));
    boolean known =
        manifest.shards().isEmpty()
            && manifest.costs().stream().allMatch(cost -> cost.machineLoad().isPresent());
    List<TrialRow> trials =
        run.searches().stream().flatMap(search -> search.trials().stream()).toList();
    return known
        ? new ForeignCpu(manifest.costs(), manifest.host().cores(), ours, trials)
        : UNKNOWN;
  }

  private static List<HostTimeline.Step> steps(Path file) {
    return HostTimeline.ofSteps(file, List.of(CPU)).map(HostTimeline::steps).orElse(List.of());
  }

  /** Returns whether an address is one of the load generator's machine. */
  public static boolean isHere(String host, Manifest manifest) {
    return host.startsWith("127.")
        || host.equals("localhost")
        || host.equals("[::1]")
        || manifest.host().host().filter(host::equals).isPresent();
  }

  /**
   * Returns the part in the whole run or, if it is greater, in its trials, if that is more than
   * {@value #MOST}.
   */
  OptionalDouble tooMuch() {
    double part = Math.max(part(any -> true).orElse(0), ofTrials());
    return part > MOST ? OptionalDouble.of(part) : OptionalDouble.empty();
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
            .anyMatch(step -> part(each -> each == step).orElse(0) > MOST);
  }

  /** Returns the part in some steps, 0 to 1; empty if it is not known or they were too short. */
  public OptionalDouble part(IntPredicate steps) {
    double all = 0;
    double nanos = 0;
    for (StepUsage cost : costs) {
      if (steps.test(cost.step())) {
        double own = cost.cpuNanos();
        for (List<HostTimeline.Step> process : ours) {
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
