// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A map whose requests are applied one after the other, transactions as a whole. It knows nothing
 * of the checks: it produces histories, and tries all orders of a few requests.
 */
final class MapModel {
  private static final int KEYS = 3;
  private static final int DELAY = 100;

  private MapModel() {}

  /** Returns a legal history of clients that send puts, gets, deletes and transactions. */
  static List<RecordedRequest> history(long seed, int clients, int requests) {
    Random random = new Random(seed);
    List<Sent> sent = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      long now = 1 + random.nextInt(DELAY);
      for (int i = 0; i < requests / clients; i++) {
        long applied = now + random.nextInt(DELAY);
        long completed = applied + random.nextInt(DELAY);
        Outcome outcome = Outcome.OK;
        int luck = random.nextInt(20);
        if (luck == 0) {
          outcome = Outcome.UNKNOWN;
          applied = random.nextBoolean() ? applied + 5 * DELAY : Long.MAX_VALUE;
          completed = RecordedRequest.NEVER;
        } else if (luck == 1) {
          outcome = Outcome.FAILED;
          applied = Long.MAX_VALUE;
        }
        sent.add(new Sent(client, now, applied, completed, outcome, random.nextInt(5)));
        now = 1 + random.nextInt(DELAY) + Math.max(now, completed);
      }
    }
    sent.sort((one, other) -> Long.compare(one.applied, other.applied));
    Map<Long, Long> values = new HashMap<>();
    List<RecordedRequest> history = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      history.addAll(apply(sent.get(i), i + 1, values, random));
    }
    return history;
  }

  private record Sent(
      int client, long invoked, long applied, long completed, Outcome outcome, int kind) {}

  private static List<RecordedRequest> apply(
      Sent sent, int number, Map<Long, Long> values, Random random) {
    boolean isTxn = sent.kind > 2;
    List<Action> actions =
        isTxn
            ? sent.kind == 3
                ? List.of(Action.PUT, Action.GET, Action.DELETE)
                : random.nextBoolean()
                    ? List.of(Action.PUT, Action.PUT, Action.GET)
                    : List.of(Action.PUT, Action.GET, Action.GET)
            : List.of(List.of(Action.PUT, Action.GET, Action.DELETE).get(sent.kind));
    long first = random.nextInt(KEYS);
    List<RecordedRequest> parts = new ArrayList<>();
    for (int part = 0; part < actions.size(); part++) {
      Action action = actions.get(part);
      long key = (first + part) % KEYS;
      boolean isRead = action == Action.GET;
      if (isRead && sent.outcome != Outcome.OK && isTxn) {
        continue;
      }
      long written = action == Action.PUT ? number * 10L + part : 0;
      long read = isRead && sent.outcome == Outcome.OK ? values.getOrDefault(key, 0L) : 0;
      if (!isRead && sent.applied < Long.MAX_VALUE) {
        values.put(key, written);
      }
      parts.add(
          new RecordedRequest(
              sent.client,
              action,
              key,
              written,
              read,
              0,
              sent.invoked,
              sent.completed,
              sent.outcome,
              isTxn ? number : 0));
    }
    return parts;
  }

  /** Returns the parts of each request, which are applied at once. */
  static Collection<List<RecordedRequest>> requests(List<RecordedRequest> history) {
    Map<Long, List<RecordedRequest>> all = new LinkedHashMap<>();
    long alone = -1;
    for (RecordedRequest each : history) {
      long number = each.txn() == 0 ? alone-- : each.txn();
      all.computeIfAbsent(number, any -> new ArrayList<>()).add(each);
    }
    return all.values();
  }

  /** Tries all orders of a few requests, straight from the definition. */
  static boolean isLegal(List<RecordedRequest> history) {
    List<List<RecordedRequest>> all = new ArrayList<>();
    for (List<RecordedRequest> each : requests(history)) {
      Outcome outcome = each.get(0).outcome();
      boolean matters =
          outcome == Outcome.OK || outcome == Outcome.UNKNOWN && each.get(0).action() != Action.GET;
      if (matters) {
        all.add(each);
      }
    }
    return canFollow(Map.of(), all);
  }

  private static boolean canFollow(Map<Long, Long> values, List<List<RecordedRequest>> rest) {
    if (rest.stream().allMatch(each -> each.get(0).outcome() == Outcome.UNKNOWN)) {
      return true;
    }
    for (List<RecordedRequest> next : rest) {
      boolean isFirst =
          rest.stream()
              .map(each -> each.get(0))
              .filter(each -> each.outcome() != Outcome.UNKNOWN)
              .allMatch(each -> each.completedNanos() >= next.get(0).invokedNanos());
      boolean isExplained =
          next.stream()
              .filter(each -> each.action() == Action.GET)
              .allMatch(each -> values.getOrDefault(each.key(), 0L) == each.read());
      if (isFirst && isExplained) {
        Map<Long, Long> after = new HashMap<>(values);
        next.stream()
            .filter(each -> each.action() != Action.GET)
            .forEach(each -> after.put(each.key(), each.written()));
        List<List<RecordedRequest>> others = new ArrayList<>(rest);
        others.remove(next);
        if (canFollow(after, others)) {
          return true;
        }
      }
    }
    return false;
  }
}
