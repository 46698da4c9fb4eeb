package io.quorate.report.figures;

import io.quorate.measure.GeneratorDelay;
import io.quorate.results.DatabaseRun;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.latency.Percentile;
import io.quorate.results.requests.ClientResults;
import io.quorate.results.requests.OperationCounts;
import io.quorate.results.requests.StepRow;
import io.quorate.scenario.Step;
import io.quorate.store.Operation;
import io.quorate.store.ReadGuarantee;
import io.quorate.store.Store;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
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
 * @param own reservations about this value alone
 */
public record Basis(
    Optional<ReadGuarantee> reads,
    OptionalLong planned,
    long intended,
    long failed,
    long dropped,
    Generator generator,
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

    public Generator {
      delayed = Set.copyOf(delayed);
    }

    private static Generator of(
        DatabaseRun run, IntPredicate steps, Predicate<Optional<String>> operations) {
      Histogram latencies =
          run.latencies()
              .together(
                  tag ->
                      tag.time() == LatencyTag.Time.RESPONSE
                          && steps.test(tag.step())
                          && operations.test(tag.operation()));
      GeneratorDelay delay = run.latencies().delay(steps);
      Set<Percentile> delayed = EnumSet.noneOf(Percentile.class);
      StepFigures.percentiles(latencies)
          .forEach(
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

  /** The basis of a value of which nothing else is known. */
  public static final Basis UNKNOWN =
      new Basis(Optional.empty(), OptionalLong.empty(), 0, 0, 0, Set.of());

  public Basis {
    own = Set.copyOf(own);
  }

  /** Creates the basis of a value to which the load generator contributed nothing. */
  public Basis(
      Optional<ReadGuarantee> reads,
      OptionalLong planned,
      long intended,
      long failed,
      long dropped,
      Set<Reservation> own) {
    this(reads, planned, intended, failed, dropped, Generator.NEUTRAL, own);
  }

  /** Returns the basis of a percentile of the latencies. */
  public Basis at(Percentile percentile) {
    return generator.delayed.contains(percentile) ? with(Reservation.GENERATOR_DELAY) : this;
  }

  /** Returns the basis of the mean of the latencies. */
  public Basis atMean() {
    return generator.meanDelayed ? with(Reservation.GENERATOR_DELAY) : this;
  }

  /** Returns the basis of the figures of a whole run. */
  public static Basis of(DatabaseRun run) {
    boolean reads = run.manifest().load().mix().reads();
    Optional<ReadGuarantee> guarantee = reads ? Optional.of(guarantee(run)) : Optional.empty();
    long failed = run.clients().map(ClientResults::errorCount).orElse(0L);
    long dropped = run.clients().map(ClientResults::shedCount).orElse(0L);
    OptionalLong planned =
        run.manifest().load().endsByTime()
            ? OptionalLong.empty()
            : OptionalLong.of(run.manifest().load().requests());
    return new Basis(
        guarantee,
        planned,
        run.requests(),
        failed,
        dropped,
        Generator.of(run, any -> true, any -> true),
        Set.of());
  }

  /** Returns the basis of the figures of one operation of a mix, over all steps. */
  static Basis of(DatabaseRun run, String operation) {
    boolean reads = Operation.named(operation).filter(Operation::isRead).isPresent();
    return of(run)
        .counting(
            run,
            any -> true,
            counts -> counts.operation().equals(operation),
            reads,
            Generator.of(run, any -> true, Optional.of(operation)::equals));
  }

  /** Returns the basis of the figures of the steps with one load. */
  public static Basis ofSteps(DatabaseRun run, Predicate<Step> which) {
    List<Step> steps = run.manifest().load().steps();
    IntPredicate chosen = number -> number <= steps.size() && which.test(steps.get(number - 1));
    return of(run)
        .counting(
            run,
            row -> chosen.test(row.number()),
            any -> true,
            run.manifest().load().mix().reads(),
            Generator.of(run, chosen, any -> true));
  }

  private Basis counting(
      DatabaseRun run,
      Predicate<StepRow> steps,
      Predicate<OperationCounts> operations,
      boolean isRead,
      Generator contribution) {
    List<OperationCounts> counts =
        run.clients().stream()
            .flatMap(results -> results.steps().stream())
            .filter(steps)
            .flatMap(row -> row.operations().stream())
            .filter(operations)
            .toList();
    long intended = counts.stream().mapToLong(OperationCounts::intended).sum();
    return new Basis(
        isRead ? reads : Optional.empty(),
        planned.isEmpty() || counts.isEmpty() ? OptionalLong.empty() : OptionalLong.of(intended),
        intended,
        counts.stream().mapToLong(OperationCounts::failed).sum(),
        counts.stream().mapToLong(OperationCounts::shed).sum(),
        contribution,
        own);
  }

  private static ReadGuarantee guarantee(DatabaseRun run) {
    return run.manifest()
        .store()
        .store()
        .map(store -> guarantee(store, run))
        .orElse(ReadGuarantee.UNKNOWN);
  }

  private static ReadGuarantee guarantee(Store store, DatabaseRun run) {
    return store.guarantee(run.manifest().load().consistency());
  }

  /** Returns this basis with a number of failed requests. */
  Basis failing(long count) {
    return new Basis(reads, planned, intended, count, dropped, generator, own);
  }

  /** Returns the basis of a value that no guarantee of reads changes. */
  public Basis withoutReads() {
    return new Basis(Optional.empty(), planned, intended, failed, dropped, generator, own);
  }

  /** Returns this basis with a reservation about the value. */
  public Basis with(Reservation reservation) {
    Set<Reservation> more = EnumSet.of(reservation);
    more.addAll(own);
    return new Basis(reads, planned, intended, failed, dropped, generator, more);
  }

  /** Returns the basis of the same figure of both runs together. */
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
        both);
  }

  /** Returns whether every intended request succeeded. */
  public boolean isComplete() {
    return failed + dropped == 0;
  }
}
