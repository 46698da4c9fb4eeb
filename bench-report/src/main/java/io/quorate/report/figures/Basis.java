package io.quorate.report.figures;

import io.quorate.measure.GeneratorDelay;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.OperationCounts;
import io.quorate.scenario.Step;
import io.quorate.store.ReadGuarantee;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * The basis of a value of a database: {@link Reservation} tells from it which values compare.
 *
 * @param reads the guarantee of the reads in it; empty if it has none
 * @param planned requests; empty if the load ends by time or that is not known
 * @param intended requests, those that failed or were dropped too
 * @param failed requests
 * @param dropped requests that were due but not sent
 * @param generator what the load generator contributed to it
 * @param givenRate whether requests were sent at a given rate
 * @param own reservations about this value alone
 */
public record Basis(
    Optional<ReadGuarantee> reads,
    OptionalLong planned,
    long intended,
    long failed,
    long dropped,
    Generator generator,
    boolean givenRate,
    Set<Reservation> own) {
  /**
   * The contribution of the load generator to latencies.
   *
   * @param delayed the percentiles of which its delay is more than a tenth
   * @param meanDelayed whether its mean delay is more than a tenth of the mean
   * @param realTime whether it had real-time priority
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

  public static final Basis UNKNOWN =
      new Basis(Optional.empty(), OptionalLong.empty(), 0, 0, 0, Set.of());

  /** Creates the basis of a value to which the load generator contributed nothing. */
  public Basis(
      Optional<ReadGuarantee> reads,
      OptionalLong planned,
      long intended,
      long failed,
      long dropped,
      Set<Reservation> own) {
    this(reads, planned, intended, failed, dropped, Generator.NEUTRAL, false, own);
  }

  public Basis at(Percentile percentile) {
    return generator.delayed.contains(percentile) ? with(Reservation.GENERATOR_DELAY) : this;
  }

  public Basis atMean() {
    return generator.meanDelayed ? with(Reservation.GENERATOR_DELAY) : this;
  }

  public Basis atRate() {
    return givenRate ? with(Reservation.GIVEN_RATE) : this;
  }

  static Basis of(DatabaseRun run, Generator generator) {
    OperationCounts counts = run.clients().orElseThrow().counts();
    return new Basis(
        reads(run, run.manifest().load().mix().reads()),
        planned(run, run.manifest().load().requests()),
        run.requests(),
        counts.failed(),
        counts.shed(),
        generator,
        isOfGivenRate(run),
        Set.of());
  }

  static Basis of(
      DatabaseRun run, Optional<OperationCounts> counts, boolean isRead, Generator generator) {
    return new Basis(
        reads(run, isRead),
        counts.isEmpty() ? OptionalLong.empty() : planned(run, counts.get().intended()),
        counts.map(OperationCounts::intended).orElse(0L),
        counts.map(OperationCounts::failed).orElse(0L),
        counts.map(OperationCounts::shed).orElse(0L),
        generator,
        isOfGivenRate(run),
        Set.of());
  }

  private static boolean isOfGivenRate(DatabaseRun run) {
    return run.manifest().load().steps().stream().anyMatch(Step::isOpen);
  }

  private static OptionalLong planned(DatabaseRun run, long requests) {
    return run.manifest().load().endsByTime() ? OptionalLong.empty() : OptionalLong.of(requests);
  }

  private static Optional<ReadGuarantee> reads(DatabaseRun run, boolean isRead) {
    return isRead && run.manifest().load().mix().reads()
        ? Optional.of(guarantee(run))
        : Optional.empty();
  }

  private static ReadGuarantee guarantee(DatabaseRun run) {
    return run.manifest()
        .store()
        .store()
        .map(store -> store.guarantee(run.manifest().load().consistency()))
        .orElse(ReadGuarantee.UNKNOWN);
  }

  Basis failing(long count) {
    return new Basis(reads, planned, intended, count, dropped, generator, givenRate, own);
  }

  /** Returns the basis of a value that no guarantee of reads changes. */
  public Basis withoutReads() {
    return new Basis(
        Optional.empty(), planned, intended, failed, dropped, generator, givenRate, own);
  }

  public Basis with(Reservation reservation) {
    Set<Reservation> more = EnumSet.of(reservation);
    more.addAll(own);
    return new Basis(reads, planned, intended, failed, dropped, generator, givenRate, more);
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
        both);
  }

  public boolean isComplete() {
    return failed + dropped == 0;
  }
}
