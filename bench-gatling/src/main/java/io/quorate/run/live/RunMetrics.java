// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.live;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.load.Load;
import io.quorate.load.RunningStep;
import io.quorate.measure.OperationRecorder;
import io.quorate.results.latency.LatencyTag;
import io.quorate.store.Endpoint;
import io.quorate.store.HostAddress;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Exports the metrics of a running load to Prometheus. A scrape reads the counters of the recorders
 * and copies of the latency histograms, so it takes no lock that a request needs. Safe for several
 * threads.
 */
public final class RunMetrics implements MultiCollector {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int BUCKETS_PER_DECADE = 25;
  private static final int MIN_DECADE = -5;
  private static final int MAX_DECADE = 2;
  private static final String DATABASE = "database";
  private static final String OUTCOME = "outcome";

  /**
   * Upper bounds of the buckets in seconds, from 10 us to 100 s. Each bound is at most 10% above
   * the previous one, so a quantile that is interpolated within a bucket has an error of at most
   * 10%.
   */
  private static final double[] BOUNDS =
      DoubleStream.concat(
              IntStream.rangeClosed(
                      MIN_DECADE * BUCKETS_PER_DECADE, MAX_DECADE * BUCKETS_PER_DECADE)
                  .mapToDouble(RunMetrics::bound),
              DoubleStream.of(Double.POSITIVE_INFINITY))
          .toArray();

  /**
   * Seconds for a whole request, of the JDK's server: an incomplete one occupies one of few
   * threads.
   */
  private static final String REQUEST_SECONDS = "sun.net.httpserver.maxReqTime";

  private final String store;
  private final Load load;
  private final Map<LatencyTag, Histogram> times = new LinkedHashMap<>();

  public RunMetrics(String store, Load load) {
    this.store = store;
    this.load = load;
  }

  private static double bound(int power) {
    return BigDecimal.valueOf(Math.pow(10, power / (double) BUCKETS_PER_DECADE))
        .round(new MathContext(3))
        .doubleValue();
  }

  /**
   * Fails if listening at an address fails.
   *
   * @param option option that named it, without its dashes
   */
  public static void requireFree(String option, Endpoint address) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(address.host()), address.port()));
    } catch (IOException impossible) {
      throw unusable(option, address, impossible);
    }
  }

  /**
   * Serves the metrics as {@code /metrics} over HTTP, at one address, without authentication, until
   * the server is closed.
   *
   * @throws QuorateException if listening at this address fails
   */
  public HTTPServer serve(Endpoint address) {
    System.setProperty(REQUEST_SECONDS, "2");
    PrometheusRegistry registry = new PrometheusRegistry();
    registry.register(this);
    try {
      return HTTPServer.builder()
          .inetAddress(InetAddress.getByName(address.host()))
          .port(address.port())
          .registry(registry)
          .buildAndStart();
    } catch (IOException impossible) {
      throw unusable("metrics", address, impossible);
    }
  }

  /** Returns where the metrics are, and a warning if other machines may read them. */
  public static String location(Endpoint address) {
    return "metrics at http://"
        + address
        + "/metrics"
        + (HostAddress.isLoopback(address.host())
            ? ""
            : ", without authentication, for everyone who can reach this address");
  }

  private static QuorateException unusable(String option, Endpoint address, IOException cause) {
    return new QuorateException(
        "%s: cannot listen on %s: %s: choose another address with --%1$s HOST:PORT, or leave it out"
            .formatted(option, address, FileFailure.reason(cause)),
        cause);
  }

  /** Adds the times of an interval, in nanoseconds. */
  synchronized void add(LatencyTag tag, Histogram interval) {
    times
        .computeIfAbsent(tag, unseen -> new Histogram(interval.getNumberOfSignificantValueDigits()))
        .add(interval);
  }

  @Override
  public synchronized MetricSnapshots collect() {
    return MetricSnapshots.of(
        gauge("quorate_steps", "Number of steps of the load.", load.steps().size()),
        gauge(
            "quorate_step",
            "Step that is running, from 1; 0 before the first.",
            load.steps().stream().filter(RunningStep::hasStarted).count()),
        requests(),
        histogram(
            LatencyTag.Time.RESPONSE,
            "quorate_response_time_seconds",
            "Latency of successful requests from the scheduled send time."),
        histogram(
            LatencyTag.Time.SERVICE,
            "quorate_service_time_seconds",
            "Times of requests of an open loop that succeeded, from when they were sent."),
        histogram(
            LatencyTag.Time.LAG,
            "quorate_send_lag_seconds",
            "How much later than due requests of an open loop were sent."),
        histogram(
            LatencyTag.Time.QUEUE,
            "quorate_queue_time_seconds",
            "Times that requests waited for a connection, which carries one at a time."),
        histogram(
            LatencyTag.Time.CONNECT,
            "quorate_connect_time_seconds",
            "Times of connecting, if each request has its own connection."));
  }

  private GaugeSnapshot gauge(String name, String help, long value) {
    return GaugeSnapshot.builder()
        .name(name)
        .help(help)
        .dataPoint(
            GaugeDataPointSnapshot.builder()
                .labels(Labels.of(DATABASE, store))
                .value(value)
                .build())
        .build();
  }

  private CounterSnapshot requests() {
    CounterSnapshot.Builder counter =
        CounterSnapshot.builder()
            .name("quorate_requests")
            .help(
                "Requests by outcome: success, error (by kind), or dropped: due in an open loop,"
                    + " but not sent, as too many were in flight.");
    forEachOperation(
        (labels, operation) -> {
          counter.dataPoint(sample(labels.add(OUTCOME, "success"), operation.successCount()));
          operation
              .errorsByKind()
              .forEach(
                  (kind, count) ->
                      counter.dataPoint(
                          sample(labels.add(OUTCOME, "error").add("kind", kind), count)));
          counter.dataPoint(sample(labels.add(OUTCOME, "dropped"), operation.droppedCount()));
        });
    return counter.build();
  }

  private static CounterDataPointSnapshot sample(Labels labels, long value) {
    return CounterDataPointSnapshot.builder().labels(labels).value(value).build();
  }

  private void forEachOperation(BiConsumer<Labels, OperationRecorder> visitor) {
    for (RunningStep step : load.steps()) {
      if (step.hasStarted()) {
        for (OperationRecorder operation : step.recorder().operations()) {
          visitor.accept(
              labels(LatencyTag.response(step.number(), operation.operation())), operation);
        }
      }
    }
  }

  private HistogramSnapshot histogram(LatencyTag.Time time, String name, String help) {
    HistogramSnapshot.Builder histogram = HistogramSnapshot.builder().name(name).help(help);
    times.forEach(
        (tag, nanos) -> {
          if (tag.time() == time) {
            histogram.dataPoint(dataPoint(labels(tag), nanos));
          }
        });
    return histogram.build();
  }

  /**
   * Returns the buckets and the sum of times in nanoseconds. A time that differs from a bound by
   * less than the resolution of the histogram may be counted in the next bucket.
   */
  private static HistogramDataPointSnapshot dataPoint(Labels labels, Histogram nanos) {
    long[] counts = new long[BOUNDS.length];
    double sum = 0;
    int bucket = 0;
    for (HistogramIterationValue value : nanos.recordedValues()) {
      double seconds = nanos.lowestEquivalentValue(value.getValueIteratedTo()) / NANOS_PER_SECOND;
      while (seconds > BOUNDS[bucket]) {
        bucket++;
      }
      counts[bucket] += value.getCountAtValueIteratedTo();
      sum += seconds * value.getCountAtValueIteratedTo();
    }
    return HistogramDataPointSnapshot.builder()
        .labels(labels)
        .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, counts))
        .sum(sum)
        .build();
  }

  private Labels labels(LatencyTag tag) {
    Labels labels = Labels.of(DATABASE, store, "step", Integer.toString(tag.step()));
    return tag.operation().map(operation -> labels.add("operation", operation)).orElse(labels);
  }
}
