package io.quorate.report;

import io.quorate.measure.ErrorTally;
import io.quorate.measure.Latencies;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.run.AtomicFile;
import io.quorate.run.ClientFiles;
import io.quorate.run.DatabaseDirectory;
import io.quorate.run.LatencyLog;
import io.quorate.run.LatencyTag;
import io.quorate.run.Manifest;
import io.quorate.run.Manifests;
import io.quorate.run.RunDirectory;
import io.quorate.scenario.Step;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;

/**
 * A run with all its files, made up: latencies around a mean that grows with the clients, now and
 * then a stall, and metrics of three servers and the load generator. The same arguments give the
 * same files.
 *
 * @param seconds of every database
 * @param requestsPerSecond of every database, about
 * @param clients of the steps, which take equally long
 * @param errorsFrom the second from which the last database has errors; none if it is after the end
 */
record SyntheticRun(
    List<String> databases,
    int seconds,
    int requestsPerSecond,
    List<Integer> clients,
    int errorsFrom) {
  private static final long FIRST_SECOND = Manifests.START.getEpochSecond();
  private static final long HIGHEST_NANOS = 3_600_000_000_000L;
  private static final String METRICS =
      "UNIX-NANOSECOND,UNIX-SECOND,PROGRAM,STATE,PID,PPID,CPU,VMRSS,VMSIZE,FD,THREADS,"
          + "VOLUNTARY-CTXT-SWITCHES,NON-VOLUNTARY-CTXT-SWITCHES,CPU-NUM,VMRSS-NUM,VMSIZE-NUM,"
          + "LOAD-AVERAGE-1-MINUTE,LOAD-AVERAGE-5-MINUTE,LOAD-AVERAGE-15-MINUTE,DEVICE,"
          + "READS-COMPLETED,SECTORS-READ,TIME(READS),WRITES-COMPLETED,SECTORS-WRITTEN,TIME(WRITES),"
          + "MILLISECONDS(READS),MILLISECONDS(WRITES),INTERFACE,RECEIVE-BYTES,RECEIVE-PACKETS,"
          + "TRANSMIT-BYTES,TRANSMIT-PACKETS,RECEIVE-BYTES-NUM,TRANSMIT-BYTES-NUM,"
          + "READS-COMPLETED-DELTA,SECTORS-READ-DELTA,WRITES-COMPLETED-DELTA,SECTORS-WRITTEN-DELTA,"
          + "READ-BYTES-DELTA,READ-MEGABYTES-DELTA,WRITE-BYTES-DELTA,WRITE-MEGABYTES-DELTA,"
          + "RECEIVE-BYTES-DELTA,RECEIVE-PACKETS-DELTA,TRANSMIT-BYTES-DELTA,TRANSMIT-PACKETS-DELTA,"
          + "RECEIVE-BYTES-NUM-DELTA,TRANSMIT-BYTES-NUM-DELTA,EXTRA\n";

  /** Writes all files into a new directory below this one, and says which. */
  Path write(Path results) {
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
      int stepSeconds = seconds / clients.size();
      for (int i = 0; i < clients.size(); i++) {
        int from = i * stepSeconds;
        int to = i + 1 == clients.size() ? seconds : from + stepSeconds;
        steps.add(step(log, i, index, from, to, random));
      }
    }
    new ClientFiles(directory).write(steps);
    for (int server = 1; server <= 3; server++) {
      metrics(directory.path().resolve(server + "-server-system-metrics-interpolated.csv"), random);
    }
    metrics(directory.path().resolve("client-system-metrics-interpolated.csv"), random);
    manifest(directory.id(), steps).write(directory);
  }

  private StepMeasurement step(
      LatencyLog log, int step, int index, int from, int to, Random random) {
    Histogram total = new Histogram(HIGHEST_NANOS, 4);
    Histogram interval = new Histogram(HIGHEST_NANOS, 4);
    List<SecondMeasurement> measured = new ArrayList<>();
    Latencies all = Latencies.NONE;
    int number = clients.get(step);
    for (int second = from; second < to; second++) {
      boolean failing = index == databases.size() - 1 && second >= errorsFrom;
      double slow = random.nextInt(97) == 0 ? 20 : 1;
      int count = (int) (requestsPerSecond * (0.8 + 0.4 * random.nextDouble()) / slow);
      interval.reset();
      Latencies latencies = Latencies.NONE;
      for (int i = 0; i < count; i++) {
        double ms =
            slow * (0.5 + index * 0.2) * Math.sqrt(number) * Math.exp(random.nextGaussian());
        long nanos = (long) (ms * 1e6);
        interval.recordValue(nanos);
        latencies = latencies.plus(new Latencies(1, nanos, nanos, nanos, (double) nanos * nanos));
      }
      total.add(interval);
      all = all.plus(latencies);
      List<ErrorTally> errors =
          failing
              ? List.of(
                  new ErrorTally("timeout", "no answer", 1 + random.nextInt(50), 5_000_000_000L))
              : List.of();
      measured.add(new SecondMeasurement(FIRST_SECOND + second, latencies, errors));
      interval.setStartTimeStamp((FIRST_SECOND + second) * 1000);
      interval.setEndTimeStamp((FIRST_SECOND + second + 1) * 1000);
      log.append(LatencyTag.response(step + 1, "put"), interval);
    }
    return new StepMeasurement(number, (to - from) * 1_000_000_000L, all, total, measured);
  }

  private void metrics(Path file, Random random) {
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
    AtomicFile.write(file, text.toString());
  }

  private Manifest manifest(String id, List<StepMeasurement> steps) {
    Manifest some = Manifests.of(id, id + "-v1.2.3", 1, 1);
    List<Step> load = new ArrayList<>();
    for (StepMeasurement step : steps) {
      long errors = step.errors().stream().mapToLong(ErrorTally::count).sum();
      load.add(new Step(step.clients(), step.clients(), step.successes().count() + errors));
    }
    return new Manifest(
            some.status(),
            some.reason(),
            some.start(),
            some.end(),
            some.suite(),
            new Manifest.Experiment("synthetic", "Synthetic", 1, databases, "title: Synthetic\n"),
            some.store(),
            new Manifest.Load(
                some.load().mix(),
                some.load().consistency(),
                some.load().routing(),
                Duration.ofSeconds(5),
                42,
                8,
                256,
                load),
            some.host(),
            List.of())
        .completed(Manifests.START.plusSeconds(seconds));
  }
}
