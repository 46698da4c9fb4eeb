// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.QuorateException;
import io.quorate.store.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The part of a database's load that one of several load generators generates: each n-th request of
 * each step, on separate keys. Together they send exactly the requests of the scenario, with its
 * clients, its rate and its keys.
 *
 * @param whole the load of all shards together
 * @param scenario scenario with the keys and the warm-up of this shard, without limits, which apply
 *     to all shards together
 * @param load load with the requests, the clients and the rate of this shard
 */
public record LoadShare(
    Shard shard, Scenario wholeScenario, StoreLoad whole, Scenario scenario, StoreLoad load) {

  public static LoadShare whole(Scenario scenario, StoreLoad load) {
    return new LoadShare(Shard.WHOLE, scenario, load, scenario, load);
  }

  /** Returns the share of a shard; fails with everything that cannot be divided by this number. */
  public static LoadShare of(Shard shard, Scenario scenario, StoreLoad load) {
    if (shard.isWhole()) {
      return whole(scenario, load);
    }
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < load.steps().size(); i++) {
      problems(load.steps().get(i), "step " + (i + 1), shard.count(), problems);
    }
    problemsOfKeys(scenario, shard.count(), problems);
    if (!problems.isEmpty()) {
      throw new QuorateException(
          "scenario %s cannot be made by %d shards:\n  %s"
              .formatted(scenario.heading().name(), shard.count(), String.join("\n  ", problems)));
    }
    StoreLoad share =
        new StoreLoad(
            load.column(), load.steps().stream().map(step -> share(shard, step)).toList());
    Requests all = scenario.requests();
    Requests own =
        all.with(
            shard.share(all.measured()), shard.share(all.warmUp()), keys(shard, scenario, load));
    return new LoadShare(
        shard, scenario, load, scenario.with(own, scenario.goals().withoutLimits()), share);
  }

  public LoadShare below(String prefix) {
    Requests all = scenario.requests();
    Requests below = all.with(all.measured(), all.warmUp(), all.keys().below(prefix));
    return new LoadShare(shard, wholeScenario, whole, scenario.with(below, scenario.goals()), load);
  }

  /**
   * Returns how many digits the number of a key needs at least, of all shards; 0 if requests have
   * no keys. A range has one digit more than it reads keys, so that it has a prefix.
   */
  public int keyDigits() {
    OperationMix mix = wholeScenario.requests().mix();
    if (!mix.usesKeys()) {
      return 0;
    }
    long count = wholeScenario.requests().keys().count();
    int digits = String.valueOf(count - 1).length();
    return mix.has(Operation.RANGE)
        ? Math.max(
            digits, String.valueOf(mix.range().isOfAll() ? count : mix.range().keys()).length())
        : digits;
  }

  private static void problems(Step step, String where, int shards, List<String> problems) {
    Map<String, Long> parts = new LinkedHashMap<>();
    if (step.model() instanceof LoadModel.Open open) {
      parts.put("requests per second", open.ratePerSecond());
      parts.put("requests in flight", (long) open.maxOutstanding());
    } else if (step.model() instanceof LoadModel.Closed closed) {
      parts.put("clients", (long) closed.clients());
      closed.limitPerSecond().ifPresent(most -> parts.put("requests per second", most));
    }
    parts.put("connections", (long) step.connections());
    parts.put("requests", step.requests());
    List<String> few =
        parts.entrySet().stream()
            .filter(part -> part.getValue() < shards)
            .map(part -> part.getValue() + " " + part.getKey())
            .toList();
    // connections follow clients, so that both are too few for the same reason
    if (!few.isEmpty()) {
      problems.add(
          "%s: found %s, expected at least %d%s, one for each shard"
              .formatted(
                  where, String.join(" and ", few), shards, few.size() == 1 ? "" : " of each"));
    }
    if (step.groups().isPresent()) {
      problems.add(where + ": groups cannot be divided: remove 'groups'");
    }
    if (step.watch().isPresent()) {
      problems.add(where + ": watchers would receive the puts of all shards: remove 'watch'");
    }
  }

  private static void problemsOfKeys(Scenario scenario, int shards, List<String> problems) {
    OperationMix mix = scenario.requests().mix();
    if (mix.has(Operation.RANGE) && mix.range().isOfAll()) {
      problems.add("keys: ranges of all keys cannot be divided into shards: set a number of keys");
    } else if (mix.usesKeys()) {
      long together = keysTogether(mix);
      long found = scenario.requests().keys().count() / together;
      // keys that follow the requests are too few where these are, which is reported for the step
      if (found < shards
          && (together > 1
              || scenario.requests().keys().count() < scenario.requests().measured())) {
        problems.add(
            "keys: found %d %s, expected at least %d, one for each shard"
                .formatted(
                    found, together == 1 ? "keys" : "ranges of " + together + " keys", shards));
      }
    }
  }

  private static Step share(Shard shard, Step step) {
    LoadModel model =
        step.model() instanceof LoadModel.Open open
            ? new LoadModel.Open(
                shard.share(open.ratePerSecond()),
                open.arrivals(),
                shard.share(open.maxOutstanding()),
                open.ramp())
            : share(shard, (LoadModel.Closed) step.model());
    return new Step(
        model,
        shard.share(step.connections()),
        shard.share(step.requests()),
        step.duration(),
        step.watch(),
        step.shares(),
        Optional.empty());
  }

  private static LoadModel share(Shard shard, LoadModel.Closed closed) {
    OptionalLong limit =
        closed.limitPerSecond().isPresent()
            ? OptionalLong.of(shard.share(closed.limitPerSecond().getAsLong()))
            : OptionalLong.empty();
    return new LoadModel.Closed(
        shard.share(closed.clients()), limit, closed.oneShot(), closed.think());
  }

  /**
   * Returns the keys of a shard. If each request has a separate key, there are as many keys as the
   * requests need, and a share of the remaining ones.
   */
  private static KeySpace keys(Shard shard, Scenario scenario, StoreLoad load) {
    KeySpace keys = scenario.requests().keys();
    OperationMix mix = scenario.requests().mix();
    if (!mix.usesKeys()) {
      return keys;
    }
    long together = keysTogether(mix);
    long needed = 0;
    long neededBefore = 0;
    long neededOfAll = 0;
    if (!keys.prepared() || mix.removesEachKey()) {
      int each = mix.keysPerRequest();
      for (Step step : load.steps()) {
        needed += shard.share(step.requests()) * each;
        neededBefore += shard.before(step.requests()) * each;
        neededOfAll += step.requests() * each;
      }
    }
    if (neededOfAll > keys.count() || together > 1) {
      needed = 0;
      neededBefore = 0;
      neededOfAll = 0;
    }
    long left = keys.count() - neededOfAll;
    long units = left / together;
    long first = neededBefore + shard.before(units) * together;
    long count = needed + shard.share(units) * together;
    boolean isLast = shard.number() == shard.count();
    return new KeySpace(
        keys.sizeBytes(),
        keys.order(),
        count + (isLast ? left % together : 0),
        keys.prepared(),
        keys.hotSet(),
        first,
        "",
        keys.ttl(),
        keys.resources());
  }

  private static long keysTogether(OperationMix mix) {
    return mix.has(Operation.RANGE) ? mix.range().keys() : 1;
  }
}
