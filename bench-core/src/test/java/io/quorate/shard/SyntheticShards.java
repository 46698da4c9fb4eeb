// SPDX-License-Identifier: Apache-2.0
package io.quorate.shard;

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
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.manifest.ShardInfo;
import io.quorate.results.manifest.ShardStart;
import io.quorate.results.requests.WrittenSteps;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Shard;
import io.quorate.scenario.SloLimit;
import io.quorate.scenario.Step;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/** Writes runs of shards: puts at a rate, with latencies that are drawn, and an error in each. */
public final class SyntheticShards {
  private static final long SECOND = 1_000_000_000L;
  private static final long FIRST_SECOND = Manifests.START.getEpochSecond();

  private final int count;
  private final int seconds;
  private final int perSecond;

  /**
   * @param count how many shards there are
   * @param perSecond requests of each shard
   */
  public SyntheticShards(int count, int seconds, int perSecond) {
    this.count = count;
    this.seconds = seconds;
    this.perSecond = perSecond;
  }

  /** Writes ten shards of an hour: {@code DIRECTORY}. */
  public static void main(String[] arguments) {
    SyntheticShards shards = new SyntheticShards(10, 3600, 1000);
    for (int number = 1; number <= shards.count; number++) {
      System.out.println(shards.write(Path.of(arguments[0]), number));
    }
  }

  private LoadInfo load(int shares) {
    long requests = (long) shares * seconds * perSecond;
    return Manifests.load(
        new Step(
            new LoadModel.Open(
                (long) shares * perSecond, LoadModel.Arrivals.CONSTANT, 100 * shares),
            10 * shares,
            requests,
            Optional.of(Duration.ofSeconds(seconds))));
  }

  /** Returns the manifest of a shard that has started. */
  Manifest manifest(int number) {
    ShardStart start =
        new ShardStart(
            1,
            Instant.ofEpochSecond(FIRST_SECOND, number * 1_000_000L),
            OptionalLong.of(10),
            Optional.of(new ShardStart.SharedClock(0, 5_000)));
    return Manifests.withLoad(Manifests.of("etcd", "etcd v3.6", 1, 1), load(1))
        .withShard(
            new ShardInfo(
                new Shard(number, count),
                List.of(SloLimit.parse("errors = 0").orElseThrow()),
                load(count),
                List.of(start)));
  }

  /** Writes a complete run of one of them. */
  public RunDirectory write(Path results, int number) {
    RunDirectory run =
        RunDirectory.create(results, "quick", 1, new Shard(number, count), Manifests.START);
    write(run, manifest(number).completed(Manifests.START.plusSeconds(seconds)));
    return run;
  }

  /** Writes a run with this manifest. */
  void write(RunDirectory run, Manifest manifest) {
    DatabaseDirectory directory = run.createDatabase("etcd");
    SplittableRandom random = new SplittableRandom(run.id().hashCode());
    Histogram all = new Histogram(3);
    List<SecondMeasurement> measured = new ArrayList<>();
    Latencies sum = Latencies.NONE;
    try (LatencyLog log = LatencyLog.create(directory.latencyLog(), Manifests.START)) {
      for (int second = 0; second < seconds; second++) {
        Histogram interval = new Histogram(3);
        Histogram lag = new Histogram(3);
        boolean fails = second == 0;
        Latencies ofSecond = Latencies.NONE;
        for (int i = fails ? 1 : 0; i < perSecond; i++) {
          long nanos = (long) (1_000_000 * Math.exp(random.nextDouble() * 4));
          interval.recordValue(nanos);
          ofSecond = ofSecond.plus(new Latencies(1, nanos, nanos, nanos, (double) nanos * nanos));
        }
        for (int i = 0; i < perSecond; i++) {
          lag.recordValue(random.nextLong(1_000, 300_000));
        }
        append(log, LatencyTag.response(1, "put"), interval, second);
        append(log, LatencyTag.service(1, "put"), interval, second);
        append(log, LatencyTag.of(1, LatencyTag.Time.LAG), lag, second);
        all.add(interval);
        sum = sum.plus(ofSecond);
        measured.add(
            new SecondMeasurement(
                FIRST_SECOND + second,
                ofSecond,
                fails ? List.of(new ErrorTally("timeout", "no answer", 1, SECOND)) : List.of()));
      }
    }
    WrittenSteps.write(
        directory,
        List.of(
            new StepMeasurement(
                manifest.load().steps().get(0).clients(),
                seconds * SECOND,
                sum,
                all,
                measured,
                new SuccessGaps(1000, List.of()),
                List.of(new OperationMeasurement("put", all, Optional.of(all), measured, 0)),
                Optional.empty())));
    manifest.write(directory);
  }

  private static void append(LatencyLog log, LatencyTag tag, Histogram interval, int second) {
    interval.setStartTimeStamp((FIRST_SECOND + second) * 1000);
    interval.setEndTimeStamp((FIRST_SECOND + second + 1) * 1000);
    log.append(tag, interval);
  }
}
