package io.quorate.shard;

import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.scenario.Shard;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The runs of the shards of one load: each shard once, all of the same load and servers. */
final class ShardRuns {
  private final Map<String, TreeMap<Integer, ShardRun>> byDatabase;

  private ShardRuns(Map<String, TreeMap<Integer, ShardRun>> byDatabase) {
    this.byDatabase = byDatabase;
  }

  /** Returns the shards of each database by their numbers. */
  Collection<TreeMap<Integer, ShardRun>> databases() {
    return byDatabase.values();
  }

  /**
   * Reads the runs of shards, all but their latencies.
   *
   * @param directories of the runs
   * @param partial whether to merge what is complete, though shards are missing or failed
   * @throws QuorateException with all that is wrong with them
   */
  static ShardRuns of(List<Path> directories, boolean partial) {
    List<String> problems = new ArrayList<>();
    List<ShardRun> shards = new ArrayList<>();
    for (Path directory : directories) {
      read(directory, shards, problems);
    }
    Map<String, TreeMap<Integer, ShardRun>> byDatabase = new LinkedHashMap<>();
    for (ShardRun shard : shards) {
      ShardRun same =
          byDatabase
              .computeIfAbsent(shard.directory().id(), absent -> new TreeMap<>())
              .putIfAbsent(shard.number(), shard);
      if (same != null) {
        problems.add(
            "%s: found %s of %s, which is in %s already, expected each once"
                .formatted(
                    shown(shard), shard.facts().shard(), shard.directory().id(), shown(same)));
      }
    }
    byDatabase.values().forEach(each -> requireSame(each.values(), problems));
    byDatabase.values().forEach(each -> requireOneHolder(each.values(), problems));
    byDatabase.values().forEach(each -> requireAll(each, partial, problems));
    if (!problems.isEmpty()) {
      throw new QuorateException(String.join("\n", problems));
    }
    return new ShardRuns(byDatabase);
  }

  private static void read(Path directory, List<ShardRun> shards, List<String> problems) {
    try {
      List<DatabaseDirectory> databases = RunDirectory.open(directory).databases();
      if (databases.isEmpty()) {
        problems.add(
            VisibleText.of(directory.toString())
                + ": found no */manifest.json, expected the directory of a shard's run");
      }
      for (DatabaseDirectory each : databases) {
        try {
          shards.add(ShardRun.read(each));
        } catch (QuorateException wrong) {
          problems.add(wrong.getMessage());
        }
      }
    } catch (QuorateException wrong) {
      problems.add(wrong.getMessage());
    }
  }

  /** Reports shards of another load than the first. */
  private static void requireSame(Iterable<ShardRun> shards, List<String> problems) {
    ShardRun first = shards.iterator().next();
    for (ShardRun each : shards) {
      Map<String, Object> found = facts(each);
      facts(first)
          .forEach(
              (what, expected) -> {
                if (!found.get(what).equals(expected)) {
                  problems.add(
                      "%s: %s: found %s, expected %s as in %s"
                          .formatted(
                              shown(each),
                              what,
                              VisibleText.of(found.get(what).toString()),
                              VisibleText.of(expected.toString()),
                              shown(first)));
                }
              });
      if (!each.manifest().scenario().text().equals(first.manifest().scenario().text())
          || !each.facts().limits().equals(first.facts().limits())) {
        problems.add(
            "%s: found another text of the scenario than in %s"
                .formatted(shown(each), shown(first)));
      } else if (!each.facts().whole().equals(first.facts().whole())) {
        problems.add(
            "%s: found another load of all shards than in %s".formatted(shown(each), shown(first)));
      }
      if (!each.manifest().store().settings().equals(first.manifest().store().settings())
          || !each.manifest().store().tag().equals(first.manifest().store().tag())) {
        problems.add("%s: found other servers than in %s".formatted(shown(each), shown(first)));
      }
    }
  }

  /** Reports agents of several shards, and shards that did not use the servers of those agents. */
  private static void requireOneHolder(Collection<ShardRun> shards, List<String> problems) {
    Optional<ShardRun> holder = shards.stream().filter(ShardRun::hasAgents).findFirst();
    if (holder.isEmpty()) {
      return;
    }
    List<String> members = holder.get().manifest().store().servers().members();
    for (ShardRun each : shards) {
      if (each.hasAgents() && each != holder.get()) {
        problems.add(
            "%s: found servers that agents ran, as in %s: expected agents of one shard only"
                .formatted(shown(each), shown(holder.get())));
      } else if (!members.containsAll(each.manifest().store().servers().members())) {
        problems.add(
            "%s: found other servers than those that agents ran in %s"
                .formatted(shown(each), shown(holder.get())));
      }
    }
  }

  /** Returns what has to be the same in all shards, by its name in messages. */
  private static Map<String, Object> facts(ShardRun shard) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("scenario", shard.manifest().scenario().name());
    facts.put("scale", shard.manifest().scenario().scale());
    facts.put("number of shards", shard.facts().shard().count());
    facts.put("real-time priority", shard.manifest().load().realTimeText());
    return facts;
  }

  /** Reports shards that are missing or not complete. */
  private static void requireAll(
      TreeMap<Integer, ShardRun> shards, boolean partial, List<String> problems) {
    ShardRun first = shards.firstEntry().getValue();
    List<String> absent = absent(shards);
    if (!partial) {
      absent.forEach(
          each ->
              problems.add(
                  "%s: %s: expected all of the %d shards, complete; --partial merges the others, and the run is marked as failed"
                      .formatted(first.directory().id(), each, first.facts().shard().count())));
    } else if (shards.values().stream().noneMatch(ShardRun::isComplete)) {
      problems.add(first.directory().id() + ": found no shard that is complete, expected one");
    }
  }

  /** Names the shards that are not in the merged run. */
  static List<String> absent(TreeMap<Integer, ShardRun> shards) {
    List<String> absent = new ArrayList<>();
    int count = shards.firstEntry().getValue().facts().shard().count();
    for (int number = 1; number <= count; number++) {
      ShardRun shard = shards.get(number);
      String name = new Shard(number, count).toString();
      if (shard == null) {
        absent.add(name + " is missing");
      } else if (!shard.isComplete()) {
        absent.add(
            "%s is %s%s (%s)"
                .formatted(
                    name,
                    shard.manifest().status().label(),
                    shard.manifest().reason().map(why -> ": " + VisibleText.of(why)).orElse(""),
                    shown(shard)));
      }
    }
    return absent;
  }

  private static String shown(ShardRun shard) {
    return VisibleText.of(shard.directory().toString());
  }
}
