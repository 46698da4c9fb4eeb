// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import static java.util.stream.Collectors.joining;

import io.quorate.format.NumberFormats;
import io.quorate.measure.GeneratorDelay;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.Percentile;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.requests.ClientResults.ErrorCount;
import io.quorate.results.requests.OperationCounts;
import io.quorate.scenario.Step;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.Store;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * The basis of a value of a database, from which {@link Reservation} derives which values are
 * comparable.
 *
 * @param reads guarantee of its reads; empty if it has none
 * @param planned planned number of requests; empty if the load ends by time or if it is not known
 * @param intended number of intended requests, including failed and dropped ones
 * @param generator contribution of the load generator
 * @param own reservations about this value only
 * @param clients numbers of clients, or rates, of all steps that the value covers; empty if the
 *     value covers one load
 */
public record Basis(
    Optional<ReadGuarantee> reads,
    OptionalLong planned,
    long intended,
    long failed,
    long dropped,
    Generator generator,
    boolean givenRate,
    Set<Reservation> own,
    String clients) {
  /**
   * The contribution of the load generator to latencies.
   *
   * @param delayed percentiles of which its delay is more than a tenth
   * @param meanDelayed whether its mean delay is more than a tenth of the mean
   */
  public record Generator(Set<Percentile> delayed, boolean meanDelayed, boolean realTime) {
    static final Generator NEUTRAL = new Generator(Set.of(), false, false);

    static Generator of(
        DatabaseRun run,
        Histogram latencies,
        Map<Percentile, Double> percentilesMs,
        GeneratorDelay delay) {
      Set<Percentile> delayed = EnumSet.noneOf(Percentile.class);
      percentilesMs.forEach(
          (percentile, ms) -> {
            if (percentile.isDistorted(delay, ms)) {
              delayed.add(percentile);
            }
          });
      boolean mean = latencies.getTotalCount() > 0 && delay.distortsMean(latencies.getMean());
      return new Generator(delayed, mean, run.manifest().load().realTime().orElse(false));
    }

    private Generator plus(Generator other) {
      Set<Percentile> both = new HashSet<>(delayed);
      both.addAll(other.delayed);
      return new Generator(both, meanDelayed || other.meanDelayed, realTime || other.realTime);
    }
  }

  public static final Basis UNKNOWN = failing(Optional.empty());

  /**
   * Returns the basis of a percentile.
   *
   * @param successes number of latencies
   */
  public Basis at(Percentile percentile, long successes) {
    Basis carried = percentile.isCarriedBy(successes) ? this : with(Reservation.TOO_FEW);
    return generator.delayed.contains(percentile)
        ? carried.with(Reservation.GENERATOR_DELAY)
        : carried;
  }

  public Basis atMean() {
    return generator.meanDelayed ? with(Reservation.GENERATOR_DELAY) : this;
  }

  /**
   * Returns the basis of a throughput. In a closed loop it is the number of clients divided by the
   * latency: what distorts one distorts the other. Percentiles above p99 are of too few requests to
   * change the mean.
   */
  public Basis atRate() {
    if (givenRate) {
      return with(Reservation.GIVEN_RATE);
    }
    boolean delayed =
        generator.meanDelayed
            || generator.delayed.stream().anyMatch(each -> each.compareTo(Percentile.P99) <= 0);
    return delayed ? with(Reservation.GENERATOR_DELAY) : this;
  }

  /** Returns the basis of all requests of a run, which has the reservations of its requests. */
  static Basis of(DatabaseRun run, Basis requests) {
    OperationCounts counts = run.clients().orElseThrow().counts();
    long planned = run.manifest().load().requests();
    Basis all = of(run, true, planned, run.requests(), counts, requests.generator).withClients(run);
    for (Reservation each : requests.own) {
      all = all.with(each);
    }
    return all;
  }

  static Basis of(
      DatabaseRun run, Optional<OperationCounts> counts, boolean isRead, Generator generator) {
    OperationCounts known = counts.orElse(new OperationCounts("", 0, 0, 0));
    long planned = counts.isEmpty() ? -1 : known.intended();
    return of(run, isRead, planned, known.intended(), known, generator);
  }

  /**
   * Returns the basis of a value.
   *
   * @param planned planned number of requests; negative if it is not known
   */
  private static Basis of(
      DatabaseRun run,
      boolean isRead,
      long planned,
      long intended,
      OperationCounts counts,
      Generator generator) {
    LoadInfo load = run.manifest().load();
    Optional<Store> store = run.manifest().store().store();
    return new Basis(
        isRead && load.mix().reads()
            ? store
                .map(it -> it.guarantee(load.consistency()))
                .or(() -> Optional.of(ReadGuarantee.UNKNOWN))
            : Optional.empty(),
        load.endsByTime() || planned < 0 ? OptionalLong.empty() : OptionalLong.of(planned),
        intended,
        counts.failed(),
        counts.dropped(),
        generator,
        load.steps().stream().anyMatch(Step::isOpen),
        Set.of(),
        "");
  }

  /** Returns the basis of a value of another tool, with its errors if they are known. */
  public static Basis failing(Optional<List<ErrorCount>> errors) {
    long failed = errors.stream().flatMap(List::stream).mapToLong(ErrorCount::count).sum();
    return new Basis(
        Optional.empty(),
        OptionalLong.empty(),
        0,
        failed,
        0,
        Generator.NEUTRAL,
        false,
        Set.of(),
        "");
  }

  /** Returns the basis of a value that does not depend on the guarantee of reads. */
  public Basis withoutReads() {
    return new Basis(
        Optional.empty(), planned, intended, failed, dropped, generator, givenRate, own, clients);
  }

  public Basis with(Reservation reservation) {
    Set<Reservation> more = EnumSet.of(reservation);
    more.addAll(own);
    return new Basis(
        reads, planned, intended, failed, dropped, generator, givenRate, more, clients);
  }

  /** Returns the basis of a value that covers all steps of a run. */
  public Basis withClients(DatabaseRun run) {
    String all =
        run.manifest().load().steps().stream()
            .map(StepFigures::load)
            .map(NumberFormats::commas)
            .distinct()
            .collect(joining(", "));
    return new Basis(reads, planned, intended, failed, dropped, generator, givenRate, own, all);
  }

  /** Returns the basis of the same value of both runs together. */
  public Basis plus(Basis other) {
    Set<Reservation> both = new HashSet<>(own);
    both.addAll(other.own);
    return new Basis(
        reads,
        planned,
        intended + other.intended,
        failed + other.failed,
        dropped + other.dropped,
        generator.plus(other.generator),
        givenRate || other.givenRate,
        both,
        clients);
  }

  public boolean isComplete() {
    return failed + dropped == 0;
  }
}
