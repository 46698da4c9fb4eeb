// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BiConsumer;
import org.apache.zookeeper.metrics.Counter;
import org.apache.zookeeper.metrics.CounterSet;
import org.apache.zookeeper.metrics.Gauge;
import org.apache.zookeeper.metrics.GaugeSet;
import org.apache.zookeeper.metrics.MetricsContext;
import org.apache.zookeeper.metrics.Summary;
import org.apache.zookeeper.metrics.SummarySet;
import org.apache.zookeeper.metrics.impl.DefaultMetricsProvider;

/**
 * The metrics of a ZooKeeper server, with histograms of the times that writes wait for, but without
 * metrics of single nodes under the root, and with the heap and collections of its JVM. With keys
 * under the root, these would add lines to the answer of {@code mntr}, and counters to the server's
 * memory, for each key. A server loads this class by its name, so it uses no other class of
 * Quorate.
 */
public final class ServerMetrics extends DefaultMetricsProvider {
  /** Separator between the name of a time and the bound of a bucket, in milliseconds. */
  static final String BUCKET = "_bucket_";

  private static final double MILLIS_PER_SECOND = 1e3;
  private static final String NO_BOUND = "+Inf";

  private static final Set<String> WITH_HISTOGRAM = Set.of("fsynctime", "quorum_ack_latency");
  private static final String OF_EACH_NODE = "_per_namespace";
  private static final SummarySet NONE = (key, value) -> {};

  private final Map<String, TimeHistogram> histograms = new ConcurrentHashMap<>();
  private final MetricsContext root = new Changed(super.getRootContext(), histograms);

  @Override
  public MetricsContext getRootContext() {
    return root;
  }

  @Override
  public void dump(BiConsumer<String, Object> sink) {
    super.dump(sink);
    histograms.forEach((name, histogram) -> histogram.dump(name, sink));
    dumpJvm(sink);
  }

  /** Adds values that only ZooKeeper's provider for Prometheus has, with its names. */
  private static void dumpJvm(BiConsumer<String, Object> sink) {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    sink.accept("jvm_memory_bytes_used", heap.getUsed());
    sink.accept("jvm_memory_bytes_max", heap.getMax());
    long collections = 0;
    long millis = 0;
    for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
      collections += Math.max(0, each.getCollectionCount());
      millis += Math.max(0, each.getCollectionTime());
    }
    sink.accept("jvm_gc_collection_seconds_count", collections);
    sink.accept("jvm_gc_collection_seconds_sum", millis / MILLIS_PER_SECOND);
  }

  /** Returns the origin of this class, for the class path of a server. */
  static Optional<Path> location() {
    CodeSource source = ServerMetrics.class.getProtectionDomain().getCodeSource();
    try {
      return source == null ? Optional.empty() : Optional.of(Path.of(source.getLocation().toURI()));
    } catch (URISyntaxException | IllegalArgumentException notAFile) {
      return Optional.empty();
    }
  }

  /** Counts times in whole milliseconds, rounded down, by powers of two. */
  private static final class TimeHistogram {
    private static final int BOUNDS = 15;

    private final AtomicLongArray counts = new AtomicLongArray(BOUNDS + 1);

    void add(long millis) {
      counts.incrementAndGet(Math.min(BOUNDS, Long.SIZE - Long.numberOfLeadingZeros(millis)));
    }

    void dump(String name, BiConsumer<String, Object> sink) {
      long below = 0;
      for (int i = 0; i <= BOUNDS; i++) {
        below += counts.get(i);
        sink.accept(name + BUCKET + (i < BOUNDS ? Long.toString(1L << i) : NO_BOUND), below);
      }
    }
  }

  private record Changed(MetricsContext all, Map<String, TimeHistogram> histograms)
      implements MetricsContext {
    @Override
    public MetricsContext getContext(String name) {
      return new Changed(all.getContext(name), histograms);
    }

    @Override
    public Summary getSummary(String name, DetailLevel detail) {
      Summary summary = all.getSummary(name, detail);
      if (!WITH_HISTOGRAM.contains(name)) {
        return summary;
      }
      TimeHistogram histogram = histograms.computeIfAbsent(name, absent -> new TimeHistogram());
      return millis -> {
        histogram.add(millis);
        summary.add(millis);
      };
    }

    @Override
    public SummarySet getSummarySet(String name, DetailLevel detail) {
      return name.endsWith(OF_EACH_NODE) ? NONE : all.getSummarySet(name, detail);
    }

    @Override
    public Counter getCounter(String name) {
      return all.getCounter(name);
    }

    @Override
    public CounterSet getCounterSet(String name) {
      return all.getCounterSet(name);
    }

    @Override
    public void registerGauge(String name, Gauge gauge) {
      all.registerGauge(name, gauge);
    }

    @Override
    public void unregisterGauge(String name) {
      all.unregisterGauge(name);
    }

    @Override
    public void registerGaugeSet(String name, GaugeSet gauges) {
      all.registerGaugeSet(name, gauges);
    }

    @Override
    public void unregisterGaugeSet(String name) {
      all.unregisterGaugeSet(name);
    }
  }
}
