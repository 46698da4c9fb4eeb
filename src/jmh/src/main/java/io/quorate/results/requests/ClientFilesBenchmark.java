package io.quorate.results.requests;

import io.quorate.measure.Latencies;
import io.quorate.measure.OperationMeasurement;
import io.quorate.measure.SecondMeasurement;
import io.quorate.measure.StepMeasurement;
import io.quorate.results.ClientFile;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures the cost of writing the client's CSV files of a run of a given length, which a run does
 * every 5 s.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ClientFilesBenchmark {
  private static final int REQUESTS_PER_SECOND = 1000;

  @Param({"60", "3600"})
  public int seconds;

  private DatabaseDirectory directory;
  private List<StepMeasurement> steps;

  @Setup
  public void make() throws IOException {
    Path run = Files.createTempDirectory("quorate-jmh");
    directory = new RunDirectory(run).createDatabase("memory");
    steps = List.of(step());
  }

  private StepMeasurement step() {
    Random random = new Random(42);
    Histogram histogram = new Histogram(3_600_000_000_000L, 3);
    Latencies all = Latencies.NONE;
    List<SecondMeasurement> measured = new ArrayList<>();
    for (int second = 0; second < seconds; second++) {
      Latencies latencies = Latencies.NONE;
      for (int i = 0; i < REQUESTS_PER_SECOND; i++) {
        long nanos = (long) (1e6 * Math.exp(random.nextGaussian()));
        histogram.recordValue(nanos);
        latencies = latencies.plus(new Latencies(1, nanos, nanos, nanos, (double) nanos * nanos));
      }
      measured.add(new SecondMeasurement(1_700_000_000 + second, latencies, List.of()));
      all = all.plus(latencies);
    }
    return new StepMeasurement(
        1000,
        seconds * 1_000_000_000L,
        all,
        histogram,
        measured,
        Optional.empty(),
        List.of(new OperationMeasurement("put", histogram, Optional.empty(), measured)));
  }

  @TearDown
  public void remove() throws IOException {
    for (ClientFile file : ClientFile.values()) {
      Files.deleteIfExists(directory.file(file));
    }
    Files.delete(directory.path());
    Files.delete(directory.path().getParent());
  }

  @Benchmark
  public void write() {
    new ClientFiles(directory).write(steps);
  }
}
