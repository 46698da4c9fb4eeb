// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.ForeignCpu;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.ServerInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reports, in sentences, where servers and load generator ran, and who else used their CPUs. */
final class Machines {
  private static final double PERCENT = 100;

  /** Part of the CPUs from which on other processes are worth a sentence. */
  private static final double OTHERS = 0.05;

  private Machines() {}

  /**
   * Returns sentences about the databases that shared a machine with the load generator, or may
   * have shared it.
   */
  static List<String> shared(List<DatabaseFigures> complete) {
    Map<Integer, List<String>> within = new LinkedHashMap<>();
    Map<Integer, List<String>> sharing = new LinkedHashMap<>();
    List<String> given = new ArrayList<>();
    for (DatabaseFigures each : complete) {
      String name = each.name();
      Manifest manifest = each.run().manifest();
      int cores = manifest.host().cores();
      if (manifest.store().runsInLoadGenerator()) {
        within.computeIfAbsent(cores, any -> new ArrayList<>()).add(name);
      } else if (isGiven(manifest)) {
        given.add("%s: %s".formatted(name, addresses(manifest)));
      } else if (isOne(manifest)) {
        sharing.computeIfAbsent(cores, any -> new ArrayList<>()).add(name);
      }
    }
    List<String> sentences = new ArrayList<>();
    within.forEach(
        (cores, names) ->
            sentences.add(
                "%s ran within the load generator itself, on a machine with %s: there were no servers and no network."
                    .formatted(Phrases.list(names), NumberFormats.count(cores, "core"))));
    sharing.forEach(
        (cores, names) ->
            sentences.add(
                ("The servers of %s and the load generator shared one machine with %s: they "
                        + "competed for CPU, and no network was involved.")
                    .formatted(Phrases.list(names), NumberFormats.count(cores, "core"))));
    if (!given.isEmpty()) {
      sentences.add(
          "Only the addresses of these servers are known (%s), not their hardware or network."
              .formatted(String.join("; ", given)));
    }
    return sentences;
  }

  /**
   * Returns whether the run used an existing cluster; even an address of this machine may be the
   * end of a tunnel.
   */
  private static boolean isGiven(Manifest manifest) {
    Optional<ServerInfo.Hosting> hosting = manifest.store().servers().hosting();
    return hosting.isPresent() ? hosting.get() == ServerInfo.Hosting.GIVEN : isOne(manifest);
  }

  private static String addresses(Manifest manifest) {
    String all =
        Phrases.list(manifest.store().servers().members().stream().map(VisibleText::of).toList());
    return isOne(manifest) ? all + ", of the load generator's own machine" : all;
  }

  /**
   * Returns how much of the load generator's CPUs other processes used; nothing where that is less
   * than {@value #OTHERS} of them or not known.
   */
  static List<String> others(List<DatabaseFigures> compared) {
    List<String> parts = new ArrayList<>();
    for (DatabaseFigures each : compared) {
      double part = each.others().part(any -> true).orElse(0);
      if (part >= OTHERS) {
        parts.add("%s: %s%%".formatted(each.name(), NumberFormats.fixed(PERCENT * part, 1)));
      }
    }
    return parts.isEmpty()
        ? List.of()
        : List.of(
            "Other processes used part of the load generator's CPUs (%s)."
                .formatted(String.join("; ", parts)));
  }

  private static boolean isOne(Manifest manifest) {
    List<String> machines = manifest.store().servers().machines();
    return !machines.isEmpty()
        && machines.stream().allMatch(each -> ForeignCpu.isHere(each, manifest));
  }
}
