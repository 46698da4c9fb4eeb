package io.quorate.report.findings;

import io.quorate.VisibleText;
import io.quorate.format.NumberFormats;
import io.quorate.results.manifest.HostFacts;
import io.quorate.results.manifest.MergedShard;
import io.quorate.results.manifest.SuiteVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Tells in what shards differ that they should have in common, as figures are of all of them. */
enum ShardDifference {
  BUILD("builds of Quorate", shard -> shard.suite().map(ShardDifference::build)),
  JAVA("versions of Java", shard -> shard.machine().map(HostFacts::jvmVersion)),
  FLAGS("options of their JVM", shard -> shard.machine().map(ShardDifference::flags)),
  SYSTEM(
      "operating systems",
      shard -> shard.machine().map(host -> host.os() + ", kernel " + host.kernel())),
  CORES("numbers of cores", shard -> shard.machine().map(host -> Integer.toString(host.cores()))),
  MEMORY("sizes of memory", shard -> shard.machine().flatMap(ShardDifference::memory)),
  SERVERS(
      "endpoints",
      shard ->
          Optional.of(shard.members().stream().sorted().collect(Collectors.joining(" and ")))
              .filter(text -> !text.isEmpty()));

  private final String plural;
  private final Function<MergedShard, Optional<String>> of;

  ShardDifference(String plural, Function<MergedShard, Optional<String>> of) {
    this.plural = plural;
    this.of = of;
  }

  private static String build(SuiteVersion suite) {
    return suite.version().orElse("unknown")
        + suite.commit().map(" "::concat).orElse("")
        + (suite.dirty() ? " with changes" : "");
  }

  /** Returns the flags that choose how Java works: properties have paths, and the shard itself. */
  private static String flags(HostFacts host) {
    String flags =
        host.jvmFlags().stream()
            .filter(flag -> flag.startsWith("-X"))
            .sorted()
            .collect(Collectors.joining(" "));
    return flags.isEmpty() ? "none" : flags;
  }

  private static Optional<String> memory(HostFacts host) {
    return host.memoryBytes().isPresent()
        ? Optional.of(NumberFormats.humanizedBytes(host.memoryBytes().getAsLong()))
        : Optional.empty();
  }

  /** Returns a clause for each thing in which these shards differ, with who has what. */
  static List<String> among(List<MergedShard> shards) {
    List<String> differences = new ArrayList<>();
    for (ShardDifference each : values()) {
      Map<String, List<Integer>> found = new TreeMap<>();
      shards.forEach(
          shard ->
              each.of
                  .apply(shard)
                  .ifPresent(
                      value ->
                          found
                              .computeIfAbsent(value, absent -> new ArrayList<>())
                              .add(shard.number())));
      if (found.size() > 1) {
        differences.add("the shards had different %s: %s".formatted(each.plural, text(found)));
      }
    }
    return differences;
  }

  private static String text(Map<String, List<Integer>> shards) {
    return shards.entrySet().stream()
        .map(
            entry ->
                "%s (%s)"
                    .formatted(
                        VisibleText.line(entry.getKey()),
                        entry.getValue().stream()
                            .map(Object::toString)
                            .collect(Collectors.joining(", "))))
        .collect(Collectors.joining("; "));
  }
}
