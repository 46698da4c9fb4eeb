// SPDX-License-Identifier: Apache-2.0
package io.quorate.shard;

import io.quorate.VisibleText;
import io.quorate.format.Problems;
import io.quorate.results.manifest.ServerInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The conditions under which the runs of shards can be merged. */
final class MergeConditions {
  private MergeConditions() {}

  /** Reports shards of another load than the first complete one. */
  static void requireSame(Collection<ShardRun> shards, Problems problems) {
    ShardRun first =
        shards.stream().filter(ShardRun::isComplete).findFirst().orElse(shards.iterator().next());
    for (ShardRun each : shards) {
      Map<String, Object> found = facts(each);
      facts(first)
          .forEach(
              (what, expected) -> {
                if (!found.getOrDefault(what, expected).equals(expected)) {
                  problems.add(
                      "%s: %s: found %s, expected %s as in %s"
                          .formatted(
                              shown(each),
                              what,
                              VisibleText.of(String.valueOf(found.get(what))),
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
  static void requireOneHolder(Collection<ShardRun> shards, Problems problems) {
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

  /** Returns the facts that have to be the same in all shards, by their names in messages. */
  private static Map<String, Object> facts(ShardRun shard) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("scenario", shard.manifest().scenario().name());
    facts.put("scale", shard.manifest().scenario().scale());
    facts.put("number of shards", shard.facts().shard().count());
    facts.put("real-time priority", shard.manifest().load().realTimeText());
    if (shard.isComplete()) { // one that failed early may not know its servers
      ServerInfo servers = shard.manifest().store().servers();
      facts.put("version of the servers", servers.version().orElse("unknown"));
      facts.put("number of members", servers.members().size());
    }
    return facts;
  }

  /** Reports shards that are missing or not complete. */
  static void requireAll(TreeMap<Integer, ShardRun> shards, boolean partial, Problems problems) {
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
    List<String> missing =
        IntStream.rangeClosed(1, count)
            .filter(number -> !shards.containsKey(number))
            .mapToObj(Integer::toString)
            .toList();
    if (!missing.isEmpty()) {
      absent.add(
          "shard%s %s of %d %s missing"
              .formatted(
                  missing.size() == 1 ? "" : "s",
                  String.join(", ", missing),
                  count,
                  missing.size() == 1 ? "is" : "are"));
    }
    for (ShardRun shard : shards.values()) {
      if (!shard.isComplete()) {
        absent.add(
            "%s is %s%s (%s)"
                .formatted(
                    shard.facts().shard(),
                    shard.manifest().status().id(),
                    shard.manifest().reason().map(why -> ": " + VisibleText.of(why)).orElse(""),
                    shown(shard)));
      }
    }
    return absent;
  }

  static String shown(ShardRun shard) {
    return VisibleText.of(shard.directory().toString());
  }
}
