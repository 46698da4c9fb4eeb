package io.quorate.report.findings;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.MergedShard;
import io.quorate.results.manifest.ShardStart;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Footnotes of figures that several load generators measured: how far apart they began, and what
 * differed between them.
 */
final class ShardNotes {
  private static final double NANOS_PER_MS = 1e6;
  private static final double MICROS_PER_MS = 1e3;

  private final String id;
  private final List<MergedShard> shards;

  private ShardNotes(String id, List<MergedShard> shards) {
    this.id = id;
    this.shards = shards;
  }

  /** Returns the notes of a run; none if one load generator made its whole load. */
  static List<String> of(DatabaseRun run) {
    String id = VisibleText.of(run.manifest().store().id());
    List<String> notes = new ArrayList<>();
    run.manifest()
        .shard()
        .ifPresent(
            facts ->
                notes.add(
                    "%s: %s alone: './quorate merge' makes one run of all %d, and its limits are checked there"
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
        "%s: merged from %d of %d shards on %d machine%s"
            .formatted(id, shards.size(), count, machines, machines == 1 ? "" : "s"));
    for (int step = 1; step <= steps; step++) {
      spread(step).ifPresent(notes::add);
    }
    ShardDifference.among(shards).forEach(each -> notes.add(id + ": " + each));
    return notes;
  }

  /** Returns how far apart the shards began a step. */
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
    if (starts.stream().anyMatch(start -> start.clock().isEmpty())) {
      return "by the clocks of their machines, which were not compared";
    }
    long uncertainty =
        starts.stream()
            .flatMap(start -> start.clock().stream())
            .mapToLong(ShardStart.SharedClock::uncertaintyMicros)
            .max()
            .orElse(0);
    long apart =
        starts.stream()
            .flatMap(start -> start.clock().stream())
            .flatMap(
                one ->
                    starts.stream()
                        .map(two -> one.aheadMicros() - two.clock().orElseThrow().aheadMicros()))
            .mapToLong(Math::abs)
            .max()
            .orElse(0);
    return "by clocks that were at most %s ms apart, as the times of files in their barrier tell to %s ms"
        .formatted(
            NumberFormats.fixed(apart / MICROS_PER_MS, 1),
            NumberFormats.fixed(uncertainty / MICROS_PER_MS, 1));
  }
}
