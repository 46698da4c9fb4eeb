// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.findings;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.BuildInfo;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.MergedShard;
import io.quorate.results.manifest.ShardStart;
import io.quorate.results.manifest.ShardStart.SharedClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Footnotes about values of several load generators: the differences of their starts, and of their
 * properties.
 */
record ShardNotes(String id, List<MergedShard> shards) {
  private static final double NANOS_PER_MS = 1e6;

  private static final double MICROS_PER_MS = 1e3;

  static List<String> of(DatabaseRun run) {
    String id = VisibleText.of(run.manifest().store().name());
    List<String> notes = new ArrayList<>();
    run.manifest()
        .shard()
        .ifPresent(
            facts ->
                notes.add(
                    ("%s: %s alone: './quorate merge' makes one run of all %d and checks its "
                            + "thresholds")
                        .formatted(id, facts.shard(), facts.shard().count())));
    if (!run.manifest().shards().isEmpty()) {
      List<MergedShard> merged =
          run.manifest().shards().stream().filter(MergedShard::isMerged).toList();
      notes.addAll(
          new ShardNotes(id, merged)
              .all(run.manifest().shards().size(), run.manifest().load().steps().size()));
    }
    return notes;
  }

  private List<String> all(int count, int steps) {
    List<String> notes = new ArrayList<>();
    long machines = shards.stream().map(MergedShard::host).distinct().count();
    notes.add(
        "%s: merged from %d of %d shards on %s"
            .formatted(id, shards.size(), count, NumberFormats.count(machines, "machine")));
    for (int step = 1; step <= steps; step++) {
      spread(step).ifPresent(notes::add);
    }
    Property.differing(shards).forEach(each -> notes.add(id + ": " + each));
    return notes;
  }

  private Optional<String> spread(int step) {
    List<ShardStart> starts =
        shards.stream()
            .flatMap(shard -> shard.starts().stream().filter(each -> each.step() == step))
            .toList();
    if (starts.size() < 2) {
      return Optional.empty();
    }
    List<Instant> times =
        starts.stream().map(ShardStart::sharedTime).sorted(Comparator.naturalOrder()).toList();
    double spreadMs =
        Duration.between(times.get(0), times.get(times.size() - 1)).toNanos() / NANOS_PER_MS;
    return Optional.of(
        "%s: the shards began step %d within %s ms of each other, %s"
            .formatted(id, step, NumberFormats.fixed(spreadMs, 1), clocks(starts)));
  }

  private static String clocks(List<ShardStart> starts) {
    List<SharedClock> clocks = starts.stream().flatMap(start -> start.clock().stream()).toList();
    if (clocks.size() < starts.size()) {
      return "by the clocks of their machines, which were not compared";
    }
    long uncertainty = clocks.stream().mapToLong(SharedClock::uncertaintyMicros).max().orElse(0);
    LongSummaryStatistics ahead =
        clocks.stream().mapToLong(SharedClock::aheadMicros).summaryStatistics();
    long apart = ahead.getMax() - ahead.getMin();
    return ("by clocks that were at most %s ms apart (measured to %s ms with file times in "
            + "their barrier)")
        .formatted(
            NumberFormats.fixed(apart / MICROS_PER_MS, 1),
            NumberFormats.fixed(uncertainty / MICROS_PER_MS, 1));
  }

  /** The properties that shards should have in common, as values cover all of them. */
  enum Property {
    BUILD("builds of Quorate", shard -> shard.suite().map(Property::build)),
    JAVA("versions of Java", shard -> shard.machine().map(HostInfo::jvmVersion)),
    FLAGS("options of their JVM", shard -> shard.machine().map(Property::flags)),
    SYSTEM(
        "operating systems",
        shard -> shard.machine().map(host -> host.os() + ", kernel " + host.kernel())),
    CORES("numbers of cores", shard -> shard.machine().map(host -> Integer.toString(host.cores()))),
    MEMORY("sizes of memory", shard -> shard.machine().flatMap(Property::memory)),
    SERVERS(
        "endpoints",
        shard ->
            Optional.of(shard.members().stream().sorted().collect(Collectors.joining(" and ")))
                .filter(text -> !text.isEmpty()));

    private final String plural;
    private final Function<MergedShard, Optional<String>> of;

    Property(String plural, Function<MergedShard, Optional<String>> of) {
      this.plural = plural;
      this.of = of;
    }

    private static String build(BuildInfo suite) {
      return suite.version().orElse("unknown")
          + suite.commit().map(" "::concat).orElse("")
          + (suite.dirty() ? " with changes" : "");
    }

    /**
     * Returns the flags that change the behavior of Java, without properties, which contain paths
     * and the shard.
     */
    private static String flags(HostInfo host) {
      String flags =
          host.jvmFlags().stream()
              .filter(flag -> flag.startsWith("-X"))
              .sorted()
              .collect(Collectors.joining(" "));
      return flags.isEmpty() ? "none" : flags;
    }

    private static Optional<String> memory(HostInfo host) {
      return host.memoryBytes().stream().mapToObj(NumberFormats::humanizedBytes).findFirst();
    }

    static List<String> differing(List<MergedShard> shards) {
      List<String> differences = new ArrayList<>();
      for (Property each : values()) {
        Map<String, List<String>> found = new TreeMap<>();
        for (MergedShard shard : shards) {
          String number = Integer.toString(shard.number());
          each.of
              .apply(shard)
              .ifPresent(it -> found.computeIfAbsent(it, absent -> new ArrayList<>()).add(number));
        }
        if (found.size() > 1) {
          differences.add("the shards had different %s: %s".formatted(each.plural, text(found)));
        }
      }
      return differences;
    }

    private static String text(Map<String, List<String>> shards) {
      return shards.entrySet().stream()
          .map(
              entry ->
                  "%s (%s)"
                      .formatted(
                          VisibleText.line(entry.getKey()), String.join(", ", entry.getValue())))
          .collect(Collectors.joining("; "));
    }
  }
}
