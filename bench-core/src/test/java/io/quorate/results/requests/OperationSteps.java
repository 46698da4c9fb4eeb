// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.requests;

import io.quorate.measure.ErrorTally;
import io.quorate.measure.Latencies;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.measure.SuccessGaps;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.latency.LatencyLog;
import io.quorate.results.latency.LatencyTag;
import io.quorate.results.manifest.LoadInfo;
import io.quorate.results.manifest.Manifests;
import io.quorate.scenario.ConnectionBinding;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.Step;
import io.quorate.scenario.Steps;
import io.quorate.store.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * Two steps of gets and puts: a closed loop with errors, and an open loop with dropped requests.
 */
public final class OperationSteps {
  private static final long MS = 1_000_000;

  private static final Histogram CLOSED_LAG = histogram(1, 1, 1, 1, 1, 1);
  private static final Histogram RECEIVE_DELAY = histogram(10_000, 20_000);
  private static final Histogram OPEN_LAG = histogram(20 * MS, 3 * MS, 3 * MS, 4 * MS);

  private OperationSteps() {}

  /** The load that the steps are of. */
  public static LoadInfo load() {
    LoadInfo some = Manifests.load(Steps.closed(1, 1, 1));
    return new LoadInfo(
        new OperationMix(
            List.of(
                new OperationMix.Share(Operation.GET, 60),
                new OperationMix.Share(Operation.PUT, 40)),
            OperationMix.ONE_KEY,
            1,
            0,
            OperationMix.USUAL_LEASES),
        some.consistency(),
        some.routing(),
        some.requestTimeout(),
        some.seed(),
        some.keyBytes(),
        some.valueBytes(),
        List.of(
            new Step(new LoadModel.Closed(10, OptionalLong.of(500)), 2, 6, Optional.empty()),
            new Step(
                new LoadModel.Open(8, LoadModel.Arrivals.POISSON, 3),
                4,
                8,
                Optional.of(Duration.ofSeconds(1)))),
        new LoadInfo.ClientName("http2", true),
        new KeySpace(8, KeySpace.Order.HOTSPOT, 1000, true, new KeySpace.HotSet(10, 90)),
        Optional.empty(),
        ConnectionBinding.PINNED,
        Optional.empty(),
        Optional.empty());
  }

  /** Writes a complete run of the steps. */
  public static DatabaseDirectory write(RunDirectory run, String id) {
    DatabaseDirectory directory = run.createDatabase(id);
    List<StepMeasurement> steps = List.of(mixed(), open());
    WrittenSteps.write(directory, steps);
    try (LatencyLog log = LatencyLog.create(directory.latencyLog(), Manifests.START)) {
      for (int i = 0; i < steps.size(); i++) {
        append(log, i + 1, steps.get(i));
      }
    }
    Manifests.withLoad(Manifests.of(id, id, 1, 1), load())
        .completed(Manifests.START.plusSeconds(20))
        .write(directory);
    return directory;
  }

  private static void append(LatencyLog log, int number, StepMeasurement step) {
    for (OperationMeasurement operation : step.operations()) {
      log.append(LatencyTag.response(number, operation.operation()), operation.histogram());
      operation
          .service()
          .ifPresent(
              service -> log.append(LatencyTag.service(number, operation.operation()), service));
    }
    log.append(LatencyTag.of(number, LatencyTag.Time.LAG), number == 1 ? CLOSED_LAG : OPEN_LAG);
    log.append(LatencyTag.of(number, LatencyTag.Time.RECEIVE), RECEIVE_DELAY);
  }

  /** The run in a separate directory. */
  public static DatabaseDirectory write(Path results) {
    return write(RunDirectory.create(results, "quick", 1, Manifests.START), "etcd");
  }

  static StepMeasurement mixed() {
    ErrorTally timeouts = new ErrorTally("timeout", "no answer", 2, 7 * MS);
    List<SecondMeasurement> gets =
        List.of(second(100, 0, MS, 2 * MS), second(101, 0), second(102, 0, 3 * MS));
    List<SecondMeasurement> puts =
        List.of(
            new SecondMeasurement(101, Latencies.NONE, List.of(timeouts)), second(102, 0, 5 * MS));
    List<SecondMeasurement> all = List.of(gets.get(0), puts.get(0), second(102, 0, 3 * MS, 5 * MS));
    return new StepMeasurement(
        10,
        2_500 * MS,
        latencies(MS, 2 * MS, 3 * MS, 5 * MS),
        histogram(MS, 2 * MS, 3 * MS, 5 * MS),
        all,
        new SuccessGaps(1_500 * MS, List.of(new SuccessGaps.Gap(0, 1_500 * MS))),
        List.of(
            new OperationMeasurement(
                "get", histogram(MS, 2 * MS, 3 * MS), Optional.empty(), gets, 0),
            new OperationMeasurement("put", histogram(5 * MS), Optional.empty(), puts, 0)),
        Optional.empty());
  }

  static StepMeasurement open() {
    List<SecondMeasurement> gets = List.of(second(103, 0, 4 * MS, 4 * MS, 4 * MS), second(104, 4));
    List<SecondMeasurement> puts = List.of(second(104, 0, 6 * MS));
    return new StepMeasurement(
        4,
        1_000 * MS,
        latencies(4 * MS, 4 * MS, 4 * MS, 6 * MS),
        histogram(4 * MS, 4 * MS, 4 * MS, 6 * MS),
        List.of(gets.get(0), second(104, 4, 6 * MS)),
        new SuccessGaps(MS, List.of()),
        List.of(
            new OperationMeasurement(
                "get",
                histogram(4 * MS, 4 * MS, 4 * MS),
                Optional.of(histogram(MS, MS, MS)),
                gets,
                0),
            new OperationMeasurement(
                "put", histogram(6 * MS), Optional.of(histogram(2 * MS)), puts, 0)),
        Optional.empty());
  }

  private static SecondMeasurement second(long unixSecond, long dropped, long... nanos) {
    return new SecondMeasurement(unixSecond, latencies(nanos), List.of(), dropped);
  }

  private static Latencies latencies(long... nanos) {
    Latencies all = Latencies.NONE;
    for (long each : nanos) {
      all = all.plus(Golden.latency(each));
    }
    return all;
  }

  private static Histogram histogram(long... nanos) {
    Histogram histogram = new Histogram(3);
    for (long each : nanos) {
      histogram.recordValue(each);
    }
    return histogram;
  }
}
