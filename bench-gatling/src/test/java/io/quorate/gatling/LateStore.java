// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.QuorateException;
import io.quorate.store.Answer;
import io.quorate.store.ClientKind;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.Login;
import io.quorate.store.Request;
import io.quorate.store.Session;
import io.quorate.store.SessionListener;
import io.quorate.store.SessionSupport;
import io.quorate.store.Sessions;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The map in memory, with sessions, whose parts open, answer and end when a test lets them. */
final class LateStore implements StoreClient {
  private static final Store MEMORY = MemoryStore.STORE;

  private final StoreClient map = MEMORY.clients().get(0).start();
  private final List<OneSession> sessions = new CopyOnWriteArrayList<>();
  private final List<String> registered = new CopyOnWriteArrayList<>();
  private final List<String> revoked = new CopyOnWriteArrayList<>();
  private volatile CountDownLatch held = new CountDownLatch(0);
  private volatile boolean refuses;
  private volatile boolean occupied;
  private volatile int silentPort;
  private volatile Predicate<Request> swallowed = any -> false;
  private volatile Optional<ErrorKind> failure = Optional.empty();

  Store store() {
    return new Store(
            "late",
            "late map",
            List.of(new ClientKind("late", () -> this)),
            MEMORY.capabilities(),
            MEMORY.watches(),
            MEMORY::guarantee,
            Optional.empty(),
            Optional.empty(),
            Login.Kind.NONE)
        .withSessions(new SessionSupport(Duration.ofSeconds(1), Duration.ofSeconds(60), false));
  }

  /** Lets nothing open until {@link #open()}. */
  void hold() {
    refuses = false;
    held = new CountDownLatch(1);
  }

  void open() {
    held.countDown();
  }

  /** Lets connections fail to open. */
  void refuse() {
    refuses = true;
  }

  /** Never answers some requests. */
  void swallow(Predicate<Request> some) {
    swallowed = some;
  }

  /** Fails all requests. */
  void fail(ErrorKind kind) {
    failure = Optional.of(kind);
  }

  /** Lets another client hold all locks. */
  void occupy() {
    occupied = true;
  }

  /** Ends no sessions at the member with this port. */
  void refuseEndsAt(int port) {
    silentPort = port;
  }

  List<OneSession> sessions() {
    return sessions;
  }

  List<String> registered() {
    return registered;
  }

  List<String> revoked() {
    return revoked;
  }

  private void awaitOpening() {
    QuorateException.throwIf(Optional.of("refused").filter(any -> refuses));
    try {
      assertThat(held.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }

  @Override
  public Connection open(DriverSettings settings) {
    awaitOpening();
    Connection opened = map.open(settings);
    return new Connection() {
      @Override
      public void submit(Request request, Completion completion) {
        if (failure.isPresent()) {
          completion.failed(failure.get(), "failed");
        } else if (!swallowed.test(request)) {
          opened.submit(request, completion);
        }
      }

      @Override
      public void close() {
        opened.close();
      }
    };
  }

  @Override
  public Subscriptions subscribe(DriverSettings settings) {
    awaitOpening();
    return map.subscribe(settings);
  }

  @Override
  public Sessions sessions(List<DriverSettings> members, Duration ttl) {
    return new Sessions() {
      @Override
      public Session open(int home, SessionListener listener) {
        awaitOpening();
        OneSession opened = new OneSession("session " + (sessions.size() + 1), ttl, listener);
        sessions.add(opened);
        return opened;
      }

      @Override
      public void close() {
        // nothing is shared
      }
    };
  }

  @Override
  public void revoke(DriverSettings settings, List<String> leases) {
    QuorateException.throwIf(
        Optional.of("silent").filter(any -> settings.endpoint().port() == silentPort));
    revoked.addAll(leases);
  }

  @Override
  public void close() {
    map.close();
  }

  /** A session that holds each lock at once, unless another client does. */
  final class OneSession implements Session {
    private final String id;
    private final Duration ttl;
    private final SessionListener listener;
    private volatile boolean abandoned;
    private volatile Completion waiting = Completion.of(any -> {}, (kind, message) -> {});

    private OneSession(String id, Duration ttl, SessionListener listener) {
      this.id = id;
      this.ttl = ttl;
      this.listener = listener;
    }

    boolean isAbandoned() {
      return abandoned;
    }

    void lose() {
      listener.lost("ended by a test");
    }

    @Override
    public String id() {
      return id;
    }

    @Override
    public Duration ttl() {
      return ttl;
    }

    @Override
    public void acquire(byte[] key, Completion completion) {
      registered.add(new String(key));
      completion.answered(Answer.WRITTEN);
    }

    @Override
    public void release(byte[] key, Completion completion) {
      completion.answered(Answer.WRITTEN);
    }

    @Override
    public void enqueue(byte[] lock, Completion completion) {
      completion.answered(new Answer.Place(lock, 1));
    }

    @Override
    public void predecessor(byte[] lock, Answer.Place place, Completion completion) {
      completion.answered(occupied ? place : Answer.MISSING);
    }

    @Override
    public void awaitRemoval(Answer.Place place, Completion completion) {
      waiting = completion;
    }

    @Override
    public void leave(Answer.Place place, Completion completion) {
      completion.answered(Answer.WRITTEN);
    }

    @Override
    public void abandon() {
      abandoned = true;
      waiting.failed(ErrorKind.CONNECTION, "closed");
    }

    @Override
    public void close() {
      abandon();
    }
  }
}
