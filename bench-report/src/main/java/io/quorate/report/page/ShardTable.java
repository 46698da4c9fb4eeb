package io.quorate.report.page;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.report.page.Page.Cell;
import io.quorate.report.page.Page.Row;
import io.quorate.report.page.Page.Table;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.HostInfo;
import io.quorate.results.manifest.MergedShard;
import io.quorate.results.manifest.ShardStart;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Builds the table of the shards that a run was merged from. */
final class ShardTable {
  private static final List<String> COLUMNS =
      List.of(
          "run",
          "status",
          "load generator",
          "its machine",
          "its Java",
          "succeeded",
          "failed",
          "dropped",
          "began step 1",
          "clock ahead",
          "machine busy at most");
  private static final double MICROS_PER_MS = 1e3;
  private static final int PERCENT = 100;

  private final List<Row> rows = new ArrayList<>();

  /** Adds the shards of a database. */
  void add(String name, DatabaseRun run) {
    run.manifest().shards().forEach(shard -> rows.add(row(name, shard)));
  }

  private static Row row(String name, MergedShard shard) {
    Optional<ShardStart> first =
        shard.starts().stream().filter(start -> start.step() == 1).findFirst();
    OptionalDouble busy =
        shard.costs().stream().mapToDouble(cost -> cost.machineLoad().orElse(0)).max();
    return new Row(
        "%s, %d of %d".formatted(name, shard.number(), shard.count()),
        Stream.of(
                shard.run().map(VisibleText::of).orElse("-"),
                status(shard),
                shard.host().map(VisibleText::of).orElse("-"),
                shard.machine().map(ShardTable::machine).orElse("-"),
                shard.machine().map(host -> VisibleText.of(host.jvmVersion())).orElse("-"),
                count(shard, shard.succeeded()),
                count(shard, shard.failed()),
                count(shard, shard.shed()),
                first.map(start -> start.sharedTime().toString()).orElse("-"),
                first
                    .flatMap(ShardStart::clock)
                    .map(
                        clock ->
                            "%s ms, \u00b1 %s"
                                .formatted(ms(clock.aheadMicros()), ms(clock.uncertaintyMicros())))
                    .orElse("not known"),
                busy.isPresent()
                    ? NumberFormats.fixed(PERCENT * busy.getAsDouble(), 0) + " %"
                    : "-")
            .map(text -> new Cell(text, false))
            .toList());
  }

  private static String machine(HostInfo host) {
    String memory =
        host.memoryBytes().isPresent()
            ? ", " + NumberFormats.humanizedBytes(host.memoryBytes().getAsLong())
            : "";
    return "%d core%s%s, %s"
        .formatted(host.cores(), host.cores() == 1 ? "" : "s", memory, VisibleText.of(host.os()));
  }

  private static String status(MergedShard shard) {
    return shard
        .status()
        .map(
            status ->
                status.label() + shard.reason().map(why -> ": " + VisibleText.of(why)).orElse(""))
        .orElse("missing");
  }

  private static String count(MergedShard shard, long count) {
    return shard.isMerged() ? NumberFormats.commas(count) : "-";
  }

  private static String ms(long micros) {
    return NumberFormats.fixed(micros / MICROS_PER_MS, 1);
  }

  /** Returns the table; without columns if no run was merged. */
  Table table() {
    return new Table(rows.isEmpty() ? List.of() : COLUMNS, rows);
  }
}
