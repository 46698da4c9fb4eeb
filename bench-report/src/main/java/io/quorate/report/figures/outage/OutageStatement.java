// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures.outage;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.history.Contradiction;
import io.quorate.history.Linearizability;
import io.quorate.measure.Verification;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.manifest.StoreInfo;
import io.quorate.scenario.FaultPlan;
import io.quorate.store.server.TimeRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * What the faults of a database showed, in sentences.
 *
 * @param card one sentence to share, with its full stop
 * @param longer outages that are longer than expected, each in words
 * @param shorter outages that are shorter than expected, each in words
 * @param violated whether it broke a guarantee
 * @param undecided whether a complete run caused fewer faults than planned
 */
public record OutageStatement(
    String card, List<String> longer, List<String> shorter, boolean violated, boolean undecided) {
  /** Part of the shortest expected time below which an outage is too short. */
  private static final double SHORT = 0.8;

  /** Returns the statement about a database. Of a disturbed run, it does not judge times. */
  public static OutageStatement of(Manifest manifest, FaultFigures faults, boolean disturbed) {
    StoreInfo store = manifest.store();
    String seen =
        store.titleAndVersion()
            + ": "
            + verdict(faults, manifest.verification())
            + faults.shortfall().map("; "::concat).orElse("");
    return new OutageStatement(
        VisibleText.of(seen + (disturbed ? "" : firstOutage(faults)) + "."),
        disturbed ? List.of() : deviations(store.name(), faults, OutageStatement::isLonger),
        disturbed ? List.of() : deviations(store.name(), faults, OutageStatement::isShorter),
        isViolated(faults) || manifest.verification().filter(Verification::failed).isPresent(),
        manifest.status() == RunStatus.COMPLETE && faults.shortfall().isPresent());
  }

  /** Returns whether the faults broke a guarantee. */
  public static boolean isViolated(FaultFigures faults) {
    return !faults.checked().isLinearizable()
        || faults.contention().verdict() == Linearizability.Verdict.NOT_LINEARIZABLE
        || faults.agreement().filter(found -> found.differing() > 0).isPresent()
        || faults.survivedRun().filter(found -> found.lost() > 0).isPresent();
  }

  /** Returns the outages of the first fault, and the worst one if that is another. */
  private static String firstOutage(FaultFigures faults) {
    Map<FaultPlan.Kind, OutageTime> medians = new LinkedHashMap<>();
    faults
        .byKind()
        .forEach(
            (kind, outages) ->
                spread(outages, OutageMetric.WRITES_STOPPED)
                    .ifPresent(found -> medians.put(kind, found.median())));
    Optional<FaultPlan.Kind> worst =
        medians.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    return faults.byKind().entrySet().stream()
        .findFirst()
        .map(
            first ->
                "; "
                    + outage(first.getValue())
                    + " when "
                    + first.getKey().text()
                    + worstClient(first.getValue())
                    + worst
                        .filter(kind -> !kind.equals(first.getKey()))
                        .map(
                            kind ->
                                "; for %s when %s"
                                    .formatted(
                                        Objects.requireNonNull(medians.get(kind)).text(),
                                        kind.text()))
                        .orElse(""))
        .orElse("");
  }

  private static String worstClient(List<Outage> outages) {
    return spread(outages, OutageMetric.WORST_CLIENT)
        .map(found -> ", and for the worst client for " + found.median().text())
        .orElse("");
  }

  private static String verdict(FaultFigures faults, Optional<Verification> readBack) {
    long lost = faults.checked().counts().getOrDefault(Contradiction.Kind.LOST_WRITE, 0L);
    String requests = NumberFormats.count(faults.requests(), "request");
    if (lost > 0) {
      return NumberFormats.count(lost, "acknowledged write") + " lost in " + requests;
    }
    long wrong = readBack.map(each -> each.missingKeys() + each.wrongKeys()).orElse(0L);
    if (wrong > 0) {
      return "%s lost or wrong after the load, of %s read"
          .formatted(
              NumberFormats.count(wrong, "acknowledged key"),
              NumberFormats.commas(readBack.get().readKeys()));
    }
    long uncounted = readBack.map(Verification::uncounted).orElse(0L);
    if (uncounted > 0) {
      return NumberFormats.count(uncounted, "acknowledged key") + " missing in the store's count";
    }
    return isViolated(faults)
        ? "a guarantee broke in " + requests
        : "no lost write seen in " + requests;
  }

  private static String outage(List<Outage> outages) {
    return spread(outages, OutageMetric.WRITES_STOPPED)
        .map(found -> "writes stopped for " + found.text())
        .orElse("there were no writes");
  }

  /** Returns a time of each injection; empty if there is none. */
  public static Optional<OutageSpread> spread(List<Outage> outages, OutageMetric metric) {
    return OutageSpread.of(outages.stream().flatMap(each -> metric.of(each).stream()).toList());
  }

  private static List<String> deviations(
      String name, FaultFigures faults, BiPredicate<OutageTime, TimeRange> isDeviation) {
    List<String> texts = new ArrayList<>();
    faults
        .byKind()
        .forEach(
            (kind, outages) -> {
              Optional<TimeRange> expected = faults.expected(kind);
              spread(outages, OutageMetric.WRITES_STOPPED)
                  .map(OutageSpread::median)
                  .filter(median -> expected.filter(e -> isDeviation.test(median, e)).isPresent())
                  .ifPresent(
                      median ->
                          texts.add(
                              VisibleText.of(
                                  "%s %s, %s instead of %s"
                                      .formatted(
                                          name,
                                          kind,
                                          median.text(),
                                          ExpectedOutage.text(expected.orElseThrow())))));
            });
    return texts;
  }

  private static boolean isLonger(OutageTime median, TimeRange expected) {
    return median.ms() > expected.mostMs();
  }

  private static boolean isShorter(OutageTime median, TimeRange expected) {
    return median.ended() && median.ms() < SHORT * expected.leastMs();
  }
}
