// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.QuorateException;
import io.quorate.load.ClosedLoop;
import io.quorate.load.Connector;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.StepRecorder;
import io.quorate.store.Answer;
import io.quorate.store.Capabilities;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/**
 * Removes the keys of a load from an existing cluster: all keys with its prefix, and no others. A
 * store that reads ranges page by page removes a page at a time; others remove each key by its
 * name, {@value #CLIENTS} at a time. A store that cannot delete a key by its name deletes it by its
 * revision, which is read before. For one thread.
 *
 * @param mostConnections most connections that it opens; works with fewer if the servers refuse
 */
public record KeyRemoval(String prefix, List<Keys> keys, int mostConnections) {
  private static final int PAGE = 1000;
  private static final int CLIENTS = 100;
  private static final int ATTEMPTS = 2;
  static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(15);
  private static final Duration WITHOUT_PROGRESS = Duration.ofSeconds(30);

  public KeyRemoval {
    keys = List.copyOf(keys);
  }

  /** Some keys, numbered from 0. */
  public record Keys(long count, LongFunction<byte[]> key) {
    static Keys of(List<Answer.Entry> entries) {
      return new Keys(entries.size(), number -> entries.get((int) number).key());
    }
  }

  /** Returns requests that remove keys by their numbers. A missing key is answered as such. */
  static RequestSource removals(Capabilities can, LongFunction<byte[]> key) {
    if (can.can(Operation.DELETE)) {
      return (connection, index, completion) ->
          connection.submit(new Request.Delete(key.apply(index)), completion);
    }
    return (connection, index, completion) -> {
      byte[] removed = key.apply(index);
      new OptimisticChange(
              connection,
              removed,
              revision -> new Request.OptimisticDelete(removed, revision),
              any -> ValueCheck.INTACT,
              revision -> {},
              completion)
          .start(LastRevisions.UNKNOWN);
    };
  }

  /**
   * Prepares a store for keys that begin with a prefix.
   *
   * @throws QuorateException if that fails, or keys with the prefix already exist
   */
  public static void enter(Connector asked, Capabilities.RangeReads ranges, String prefix) {
    Connector connector = asked.withTimeout(REQUEST_TIMEOUT);
    connector.atAny(settings -> connector.client().enter(settings, prefix));
    if (!ranges.isByPrefix()) {
      return;
    }
    List<Connection> connections = connector.openReachable(1, REQUEST_TIMEOUT);
    try {
      if (!page(connections, prefix, ranges).isEmpty()) {
        throw new QuorateException(
            "the servers have keys that begin with %s, perhaps of another run. Remove them, or choose another name for this run."
                .formatted(prefix));
      }
    } finally {
      connections.forEach(Connection::close);
    }
  }

  /** Returns the removal of what requests have written that were carried out after this one. */
  public KeyRemoval ofLateRequests() {
    return new KeyRemoval(prefix, List.of(), mostConnections);
  }

  /**
   * Removes the keys, and reports how many so far; fails if that is not possible. Nodes with places
   * of clients that stopped can be removed only together with all others below the prefix.
   */
  public void run(Connector asked, Capabilities can, LongConsumer progress) {
    Connector connector = asked.withTimeout(REQUEST_TIMEOUT);
    Optional<QuorateException> failure = Optional.empty();
    try {
      removeKeys(connector, can, progress);
    } catch (QuorateException refused) {
      failure = Optional.of(refused);
    }
    AtomicBoolean nothingLeft = new AtomicBoolean();
    connector.atAny(settings -> nothingLeft.set(connector.client().leave(settings, prefix)));
    if (failure.isPresent() && !nothingLeft.get()) {
      throw failure.get();
    }
  }

  private void removeKeys(Connector connector, Capabilities can, LongConsumer progress) {
    Capabilities.RangeReads ranges = can.range();
    boolean byPrefix = !ranges.isByPrefix() && keys.isEmpty();
    List<Connection> connections =
        byPrefix
            ? List.of()
            : connector.openReachable(Math.min(CLIENTS, mostConnections), REQUEST_TIMEOUT);
    try {
      if (ranges.isLimited()) {
        removePages(can, connections, progress);
      } else {
        for (Keys each : keys) {
          removeEach(each, can, connections, progress);
        }
      }
      if (ranges == Capabilities.RangeReads.ALL) { // keys that late requests have written meanwhile
        List<Answer.Entry> left = page(connections, prefix, ranges);
        removeEach(Keys.of(left), can, connections, progress);
      }
    } finally {
      connections.forEach(Connection::close);
    }
  }

  private void removePages(Capabilities can, List<Connection> connections, LongConsumer progress) {
    long removed = 0;
    List<Answer.Entry> page = page(connections, prefix, Capabilities.RangeReads.LIMITED);
    while (!page.isEmpty()) {
      if (can.can(Operation.DELETE)) {
        ask(
            connections,
            new Request.DeleteRange(page.get(0).key(), page.get(page.size() - 1).key()));
      } else {
        long before = removed;
        removeEach(Keys.of(page), can, connections, more -> progress.accept(before + more));
      }
      removed += page.size();
      progress.accept(removed);
      page = page(connections, prefix, Capabilities.RangeReads.LIMITED);
    }
  }

  /** Returns keys with a prefix: as many as the store returns at once, at most a page. */
  private static List<Answer.Entry> page(
      List<Connection> connections, String prefix, Capabilities.RangeReads ranges) {
    Answer found =
        ask(
            connections,
            new Request.Range(
                prefix.getBytes(StandardCharsets.ISO_8859_1),
                ranges.isLimited() ? PAGE : 0,
                ReturnedValue.KEYS,
                ReadConsistency.LINEARIZABLE));
    return found instanceof Answer.Entries entries ? entries.entries() : List.of();
  }

  /** Returns the answer to a request; repeats a failed request on another connection. */
  static Answer ask(List<Connection> connections, Request request) {
    for (int attempt = 1; ; attempt++) {
      CompletableFuture<Answer> answer = new CompletableFuture<>();
      connections.get(attempt % connections.size()).submit(request, Completion.of(answer));
      try {
        return answer.join();
      } catch (CompletionException failure) {
        if (attempt == ATTEMPTS) {
          throw (QuorateException) failure.getCause();
        }
      }
    }
  }

  private static void removeEach(
      Keys which, Capabilities can, List<Connection> connections, LongConsumer progress) {
    Optional<ErrorTally> error = Optional.empty();
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      error = removeOnce(which, can, connections, progress);
      if (error.isEmpty()) {
        return;
      }
    }
    throw new QuorateException(
        "%d removals ended with %s: %s"
            .formatted(error.get().count(), error.get().kind(), error.get().message()));
  }

  /** Removes each key; returns the most frequent error, if there is one. */
  private static Optional<ErrorTally> removeOnce(
      Keys which, Capabilities can, List<Connection> connections, LongConsumer progress) {
    if (which.count() == 0) {
      return Optional.empty();
    }
    int clients = ClosedLoop.clients(CLIENTS, which.count(), connections);
    ClosedLoop loop =
        ClosedLoop.apart("delete", removals(can, which.key()), which.count(), clients);
    StepRecorder recorder = loop.recorder();
    CompletableFuture<Void> ended = loop.run(clients, connections);
    long removed = 0;
    long sinceNanos = System.nanoTime();
    while (!ClosedLoop.hasEnded(ended)) {
      if (recorder.successCount() > removed) {
        sinceNanos = System.nanoTime();
      } else if (System.nanoTime() - sinceNanos > WITHOUT_PROGRESS.toNanos()
          && error(recorder).isPresent()) {
        loop.budget().cancel();
      }
      removed = recorder.successCount();
      progress.accept(removed);
    }
    return error(recorder);
  }

  /** Returns the most frequent error; a missing key is not an error. */
  private static Optional<ErrorTally> error(StepRecorder recorder) {
    return recorder.measurement().errors().stream()
        .filter(error -> !error.kind().equals(ErrorKind.MISSING.label()))
        .findFirst();
  }
}
