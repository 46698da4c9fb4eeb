// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.DaemonThreads;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.history.HistoryFile;
import io.quorate.history.RecordedRequest;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import io.quorate.load.Load;
import io.quorate.scenario.Scenario;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Endpoint;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients next to the load that contend for a few keys: every {@value #INTERVAL_MILLIS} ms all of
 * them read the same key, and about half of them replace its value unless another client has done
 * that meanwhile (compare-and-set). A client has one request in flight, on its own connection and
 * thread, and leaves out what is due meanwhile. All requests are recorded in the history of the
 * run.
 */
public final class Contenders implements AutoCloseable {
  private static final int CLIENTS = 6;
  static final int MOST_KEYS = 3;

  private static final long INTERVAL_MILLIS = 100;
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(INTERVAL_MILLIS);

  /** Number of the first client in the history, above those of the load. */
  private static final int FIRST_CLIENT = 1_000_000;

  private static final byte FIRST_OF_KEYS = 'c';

  private final Load load;
  private final Scenario scenario;
  private final long originNanos;
  private final List<Endpoint> members;
  private final Action reads;
  private final HistoryFile.Recorder recorder;
  private final List<byte[]> keys;
  private final List<Connection> connections;
  private final AtomicLong values = new AtomicLong();
  private final StopSignal stop = new StopSignal();
  private final List<Thread> threads = new ArrayList<>();

  /**
   * Opens the connections.
   *
   * @param originNanos nano time at which the times of the history begin
   * @param members addresses of the members, by their numbers from 1
   * @throws QuorateException if one cannot be opened
   */
  public Contenders(
      Load load, Scenario scenario, HistoryFile history, long originNanos, List<Endpoint> members) {
    this.load = load;
    this.scenario = scenario;
    this.originNanos = originNanos;
    this.members = members;
    this.reads =
        scenario.requests().consistency() == ReadConsistency.LINEARIZABLE
            ? Action.GET
            : Action.STALE_GET;
    this.recorder = history.recorder();
    this.keys = keys();
    this.connections = load.connector().open(CLIENTS, load::isCancelled);
  }

  /** Returns keys of the size of the load's keys, which begin with a letter after the prefix. */
  private List<byte[]> keys() {
    int first = scenario.requests().keys().prefix().length();
    int count = scenario.requests().keys().sizeBytes() - first > 1 ? MOST_KEYS : 1;
    List<byte[]> all = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      byte[] key = load.key(number);
      key[first] = FIRST_OF_KEYS;
      all.add(key);
    }
    return all;
  }

  /**
   * Writes the keys, and begins.
   *
   * @throws QuorateException if a key cannot be written
   */
  public void start() {
    for (int key = 0; key < keys.size(); key++) {
      write(0, key, RecordedRequest.ABSENT, Request.create(keys.get(key), value(key + 1)), key + 1);
    }
    values.set(keys.size());
    for (int client = 0; client < CLIENTS; client++) {
      int number = client;
      threads.add(DaemonThreads.start("contender-" + client, () -> contend(number)));
    }
  }

  private void contend(int client) {
    Random random = new Random(scenario.requests().seed() + client);
    for (long turn = nextTurn(); isDue(turn); turn = nextTurn()) {
      int key = (int) (turn % keys.size());
      boolean replaces = random.nextBoolean();
      Answer answer = read(client, key).orElse(Answer.MISSING);
      if (answer instanceof Answer.Found found && replaces) {
        long written = values.incrementAndGet();
        Request request =
            new Request.CompareAndSet(keys.get(key), value(written), found.revision());
        write(client, key, number(found.value()), request, written);
      }
    }
  }

  /** Returns the number of the next turn, which is the same for all clients. */
  private long nextTurn() {
    return (System.nanoTime() - originNanos) / INTERVAL_NANOS + 1;
  }

  /** Waits until a turn is due; returns false if this was closed meanwhile. */
  private boolean isDue(long turn) {
    return stop.sleepUntil(originNanos + turn * INTERVAL_NANOS);
  }

  private Optional<Answer> read(int client, int key) {
    int member = member(client);
    long start = System.nanoTime();
    Optional<Answer> answer =
        answer(client, new Request.Get(keys.get(key), scenario.requests().consistency()));
    long read =
        answer.orElse(Answer.MISSING) instanceof Answer.Found found
            ? number(found.value())
            : RecordedRequest.ABSENT;
    Outcome outcome = answer.isPresent() ? Outcome.OK : Outcome.FAILED;
    record(client, member, reads, key, 0, read, 0, start, outcome);
    return answer;
  }

  private void write(int client, int key, long expected, Request request, long written) {
    int member = member(client);
    long start = System.nanoTime();
    Optional<Answer> answer = answer(client, request);
    Outcome outcome =
        answer.isEmpty()
            ? Outcome.UNKNOWN
            : answer.get() instanceof Answer.Written ? Outcome.OK : Outcome.MISMATCH;
    boolean creates = expected == RecordedRequest.ABSENT;
    if (creates && outcome != Outcome.OK) {
      throw new QuorateException("a key for compare-and-set could not be written");
    }
    Action action = creates ? Action.PUT : Action.COMPARE_AND_SET;
    record(client, member, action, key, written, 0, expected, start, outcome);
  }

  private int member(int client) {
    return 1 + connections.get(client).member().map(members::indexOf).orElse(-1);
  }

  private Optional<Answer> answer(int client, Request request) {
    return Completion.await(completion -> connections.get(client).submit(request, completion));
  }

  /** Records a request that ends now, in the file at once, because there are few. */
  private synchronized void record(
      int client,
      int member,
      Action action,
      int key,
      long written,
      long read,
      long expected,
      long startNanos,
      Outcome outcome) {
    long start = startNanos - originNanos;
    recorder.add(
        new RecordedRequest(
            FIRST_CLIENT + client,
            member,
            action,
            load.keyCount() + key,
            written,
            read,
            expected,
            start,
            start,
            System.nanoTime() - originNanos,
            outcome,
            0));
    recorder.flush();
  }

  private byte[] value(long number) {
    String digits = "%0" + scenario.requests().values().meanBytes() + "d";
    return String.format(Locale.ROOT, digits, number).getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the number in a value; the greatest one if the value contains something else. */
  private static long number(byte[] value) {
    try {
      return Long.parseLong(new String(value, StandardCharsets.US_ASCII));
    } catch (NumberFormatException foreign) {
      return Long.MAX_VALUE;
    }
  }

  /** Ends after the requests that are in flight, and closes the connections. Idempotent. */
  @Override
  public void close() {
    stop.stop();
    threads.forEach(each -> Pause.until(each::join));
    connections.forEach(Connection::close);
  }
}
