// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.store.Answer;
import io.quorate.store.Capabilities;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * The keys of a load that end by themselves, a time after their last write. A missing key is an
 * error unless that time is over since the last acknowledged write began. A write next to others of
 * the same key does not count, as it is unknown which one the store carried out last. Safe for
 * several threads, without locks.
 */
final class ExpiringKeys implements UncertainKeys {
  /** Number of bits, below the time, of the number of writes whose outcome is unknown. */
  private static final int OPEN_BITS = 20;

  private static final long OPEN = (1L << OPEN_BITS) - 1;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** The time of the first millisecond; 0 is the time of a key without a write. */
  private static final long ORIGIN = 1;

  private final Duration ttl;
  private final boolean byLease;
  private final SharedLeases leases;
  private final LongSupplier nanoTime;
  private final long originNanos;

  /** For each key the time of its write in milliseconds, and the number of open writes. */
  private final AtomicLongArray states;

  /** For each key when its last acknowledged write began, in milliseconds; 0 without one. */
  private final AtomicIntegerArray acknowledged;

  /**
   * Creates the keys 0 to {@code count - 1}, of which none exists; others, of a warm-up, are not
   * remembered.
   *
   * @param timeout time limit of a request
   */
  ExpiringKeys(Duration ttl, int count, Duration timeout, Capabilities can, LongSupplier nanoTime) {
    this.ttl = ttl;
    this.byLease = can.expiry() == Capabilities.Expiry.LEASE;
    this.leases = new SharedLeases(ttl, timeout, nanoTime);
    this.nanoTime = nanoTime;
    this.originNanos = nanoTime.getAsLong();
    this.states = new AtomicLongArray(count);
    this.acknowledged = new AtomicIntegerArray(count);
  }

  /** Returns requests that write each key anew, with its value. */
  RequestSource writes(LongFunction<byte[]> key, LongFunction<byte[]> value) {
    return (connection, index, completion) ->
        send(connection, index, Request.update(key.apply(index), value.apply(index)), completion);
  }

  @Override
  public List<String> leases() {
    return leases.granted();
  }

  /** Creates a key, writes a key whether it exists or not, or reads one. */
  @Override
  public void send(Connection connection, long number, Request request, Completion completion) {
    if (request instanceof Request.Put put) {
      Write write =
          number < states.length()
              ? new RememberedWrite(connection, (int) number, put, completion)
              : new Write(connection, put, completion);
      write.start();
    } else {
      read(connection, number, (Request.Get) request, completion);
    }
  }

  /** Reads a key; a key that may have ended is a success without a value. */
  private void read(
      Connection connection, long number, Request.Get request, Completion completion) {
    long before = states.get((int) number);
    boolean latest = request.consistency() == ReadConsistency.LINEARIZABLE;
    connection.submit(
        request,
        completion.withAnswer(
            answer -> {
              boolean ended =
                  answer instanceof Answer.Missing
                      && (isOver(before >> OPEN_BITS) || !latest && isOver(ORIGIN));
              completion.answered(ended ? Answer.WRITTEN : answer);
            }));
  }

  @Override
  public boolean mayBeMissing(long number) {
    return isOver(states.get((int) number) >> OPEN_BITS);
  }

  @Override
  public long count() {
    return LongStream.range(0, states.length())
        .filter(number -> states.get((int) number) > OPEN && mayBeMissing(number))
        .count();
  }

  private long now() {
    return ORIGIN + (nanoTime.getAsLong() - originNanos) / NANOS_PER_MILLI;
  }

  private boolean isOver(long writtenAt) {
    return writtenAt < ORIGIN || now() - writtenAt >= ttl.toMillis();
  }

  /** A write that creates or updates, and the other of both if the first one finds it wrong. */
  private class Write implements SharedLeases.Write {
    private final Connection connection;
    private final Request.Put request;
    private final Completion completion;
    private boolean creates;

    Write(Connection connection, Request.Put request, Completion completion) {
      this.connection = connection;
      this.request = request;
      this.completion = completion;
    }

    /** Returns whether its key may have ended. */
    boolean mayCreate() {
      return true;
    }

    /** Remembers that it was carried out. */
    void acknowledge() {}

    /** Forgets that it was sent, as it was not carried out. */
    void forget() {}

    void start() {
      creates = request.creates() || mayCreate();
      submit();
    }

    private void submit() {
      if (byLease) {
        leases.attach(connection, this);
      } else {
        connection.submit(
            creates
                ? new Request.CreateWithTtl(request.key(), request.value(), ttl)
                : Request.update(request.key(), request.value()),
            this);
      }
    }

    @Override
    public void send(String lease, Completion outcome) {
      connection.submit(
          new Request.LeasedPut(request.key(), request.value(), lease, creates), outcome);
    }

    @Override
    public void sent(long sentNanos, long heldNanos) {
      completion.sent(sentNanos, heldNanos);
    }

    @Override
    public void answered(Answer answer) {
      if (answer instanceof Answer.Missing && !creates && mayCreate()) {
        creates = true;
        submit();
      } else {
        acknowledge();
        completion.answered(answer);
      }
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      if (kind == ErrorKind.REJECTED && creates && !request.creates()) {
        creates = false;
        submit();
      } else {
        if (kind.isRefusal()) {
          forget();
        }
        completion.failed(kind, message);
      }
    }
  }

  /** A write of a key whose writes are remembered. */
  private final class RememberedWrite extends Write {
    private final int place;
    private final long startedAt = now();
    private final long state;

    RememberedWrite(Connection connection, int place, Request.Put request, Completion completion) {
      super(connection, request, completion);
      this.place = place;
      if (request.creates()) { // once, so that there is no earlier one
        states.set(place, 1);
        this.state = 1;
      } else {
        this.state = states.incrementAndGet(place);
      }
    }

    @Override
    boolean mayCreate() {
      return isOver(acknowledged.get(place));
    }

    @Override
    void acknowledge() {
      acknowledged.set(place, (int) startedAt);
      boolean alone = (state & OPEN) == 1;
      if (!(alone && states.compareAndSet(place, state, startedAt << OPEN_BITS))) {
        states.decrementAndGet(place);
      }
    }

    @Override
    void forget() {
      states.decrementAndGet(place);
    }
  }
}
