package io.quorate.run.live;

import io.quorate.load.Load;
import io.quorate.load.LoadStep;
import io.quorate.measure.OperationRecorder;
import io.quorate.results.latency.LatencyTag;
import io.quorate.run.live.PrometheusText.Type;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * The figures of a load while it runs, for Prometheus. Counters are read from the recorders when
 * they are asked for; times are added once a second. Any thread.
 */
public final class RunMetrics {
  private final String store;
  private final Load load;
  private final Map<LatencyTag, LatencyBuckets> times = new LinkedHashMap<>();

  public RunMetrics(String store, Load load) {
    this.store = store;
    this.load = load;
  }

  /** Adds the times of an interval, in nanoseconds. */
  synchronized void add(LatencyTag tag, Histogram interval) {
    times.computeIfAbsent(tag, unseen -> new LatencyBuckets()).add(interval);
  }

  /** Returns all of them in Prometheus' text format. */
  public synchronized String text() {
    PrometheusText text = new PrometheusText();
    steps(text);
    text.family("quorate_requests_succeeded_total", Type.COUNTER, "Requests that succeeded.");
    counts(text, "quorate_requests_succeeded_total", OperationRecorder::successCount);
    text.family("quorate_requests_failed_total", Type.COUNTER, "Requests that failed, by kind.");
    forEachOperation(
        (labels, operation) ->
            operation
                .errorsByKind()
                .forEach(
                    (kind, count) ->
                        text.sample("quorate_requests_failed_total", with(labels, kind), count)));
    text.family(
        "quorate_requests_shed_total",
        Type.COUNTER,
        "Requests of an open loop that were due but not sent, as too many were under way.");
    counts(text, "quorate_requests_shed_total", OperationRecorder::shedCount);
    times(
        text,
        LatencyTag.Time.RESPONSE,
        "quorate_response_time_seconds",
        "Times of requests that succeeded, from when they were due.");
    times(
        text,
        LatencyTag.Time.SERVICE,
        "quorate_service_time_seconds",
        "Times of requests of an open loop that succeeded, from when they were sent.");
    times(
        text,
        LatencyTag.Time.LAG,
        "quorate_send_lag_seconds",
        "How much later than due requests of an open loop were sent.");
    times(
        text,
        LatencyTag.Time.CONNECT,
        "quorate_connect_time_seconds",
        "Times of connecting, if each request has a connection of its own.");
    return text.toString();
  }

  private void steps(PrometheusText text) {
    Map<String, String> labels = Map.of("store", store);
    text.family("quorate_steps", Type.GAUGE, "Number of steps of the load.");
    text.sample("quorate_steps", labels, load.steps().size());
    text.family("quorate_step", Type.GAUGE, "Step that is running, from 1; 0 before the first.");
    text.sample("quorate_step", labels, load.steps().stream().filter(LoadStep::hasStarted).count());
  }

  private void counts(PrometheusText text, String name, ToLongFunction<OperationRecorder> count) {
    forEachOperation(
        (labels, operation) -> text.sample(name, labels, count.applyAsLong(operation)));
  }

  private interface OperationVisitor {
    void visit(Map<String, String> labels, OperationRecorder operation);
  }

  private void forEachOperation(OperationVisitor visitor) {
    for (LoadStep step : load.steps()) {
      if (step.hasStarted()) {
        for (OperationRecorder operation : step.recorder().operations()) {
          visitor.visit(
              labels(LatencyTag.response(step.number(), operation.operation())), operation);
        }
      }
    }
  }

  private void times(PrometheusText text, LatencyTag.Time time, String name, String help) {
    text.family(name, Type.HISTOGRAM, help);
    times.forEach(
        (tag, buckets) -> {
          if (tag.time() == time) {
            buckets.write(text, name, labels(tag));
          }
        });
  }

  private Map<String, String> labels(LatencyTag tag) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("store", store);
    labels.put("step", Integer.toString(tag.step()));
    tag.operation().ifPresent(operation -> labels.put("operation", operation));
    return labels;
  }

  private static Map<String, String> with(Map<String, String> labels, String kind) {
    Map<String, String> more = new LinkedHashMap<>(labels);
    more.put("kind", kind);
    return more;
  }
}
