// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

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
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.manifest.ScenarioInfo;
import io.quorate.results.requests.WrittenSteps;
import io.quorate.scenario.LoadModel;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.OperationMix.Share;
import io.quorate.scenario.Step;
import io.quorate.store.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * A run with all its files, made up: latencies around a mean that grows with the clients, now and
 * then a stall, and metrics of three servers and the load generator. The same arguments give the
 * same files.
 *
 * @param seconds of every database
 * @param requestsPerSecond of every database, about; in an open loop, at most
 * @param loads of the steps, which take equally long: clients or, in an open loop, rates
 * @param errorsFrom the second from which the last database has errors; none if it is after the end
 * @param open whether it is an open loop
 * @param lag how late the load generator sends the requests of an open loop
 */
public record SyntheticRun(
    List<String> databases,
    int seconds,
    int requestsPerSecond,
    List<Integer> loads,
    int errorsFrom,
    OperationMix mix,
    boolean open,
    Duration lag) {
  static final long FIRST_SECOND = Manifests.START.getEpochSecond();
  private static final int CONNECTIONS = 5;
  private static final Duration ON_TIME = Duration.ofNanos(50_000);
  private static final String METRICS =
      "UNIX-NANOSECOND,UNIX-SECOND,PROGRAM,STATE,PID,PPID,CPU,VMRSS,VMSIZE,FD,THREADS,"
          + "VOLUNTARY-CTXT-SWITCHES,NON-VOLUNTARY-CTXT-SWITCHES,CPU-NUM,VMRSS-NUM,VMSIZE-NUM,"
          + "LOAD-AVERAGE-1-MINUTE,LOAD-AVERAGE-5-MINUTE,LOAD-AVERAGE-15-MINUTE,DEVICE,"
          + "READS-COMPLETED,SECTORS-READ,TIME(READS),WRITES-COMPLETED,SECTORS-WRITTEN,TIME(WRITES),"
          + "MILLISECONDS(READS),MILLISECONDS(WRITES),INTERFACE,RECEIVE-BYTES,RECEIVE-PACKETS,TRANSMIT-BYTES,TRANSMIT-PACKETS,RECEIVE-BYTES-NUM,TRANSMIT-BYTES-NUM,READS-COMPLETED-DELTA,SECTORS-READ-DELTA,WRITES-COMPLETED-DELTA,SECTORS-WRITTEN-DELTA,READ-BYTES-DELTA,READ-MEGABYTES-DELTA,WRITE-BYTES-DELTA,WRITE-MEGABYTES-DELTA,RECEIVE-BYTES-DELTA,RECEIVE-PACKETS-DELTA,TRANSMIT-BYTES-DELTA,TRANSMIT-PACKETS-DELTA,RECEIVE-BYTES-NUM-DELTA,TRANSMIT-BYTES-NUM-DELTA,EXTRA\n";

  /** Makes a closed loop of puts. */
  public SyntheticRun(
      List<String> databases,
      int seconds,
      int requestsPerSecond,
      List<Integer> clients,
      int errorsFrom) {
    this(
        databases,
        seconds,
        requestsPerSecond,
        clients,
        errorsFrom,
        OperationMix.of(Operation.PUT),
        false,
        ON_TIME);
  }

  /** Makes a closed loop of 95% get and 5% put. */
  public static SyntheticRun mixed(List<String> databases, int seconds, int requestsPerSecond) {
    List<Share> shares = List.of(new Share(Operation.GET, 95), new Share(Operation.PUT, 5));
    return new SyntheticRun(
        databases,
        seconds,
        requestsPerSecond,
        List.of(100),
        seconds,
        new OperationMix(shares, OperationMix.ONE_KEY, 1, 0, OperationMix.USUAL_LEASES),
        false,
        ON_TIME);
  }

  /** Makes an open loop of puts at these rates, of which at most so many succeed in a second. */
  static SyntheticRun open(List<String> databases, int seconds, int most, Integer... rates) {
    return open(ON_TIME, databases, seconds, most, rates);
  }

  /** Makes an open loop of puts that are sent late. */
  public static SyntheticRun open(
      Duration lag, List<String> databases, int seconds, int most, Integer... rates) {
    OperationMix puts = OperationMix.of(Operation.PUT);
    return new SyntheticRun(databases, seconds, most, List.of(rates), seconds, puts, true, lag);
  }

  /** Writes all files into a new directory below this one, and says which. */
  public Path write(Path results) {
    RunDirectory run = RunDirectory.create(results, "synthetic", 1, Manifests.START);
    for (int i = 0; i < databases.size(); i++) {
      write(run.createDatabase(databases.get(i)), i);
    }
    return run.path();
  }

  private void write(DatabaseDirectory directory, int index) {
    Random random = new Random(index);
    List<StepMeasurement> steps = new ArrayList<>();
    try (LatencyLog log = LatencyLog.create(directory.latencyLog(), Manifests.START)) {
      int stepSeconds = seconds / loads.size();
      for (int i = 0; i < loads.size(); i++) {
        int from = i * stepSeconds;
        int to = i + 1 == loads.size() ? seconds : from + stepSeconds;
        steps.add(step(log, i, index, from, to, random));
      }
    }
    WrittenSteps.write(directory, steps);
    for (String machine : List.of("1-server", "2-server", "3-server", "client")) {
      MachineRows.write(directory.path(), machine, metrics(random), ends());
    }
    manifest(directory.id(), steps).write(directory);
  }

  private StepMeasurement step(
      LatencyLog log, int step, int index, int from, int to, Random random) {
    Histogram total = new Histogram(3);
    List<Made> made = mix.operations().stream().map(each -> new Made(each.id())).toList();
    List<SecondMeasurement> measured = new ArrayList<>();
    Latencies all = Latencies.NONE;
    int number = loads.get(step);
    double wait = open && number > requestsPerSecond ? 1 : 0;
    for (int second = from; second < to; second++) {
      boolean failing = index == databases.size() - 1 && second >= errorsFrom;
      double slow = random.nextInt(97) == 0 ? 20 : 1;
      double spread = 0.8 + 0.4 * random.nextDouble();
      int count =
          open ? Math.min(number, requestsPerSecond) : (int) (requestsPerSecond * spread / slow);
      made.forEach(Made::nextSecond);
      long dropped = open ? number - count : 0;
      for (int i = 0; i < count; i++) {
        double ms =
            slow
                * (0.5 + index * 0.2)
                * Math.sqrt(open ? CONNECTIONS : number)
                * Math.exp(random.nextGaussian());
        long nanos = (long) (ms * (1 + 50 * wait) * 1e6);
        made.get(operation(i)).add(nanos + (open ? lag.toNanos() : 0), nanos);
      }
      Latencies latencies =
          made.stream().map(each -> each.latencies).reduce(Latencies.NONE, Latencies::plus);
      all = all.plus(latencies);
      List<ErrorTally> errors =
          failing
              ? List.of(
                  new ErrorTally("timeout", "no answer", 1 + random.nextInt(50), 5_000_000_000L))
              : List.of();
      measured.add(new SecondMeasurement(FIRST_SECOND + second, latencies, errors, dropped));
      if (open) {
        Histogram sent = new Histogram(3);
        sent.recordValueWithCount(lag.toNanos(), count);
        append(log, LatencyTag.of(step + 1, LatencyTag.Time.LAG), second, sent);
      }
      for (Made each : made) {
        boolean first = each == made.get(0);
        each.seconds.add(
            new SecondMeasurement(
                FIRST_SECOND + second,
                each.latencies,
                first ? errors : List.of(),
                first ? dropped : 0));
        append(log, LatencyTag.response(step + 1, each.operation), second, each.interval);
        if (open) {
          append(log, LatencyTag.service(step + 1, each.operation), second, each.service);
        }
      }
    }
    made.forEach(each -> total.add(each.total));
    return new StepMeasurement(
        open ? CONNECTIONS : number,
        (to - from) * 1_000_000_000L,
        all,
        total,
        measured,
        new SuccessGaps(0, List.of()),
        made.stream().map(each -> each.measurement(open)).toList(),
        Optional.empty());
  }

  /** The requests of an operation of a step. */
  private static final class Made {
    private final String operation;
    private final Histogram total = new Histogram(3);
    private final Histogram totalService = new Histogram(3);
    private final Histogram interval = new Histogram(3);
    private final Histogram service = new Histogram(3);
    private final List<SecondMeasurement> seconds = new ArrayList<>();
    private Latencies latencies = Latencies.NONE;

    private Made(String operation) {
      this.operation = operation;
    }

    private void nextSecond() {
      interval.reset();
      service.reset();
      latencies = Latencies.NONE;
    }

    private void add(long responseNanos, long serviceNanos) {
      interval.recordValue(responseNanos);
      total.recordValue(responseNanos);
      service.recordValue(serviceNanos);
      totalService.recordValue(serviceNanos);
      double square = (double) responseNanos * responseNanos;
      latencies =
          latencies.plus(new Latencies(1, responseNanos, responseNanos, responseNanos, square));
    }

    private OperationMeasurement measurement(boolean open) {
      Optional<Histogram> apart = open ? Optional.of(totalService) : Optional.empty();
      return new OperationMeasurement(operation, total, apart, seconds, 0);
    }
  }

  /** Returns the number of the operation of a request. */
  private int operation(int request) {
    long place = request % mix.totalWeight();
    int operation = 0;
    for (; place >= mix.shares().get(operation).weight(); operation++) {
      place -= mix.shares().get(operation).weight();
    }
    return operation;
  }

  private static void append(LatencyLog log, LatencyTag tag, int second, Histogram interval) {
    interval.setStartTimeStamp((FIRST_SECOND + second) * 1000);
    interval.setEndTimeStamp((FIRST_SECOND + second + 1) * 1000);
    log.append(tag, interval);
  }

  /** Returns the ends of the steps, in milliseconds since {@link MachineRows#SECOND}. */
  private long[] ends() {
    int stepSeconds = seconds / loads.size();
    long begin = (FIRST_SECOND - MachineRows.SECOND) * 1000;
    return IntStream.range(0, loads.size())
        .boxed()
        .flatMap(
            step -> {
              int to = step + 1 == loads.size() ? seconds : (step + 1) * stepSeconds;
              return Stream.of(begin + step * stepSeconds * 1000L, begin + to * 1000L - 1);
            })
        .mapToLong(millis -> millis)
        .toArray();
  }

  private String metrics(Random random) {
    StringBuilder text = new StringBuilder(METRICS);
    long switches = 0;
    long bytes = 0;
    for (int i = -5; i < seconds + 5; i++) {
      long second = FIRST_SECOND + i;
      switches += random.nextInt(20_000);
      int delta = random.nextInt(4_000_000);
      bytes += delta;
      String cpu = random.nextInt(200) + "." + (10 + random.nextInt(90));
      text.append(second).append("000000000,").append(second).append(",etcd,S (sleeping),572,545,");
      text.append(cpu).append(" %,62 MB,11 GB,25,10,").append(switches).append(',');
      text.append(switches / 7).append(',').append(cpu).append(',');
      text.append(60_000_000 + 10_000L * (i + 5)).append(",11049459712,0.80,1.75,2.45,vda,");
      text.append(929_852 + i).append(',').append(39_918_658 + i).append(",12 minutes,");
      text.append(6_783_758 + i).append(',').append(131_409_360 + i);
      text.append(",19 minutes,722659,1160450,eth0,21 GB,36737455,21 GB,36737455,");
      text.append(bytes).append(',').append(bytes).append(",0,0,").append(random.nextInt(900));
      text.append(',').append(random.nextInt(9000)).append(",0,0.00,").append(delta);
      text.append(",0.00,,0,,0,").append(delta).append(',').append(delta / 2).append(",100\n");
    }
    return text.toString();
  }

  private Manifest manifest(String id, List<StepMeasurement> steps) {
    Manifest some = Manifests.of(id, id + "-v1.2.3", 1, 1);
    List<Step> load = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      StepMeasurement step = steps.get(i);
      long errors = step.errors().stream().mapToLong(ErrorTally::count).sum();
      long dropped = step.seconds().stream().mapToLong(SecondMeasurement::dropped).sum();
      long requests = step.successes().count() + errors + dropped;
      LoadModel model =
          open
              ? new LoadModel.Open(loads.get(i), LoadModel.Arrivals.CONSTANT, 1000)
              : new LoadModel.Closed(step.clients(), OptionalLong.empty());
      load.add(new Step(model, step.clients(), requests, Optional.empty()));
    }
    return new Manifest(
            some.status(),
            some.reason(),
            some.start(),
            some.end(),
            some.suite(),
            new ScenarioInfo(
                "synthetic",
                "Synthetic",
                1,
                databases,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                "title: Synthetic\n"),
            some.store(),
            Manifests.load(mix, load),
            some.host(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            some.files(),
            some.sizes())
        .completed(Manifests.START.plusSeconds(seconds));
  }
}
