// SPDX-License-Identifier: Apache-2.0
package io.quorate.history;

import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Makes legal histories: clients send requests one after the other, each is applied at one moment
 * between its invocation and its completion, and some end without an answer. Written values are
 * unique; without deletes no value comes back.
 *
 * @param lost probability that a request has no answer: half of them are applied, some of these
 *     much later
 * @param failed probability that a request certainly is not applied
 */
record RegisterSimulation(
    int clients, int keys, int requests, List<Action> actions, double lost, double failed) {
  private static final int DELAY = 100;

  static final RegisterSimulation PUTS_AND_GETS =
      new RegisterSimulation(
          5, 2, 60, List.of(Action.PUT, Action.GET, Action.GET, Action.STALE_GET), 0.05, 0.05);
  static final RegisterSimulation ALL_ACTIONS =
      new RegisterSimulation(5, 2, 60, List.of(Action.values()), 0.05, 0.05);
  static final RegisterSimulation WITHOUT_DELETES =
      new RegisterSimulation(
          5, 2, 60, List.of(Action.PUT, Action.GET, Action.COMPARE_AND_SET), 0.05, 0.05);

  private record Sent(
      int client,
      Action action,
      long key,
      long written,
      long invoked,
      long applied,
      long completed,
      Outcome outcome) {}

  List<RecordedRequest> history(long seed) {
    Random random = new Random(seed);
    List<Sent> sent = new ArrayList<>();
    long value = 0;
    for (int client = 0; client < clients; client++) {
      long now = random.nextInt(DELAY);
      for (int i = 0; i < requests / clients; i++) {
        value++;
        Sent next = sent(random, client, value, now);
        sent.add(next);
        now = 1 + random.nextInt(DELAY) + Math.max(next.invoked, next.completed);
      }
    }
    sent.sort(Comparator.comparingLong(Sent::applied));
    Map<Long, Long> values = new HashMap<>();
    Map<Long, List<Long>> old = new HashMap<>();
    List<RecordedRequest> history = new ArrayList<>();
    for (Sent each : sent) {
      history.add(applied(random, each, values, old));
    }
    return history;
  }

  private Sent sent(Random random, int client, long value, long now) {
    Action action = actions.get(random.nextInt(actions.size()));
    boolean isWrite = action == Action.PUT || action == Action.COMPARE_AND_SET;
    long applied = now + random.nextInt(DELAY);
    long completed = applied + random.nextInt(DELAY);
    Outcome outcome = Outcome.OK;
    if (random.nextDouble() < lost) {
      outcome = Outcome.UNKNOWN;
      completed = random.nextBoolean() ? RecordedRequest.NEVER : completed;
      int delay = random.nextInt(4);
      applied = delay < 2 ? applied + delay * 5 * DELAY : Long.MAX_VALUE;
    } else if (random.nextDouble() < failed) {
      outcome = Outcome.FAILED;
    }
    long written = isWrite ? value : 0;
    int key = random.nextInt(keys);
    return new Sent(client, action, key, written, now, applied, completed, outcome);
  }

  private static RecordedRequest applied(
      Random random, Sent sent, Map<Long, Long> values, Map<Long, List<Long>> old) {
    long value = values.getOrDefault(sent.key, 0L);
    List<Long> before = old.computeIfAbsent(sent.key, key -> new ArrayList<>(List.of(0L)));
    boolean isApplied = sent.outcome != Outcome.FAILED && sent.applied < Long.MAX_VALUE;
    long read = 0;
    long expected = 0;
    Outcome outcome = sent.outcome;
    switch (sent.action) {
      case GET, STALE_GET -> {
        boolean isOld = sent.action == Action.STALE_GET && random.nextBoolean();
        long seen = isOld ? before.get(random.nextInt(before.size())) : value;
        read = outcome == Outcome.OK ? seen : 0;
        isApplied = false;
      }
      case COMPARE_AND_SET -> {
        expected = random.nextInt(3) > 0 ? value : before.get(random.nextInt(before.size()));
        if (expected != value) {
          isApplied = false;
          outcome = outcome == Outcome.OK ? Outcome.MISMATCH : outcome;
        }
      }
      default -> {}
    }
    if (isApplied) {
      values.put(sent.key, sent.written);
      before.add(sent.written);
    }
    return new RecordedRequest(
        sent.client,
        sent.action,
        sent.key,
        sent.written,
        read,
        expected,
        sent.invoked,
        sent.completed,
        outcome,
        0);
  }
}
