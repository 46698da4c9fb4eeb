// SPDX-License-Identifier: Apache-2.0
package io.quorate.fault;

import io.quorate.DaemonThreads;
import io.quorate.Pause;
import io.quorate.QuorateException;
import io.quorate.results.LockRecord;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import io.quorate.store.Session;
import io.quorate.store.SessionListener;
import io.quorate.store.Sessions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Clients next to the load of which two contend for each lock. A client holds a lock for 1 s,
 * releases it, and requests it again 200 ms later; a refused request is repeated after 200 ms as
 * well. A client believes that it holds a lock from the answer until it releases it, or learns that
 * its session has ended; then it opens another one. It also does that if the outcome of a request
 * is unknown: a late one of the old session must not remove what the client holds later. All
 * clients share one thread.
 */
final class LockClients implements AutoCloseable {
  static final int LOCKS = 3;
  private static final int MOST_CLIENTS = 6;
  private static final long HOLD_MILLIS = 1_000;
  private static final long AGAIN_MILLIS = 200;
  private static final int END_SECONDS = 5;

  private final Sessions sessions;
  private final int members;
  private final String prefix;
  private final long originNanos;
  private final Consumer<LockRecord> output;
  private final ScheduledExecutorService clock = DaemonThreads.clock("lock-clients");
  private final List<Client> clients;

  /**
   * @param most largest number of clients
   * @param prefix first part of the keys
   */
  LockClients(
      Sessions sessions,
      int most,
      int members,
      String prefix,
      long originNanos,
      Consumer<LockRecord> output) {
    this.sessions = sessions;
    this.members = members;
    this.prefix = prefix;
    this.originNanos = originNanos;
    this.output = output;
    this.clients = IntStream.range(0, Math.min(most, MOST_CLIENTS)).mapToObj(Client::new).toList();
  }

  /** Opens sessions, and begins. Does not wait. */
  void start() {
    clients.forEach(each -> later(0, each::acquire));
  }

  private void later(long millis, Runnable step) {
    try {
      clock.schedule(step, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException afterClose) {
      return;
    }
  }

  private long now() {
    return System.nanoTime() - originNanos;
  }

  /** Ends the clients; one that holds a lock releases it within a second. Idempotent. */
  @Override
  public void close() {
    clock.shutdown();
  }

  /** Waits until clients that are ended have released their locks: no record comes after it. */
  void await() {
    Pause.until(() -> clock.awaitTermination(END_SECONDS, TimeUnit.SECONDS));
  }

  /** A client; everything except the reports of its session happens on the clock's thread. */
  private final class Client {
    private final int number;
    private final int lock;
    private final byte[] key;

    /** The session; null while it has none. */
    private @Nullable Session session;

    private boolean holding;
    private long token;
    private long requestedNanos;
    private long heldNanos;

    Client(int number) {
      this.number = number;
      this.lock = number % LOCKS;
      this.key = (prefix + "lock-" + lock).getBytes(StandardCharsets.US_ASCII);
    }

    void open() {
      Losses losses = new Losses();
      session = sessions.open(number % members, losses);
      losses.report(session);
    }

    private void acquire() {
      if (session == null) {
        reopen();
        return;
      }
      Session used = session;
      requestedNanos = now();
      used.acquire(
          key,
          Completion.of(
              answer -> {
                long nanos = now();
                if (answer instanceof Answer.Written written) {
                  later(0, () -> held(used, written.revision(), nanos));
                } else {
                  later(AGAIN_MILLIS, Client.this::acquire);
                }
              },
              (kind, message) -> {
                later(AGAIN_MILLIS, kind.isRefusal() ? Client.this::acquire : () -> drop(used));
              }));
    }

    /** Ends a session, after a request whose outcome is unknown. */
    private void drop(Session used) {
      if (used == session) {
        used.close();
        session = null;
      }
      acquire();
    }

    private void reopen() {
      try {
        open();
        later(0, this::acquire);
      } catch (QuorateException unreachable) {
        later(AGAIN_MILLIS, this::acquire);
      }
    }

    private void held(Session used, long fencing, long nanos) {
      if (used != session) {
        later(0, this::acquire); // the session was lost meanwhile
        return;
      }
      holding = true;
      token = fencing;
      heldNanos = nanos;
      later(HOLD_MILLIS, () -> end(used));
    }

    private void end(Session used) {
      if (used == session) {
        record(now(), false);
        release(used);
      } else {
        later(0, this::acquire);
      }
    }

    private void record(long endedNanos, boolean lost) {
      if (holding) {
        holding = false;
        output.accept(
            new LockRecord(lock, number, token, requestedNanos, heldNanos, endedNanos, lost));
      }
    }

    private void release(Session used) {
      if (used != session) {
        later(0, this::acquire);
        return;
      }
      used.release(
          key,
          Completion.of(
              answer -> later(AGAIN_MILLIS, Client.this::acquire),
              (kind, message) -> later(AGAIN_MILLIS, () -> repeatRelease(used, kind))));
    }

    private void repeatRelease(Session used, ErrorKind kind) {
      if (kind.isRefusal()) {
        release(used);
      } else {
        drop(used);
      }
    }

    private void lost(Session ended, long nanos) {
      if (ended == session) {
        session = null;
        record(nanos, true);
      }
    }

    /** Reports the loss of a session, which may come before it is known here. */
    private final class Losses implements SessionListener {
      private @Nullable Session reported;
      private long lostNanos;

      @Override
      public void renewed(long sentNanos, long nanos) {
        // only the loss matters
      }

      @Override
      public synchronized void lost(String why) {
        lostNanos = now();
        tell();
      }

      synchronized void report(Session opened) {
        reported = opened;
        tell();
      }

      private void tell() {
        Session ended = reported;
        if (ended != null && lostNanos != 0) {
          long nanos = lostNanos;
          later(0, () -> Client.this.lost(ended, nanos));
        }
      }
    }
  }
}
