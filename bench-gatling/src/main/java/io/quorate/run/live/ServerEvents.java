// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.live;

import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunEvent;
import io.quorate.store.Store;
import io.quorate.store.server.LogEvent;
import io.quorate.store.server.LogRule;
import io.quorate.store.server.ServerKind;
import io.quorate.store.server.ServerLog;
import io.quorate.stores.Stores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Finds the messages in the logs of servers that belong on the timeline of a run, by the rules of
 * each store's {@link ServerLog}. External servers have no logs here, and so no such events.
 */
record ServerEvents(List<ServerEvents.StepTime> steps, List<RunEvent> events) {
  /** Most events of one rule in the log of one server. */
  private static final int MAX_EVENTS = 1_000;

  /**
   * Time within which repeated messages without a length are one event: an overloaded server logs
   * the same warning for each request.
   */
  private static final long SAME_EVENT_NANOS = TimeUnit.SECONDS.toNanos(1);

  record StepTime(int number, long startUnixNanos, long endUnixNanos) {
    private boolean contains(long unixNanos) {
      return unixNanos >= startUnixNanos && unixNanos <= endUnixNanos;
    }
  }

  /**
   * Returns the events that servers logged during steps, in order, with the times of each server's
   * clock. An event begins its length before it was logged. Consecutive messages of one rule are
   * one event if they overlap, or, without a length, if they are within a second.
   *
   * @throws QuorateException if a log cannot be read
   */
  static List<RunEvent> of(Store database, DatabaseDirectory directory, List<StepTime> steps) {
    Path logs = directory.path().resolve("logs");
    ServerEvents all = new ServerEvents(steps, new ArrayList<>());
    for (ServerKind kind : Stores.servers(database).kinds()) {
      for (int index = 1; ; index++) {
        String server = kind.id() + "-" + index;
        Path log = logs.resolve(server + ".log");
        if (!Files.exists(log)) {
          break;
        }
        all.add(server, log, kind.log());
      }
    }
    all.events.sort(Comparator.comparingLong(RunEvent::startUnixNanos));
    return all.events;
  }

  private void add(String server, Path file, ServerLog log) {
    if (log.rules().isEmpty()) {
      return;
    }
    Map<LogRule, Integer> last = new HashMap<>();
    Map<LogRule, Integer> counts = new HashMap<>();
    // decodes invalid UTF-8 as well: a server may log anything
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Optional<LogEvent> event = log.event(line).filter(each -> each.time().isPresent());
        if (event.isPresent()) {
          log.rules().stream()
              .filter(rule -> rule.matches(event.get().text()))
              .findFirst()
              .filter(rule -> counts.getOrDefault(rule, 0) < MAX_EVENTS)
              .filter(rule -> add(server, rule, event.get(), last))
              .ifPresent(rule -> counts.merge(rule, 1, Integer::sum));
        }
      }
    } catch (IOException unreadable) {
      throw new QuorateException(
          file + ": cannot be read: " + FileFailure.reason(unreadable), unreadable);
    }
  }

  /** Returns whether the message is a new event. */
  private boolean add(String server, LogRule rule, LogEvent event, Map<LogRule, Integer> last) {
    Instant time = event.time().orElseThrow();
    long length = rule.length(event).toNanos();
    long end = TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
    Optional<StepTime> step = steps.stream().filter(each -> each.contains(end)).findFirst();
    if (step.isEmpty()) {
      return false;
    }
    Integer place = last.get(rule);
    long apart = length > 0 ? 0 : SAME_EVENT_NANOS;
    if (place != null && end - length - events.get(place).endUnixNanos() <= apart) {
      events.set(place, events.get(place).from(end - length).until(end));
      return false;
    }
    last.put(rule, events.size());
    events.add(
        new RunEvent(
            rule.becameLeader() ? RunEvent.Kind.LEADER_CHANGE : RunEvent.Kind.SERVER_LOG,
            server,
            step.get().number(),
            end - length,
            end,
            0,
            VisibleText.line(event.text())));
    return true;
  }
}
