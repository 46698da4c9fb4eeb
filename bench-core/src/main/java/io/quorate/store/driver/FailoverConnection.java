// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A connection that moves to the next member when its member fails: when a request ends with {@link
 * ErrorKind#CONNECTION}, or reaches its deadline and nothing was answered since it was sent. It
 * stays there, even when the first member is back.
 *
 * <p>A request is still one attempt: nothing is sent again. Requests that are in flight on the
 * connection that is left fail with CONNECTION, and so do those that are sent during the move. A
 * move tries every member once, the one that failed last, each for at most a second. If none can be
 * reached, it tries all again after a second.
 *
 * <p>It is safe for several threads; it opens and closes connections on a thread of its executor.
 * The path of a request has no lock.
 */
final class FailoverConnection implements Connection {
  /**
   * Time limit of an attempt to connect, and pause after all have failed, as for {@code pinned}.
   */
  private static final Duration ATTEMPT = Duration.ofSeconds(1);

  private static final String MOVING = "moving to another member";

  private final StoreClient client;
  private final DriverSettings settings;
  private final Duration limit;
  private final List<Endpoint> members;
  private final ScheduledExecutorService moves;

  /** The connection in use, or the one that was left last. */
  private volatile Held held;

  /** Place of its member; belongs to the current move. */
  private int place;

  /** Why requests fail while it moves. */
  private volatile String problem = MOVING;

  private volatile boolean closed;

  private FailoverConnection(
      StoreClient client,
      DriverSettings settings,
      List<Endpoint> others,
      ScheduledExecutorService moves) {
    this.client = client;
    this.settings = settings;
    this.limit =
        settings.connectTimeout().compareTo(ATTEMPT) < 0 ? settings.connectTimeout() : ATTEMPT;
    this.members = new ArrayList<>(others);
    this.members.add(0, settings.endpoint());
    this.moves = moves;
    this.held = new Held(client.open(settings), settings.endpoint());
  }

  /**
   * Opens a connection to the member of the settings.
   *
   * @param others members to which it moves, in this order
   * @param moves threads that open the connections to other members
   * @throws io.quorate.QuorateException if it cannot be opened
   */
  static Connection open(
      StoreClient client,
      DriverSettings settings,
      List<Endpoint> others,
      ScheduledExecutorService moves) {
    return new FailoverConnection(client, settings, others, moves);
  }

  @Override
  public void submit(Request request, Completion completion) {
    Held present = held;
    if (present.isLeft()) {
      completion.failed(ErrorKind.CONNECTION, problem);
    } else {
      present.connection.submit(request, new Attempt(present, completion));
    }
  }

  private void leave(Held failed, String why) {
    if (!closed && failed.leave()) {
      problem = MOVING + ": " + why;
      run(() -> move(failed), Duration.ZERO);
    }
  }

  private void move(Held failed) {
    failed.connection.close();
    for (int attempt = 0; attempt < members.size() && !closed; attempt++) {
      place = (place + 1) % members.size();
      try {
        Endpoint next = members.get(place);
        held = new Held(client.open(settingsOf(next)), next);
        if (closed) {
          held.connection.close();
        }
        return;
      } catch (RuntimeException unreachable) { // whatever it is, other members may be better
        problem = MOVING + ": " + unreachable.getMessage();
      }
    }
    run(() -> move(failed), ATTEMPT);
  }

  private DriverSettings settingsOf(Endpoint member) {
    return new DriverSettings(member, settings.requestTimeout(), limit, settings.access());
  }

  private void run(Runnable move, Duration delay) {
    if (closed) {
      return;
    }
    try {
      moves.schedule(move, delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException ended) {
      problem = "closed"; // the client was closed, after its connections
    }
  }

  @Override
  public Optional<Endpoint> member() {
    return Optional.of(held.member);
  }

  @Override
  public int mostInFlight() {
    return held.connection.mostInFlight();
  }

  @Override
  public Optional<Executor> eventLoop() {
    return held.connection.eventLoop().map(any -> this::onEventLoop);
  }

  private void onEventLoop(Runnable task) {
    Held present = held;
    if (present.isLeft()) {
      throw new RejectedExecutionException("not connected");
    }
    present.connection.eventLoop().ifPresent(loop -> loop.execute(task));
  }

  @Override
  public void close() {
    closed = true;
    held.connection.close(); // a connection that a move opens meanwhile is closed by the move
  }

  /** A connection to a member. */
  private static final class Held {
    private final Connection connection;
    private final Endpoint member;
    private final AtomicBoolean left = new AtomicBoolean();

    /** Number of answers; may miss some that came at the same time, but changes with each. */
    private final AtomicInteger answers = new AtomicInteger();

    Held(Connection connection, Endpoint member) {
      this.connection = connection;
      this.member = member;
    }

    boolean isLeft() {
      return left.get();
    }

    /** Leaves the connection; returns true for the first caller. */
    boolean leave() {
      return left.compareAndSet(false, true);
    }

    int answers() {
      return answers.get();
    }

    void answered() {
      answers.lazySet(answers.get() + 1);
    }
  }

  /** The end of a request, which shows whether its member has failed. */
  private final class Attempt implements Completion {
    private final Held on;
    private final Completion whole;
    private final int answersBefore;

    Attempt(Held on, Completion whole) {
      this.on = on;
      this.whole = whole;
      this.answersBefore = on.answers();
    }

    @Override
    public void sent(long sentNanos, long heldNanos) {
      whole.sent(sentNanos, heldNanos);
    }

    @Override
    public void answered(Answer answer) {
      on.answered();
      whole.answered(answer);
    }

    /** Leaves the connection first, as the completion may send the next request. */
    @Override
    public void failed(ErrorKind kind, String message) {
      boolean silent = kind == ErrorKind.TIMEOUT && on.answers() == answersBefore;
      if (kind == ErrorKind.CONNECTION || silent) {
        leave(on, message);
      } else if (kind != ErrorKind.TIMEOUT) {
        on.answered();
      }
      whole.failed(kind, message);
    }
  }
}
