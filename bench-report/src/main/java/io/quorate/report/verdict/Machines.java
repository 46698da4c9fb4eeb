package io.quorate.report.verdict;

import io.quorate.run.DatabaseRun;
import io.quorate.run.Manifest;
import io.quorate.run.StepCost;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Where servers and load generator ran, and whether there was room enough, in sentences. */
final class Machines {
  private static final double PERCENT = 100;

  /** Which part of all processors is as good as all. */
  private static final double BUSY = 0.9;

  private Machines() {}

  /** Which databases shared a machine with the load generator. */
  static List<String> shared(Map<String, DatabaseRun> complete) {
    Map<Integer, List<String>> sharing = new LinkedHashMap<>();
    complete.forEach(
        (name, run) -> {
          if (isOne(run.manifest())) {
            sharing
                .computeIfAbsent(run.manifest().host().cores(), cores -> new ArrayList<>())
                .add(name);
          }
        });
    List<String> sentences = new ArrayList<>();
    sharing.forEach(
        (cores, names) ->
            sentences.add(
                "The servers of %s and the load generator shared one machine with %s, for which they competed, and no network lay between them."
                    .formatted(Prose.list(names), cores(cores))));
    return sentences;
  }

  /**
   * Whether there may have been too few processors where the load was made: by how busy they were
   * in the busiest step, whatever it was that used them, or, in runs that did not watch that, by
   * the peaks of the processes that were sampled.
   */
  static List<String> busy(Map<String, DatabaseRun> complete, List<Standing> standings) {
    List<String> watched = new ArrayList<>();
    List<String> sampled = new ArrayList<>();
    for (Standing standing : standings) {
      Manifest manifest = complete.get(standing.name()).manifest();
      OptionalDouble load = load(manifest);
      double there = PERCENT * manifest.host().cores();
      double used = used(standing, manifest);
      if (load.isPresent() && load.getAsDouble() >= BUSY) {
        watched.add(standing.name() + ": " + Prose.percent(PERCENT * load.getAsDouble()));
      } else if (load.isEmpty() && used >= BUSY * there) {
        sampled.add(
            "%s: %s of %s".formatted(standing.name(), Prose.percent(used), Prose.percent(there)));
      }
    }
    List<String> sentences = new ArrayList<>();
    if (!watched.isEmpty()) {
      sentences.add(
          "Where the load was made, the processors were 90 %% busy or more in a step (%s), so they may have been the limit, and not the database."
              .formatted(String.join("; ", watched)));
    }
    if (!sampled.isEmpty()) {
      sentences.add(
          "Where the load was made, the peaks of CPU use add up to 90 %% or more of what there is (%s), so the processors may have been the limit, and not the database."
              .formatted(String.join("; ", sampled)));
    }
    return sentences;
  }

  private static OptionalDouble load(Manifest manifest) {
    return manifest.costs().stream()
        .map(StepCost::machineLoad)
        .flatMapToDouble(OptionalDouble::stream)
        .max();
  }

  /** In percent of a core. */
  private static double used(Standing standing, Manifest manifest) {
    double servers =
        isOne(manifest)
            ? standing.serverCpuPercent().orElse(0) * manifest.store().members().size()
            : 0;
    return standing.clientCpuPercent().orElse(0) + servers;
  }

  private static boolean isOne(Manifest manifest) {
    List<String> machines = manifest.store().machines();
    return !machines.isEmpty() && machines.stream().allMatch(each -> isOn(each, manifest));
  }

  /** Whether a member is where the load was made. */
  private static boolean isOn(String host, Manifest manifest) {
    return host.startsWith("127.")
        || host.equals("localhost")
        || host.equals("[::1]")
        || manifest.host().host().filter(host::equals).isPresent();
  }

  static String cores(int cores) {
    return cores + (cores == 1 ? " core" : " cores");
  }
}
