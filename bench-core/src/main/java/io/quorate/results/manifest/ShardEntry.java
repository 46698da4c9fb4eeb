package io.quorate.results.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorate.format.JsonFields;
import io.quorate.scenario.Limit;
import io.quorate.scenario.Shard;
import java.util.List;

/** A shard in {@code manifest.json}, with its fields in their order. */
record ShardEntry(
    int number,
    int count,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Limit> limits,
    LoadEntry load,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ShardStart> starts) {
  static ShardEntry of(ShardFacts facts) {
    return new ShardEntry(
        facts.shard().number(),
        facts.shard().count(),
        facts.limits(),
        LoadEntry.of(facts.whole()),
        facts.starts());
  }

  static ShardFacts read(JsonFields from) {
    int count = (int) from.between1And(Shard.MOST, "count");
    int number = (int) from.between1And(Math.max(1, count), "number");
    return new ShardFacts(
        number <= count ? new Shard(number, count) : Shard.WHOLE,
        ManifestReader.limits(from),
        LoadReader.read(from.object("load")),
        from.optionalObjects("starts").stream().map(ShardStart::read).toList());
  }
}
