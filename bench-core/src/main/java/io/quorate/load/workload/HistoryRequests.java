// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.history.HistoryFile;
import io.quorate.history.RecordedRequest;
import io.quorate.history.RecordedRequest.Action;
import io.quorate.history.RecordedRequest.Outcome;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests whose results are recorded in a history: puts, gets, deletes, and each part of a
 * transaction. A value is identified by its number plus 1. A put or transaction that failed may
 * have been carried out, whatever the error; a delete that found nothing was not.
 */
final class HistoryRequests implements RequestSource {
  /** Stands for a value that this run did not write. */
  static final long FOREIGN = Long.MAX_VALUE;

  private final RequestSource requests;
  private final MixSource mix;
  private final Action reads;
  private final History history;
  private final Map<Long, Long> due = new ConcurrentHashMap<>();
  private final Map<Long, Sent> sent = new ConcurrentHashMap<>();

  /** A history that several threads append to. Its times begin with its creation. */
  static final class History {
    private final HistoryFile.Recorder recorder;
    private final long originNanos;
    private final List<Endpoint> members;
    private final AtomicInteger nextClient = new AtomicInteger();
    private final AtomicLong lastTxn = new AtomicLong();
    private final Map<Connection, Integer> clients = new ConcurrentHashMap<>();

    History(HistoryFile.Recorder recorder, long originNanos, List<Endpoint> members) {
      this.recorder = recorder;
      this.originNanos = originNanos;
      this.members = members;
    }

    private int member(Connection connection) {
      return 1 + connection.member().map(members::indexOf).orElse(-1);
    }

    private int client(Connection connection) {
      return clients.computeIfAbsent(connection, any -> nextClient.getAndIncrement());
    }

    private synchronized void add(RecordedRequest request) {
      recorder.add(request);
    }

    /** Appends everything that is buffered to the file. */
    synchronized void flush() {
      recorder.flush();
    }

    /** Records the values of keys that were written before, by their numbers from 0. */
    void preloaded(long keys) {
      for (long key = 0; key < keys; key++) {
        add(
            new RecordedRequest(
                0,
                Action.PUT,
                key,
                id(key),
                RecordedRequest.ABSENT,
                RecordedRequest.ABSENT,
                0,
                0,
                Outcome.OK,
                0));
      }
    }
  }

  /** A request in flight; {@code read} is what each of its parts that read has read. */
  private static final class Sent {
    private final int client;
    private final int member;
    private final long dueNanos;
    private final long sentNanos;
    private volatile long[] read = {};

    Sent(int client, int member, long dueNanos, long sentNanos) {
      this.client = client;
      this.member = member;
      this.dueNanos = dueNanos;
      this.sentNanos = sentNanos;
    }
  }

  HistoryRequests(RequestSource requests, MixSource mix, Action reads, History history) {
    this.requests = requests;
    this.mix = mix;
    this.reads = reads;
    this.history = history;
  }

  /** Returns the id of a value by its number, which is negative for values of others. */
  static long id(long number) {
    return number < 0 ? FOREIGN : number + 1;
  }

  @Override
  public void send(Connection connection, long index, Completion completion) {
    long now = System.nanoTime();
    Long scheduled = due.remove(index);
    long dueNanos = scheduled == null || scheduled - now > 0 ? now : scheduled;
    sent.put(
        index, new Sent(history.client(connection), history.member(connection), dueNanos, now));
    requests.send(connection, index, completion);
  }

  @Override
  public int operation(long index) {
    return requests.operation(index);
  }

  @Override
  public void sending(long index, long dueNanos) {
    due.put(index, dueNanos);
    requests.sending(index, dueNanos);
  }

  @Override
  public ValueCheck check(long index, Answer answer) {
    List<Answer> answers =
        answer instanceof Answer.Results results
            ? results.reads()
            : answer instanceof Answer.Found ? List.of(answer) : List.of();
    Objects.requireNonNull(sent.get(index)).read =
        answers.stream().mapToLong(this::value).toArray();
    return requests.check(index, answer);
  }

  private long value(Answer read) {
    return read instanceof Answer.Found found
        ? id(mix.numberOf(found.value()))
        : RecordedRequest.ABSENT;
  }

  @Override
  public void acknowledged(long index, long endNanos) {
    requests.acknowledged(index, endNanos);
    record(index, endNanos, Outcome.OK);
  }

  @Override
  public void failed(long index, ErrorKind kind) {
    requests.failed(index, kind);
    boolean missing = kind == ErrorKind.MISSING;
    boolean answered = kind == ErrorKind.CORRUPT || missing;
    record(
        index,
        System.nanoTime(),
        switch (mix.operationOf(index)) {
          case GET -> answered ? Outcome.OK : Outcome.FAILED;
          case DELETE -> missing ? Outcome.FAILED : Outcome.UNKNOWN;
          case TXN -> kind == ErrorKind.CORRUPT ? Outcome.OK : Outcome.UNKNOWN;
          default -> Outcome.UNKNOWN;
        });
  }

  private void record(long index, long endNanos, Outcome outcome) {
    Sent request = sent.remove(index);
    if (request == null) {
      return; // it was never sent
    }
    Ended ended = new Ended(request, endNanos, outcome, 0);
    switch (mix.operationOf(index)) {
      case GET -> addRead(ended, reads, mix.keyRead(index), 0);
      case TXN -> {
        Ended txn = new Ended(request, endNanos, outcome, history.lastTxn.incrementAndGet());
        int changes = mix.keysWritten(index);
        for (int part = 0; part < changes; part++) {
          addChange(txn, index, part);
        }
        for (int part = 0; outcome == Outcome.OK && part < request.read.length; part++) {
          addRead(txn, Action.GET, mix.keyWritten(index, changes + part), part);
        }
      }
      default -> addChange(ended, index, 0);
    }
  }

  private record Ended(Sent request, long nanos, Outcome outcome, long txn) {}

  private void addRead(Ended ended, Action action, long key, int part) {
    long[] read = ended.request.read;
    boolean isKnown = ended.outcome == Outcome.OK && part < read.length;
    add(ended, action, key, RecordedRequest.ABSENT, isKnown ? read[part] : RecordedRequest.ABSENT);
  }

  private void addChange(Ended ended, long index, int part) {
    boolean removes = mix.removes(index, part);
    long written = removes ? RecordedRequest.ABSENT : id(mix.valueWritten(index, part));
    Action action = removes ? Action.DELETE : Action.PUT;
    add(ended, action, mix.keyWritten(index, part), written, RecordedRequest.ABSENT);
  }

  private void add(Ended ended, Action action, long key, long written, long read) {
    Sent request = ended.request;
    history.add(
        new RecordedRequest(
            request.client,
            request.member,
            action,
            key,
            written,
            read,
            RecordedRequest.ABSENT,
            request.dueNanos - history.originNanos,
            request.sentNanos - history.originNanos,
            Math.max(ended.nanos, request.sentNanos) - history.originNanos,
            ended.outcome,
            ended.txn));
  }
}
