package io.quorate.store.memory;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.channel.EventLoop;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.EventLoops;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Driver of a map in this process, which shows the cost of a measurement without a store. Requests
 * are carried out and complete on the event loop of the connection, in a later turn, as those of a
 * store behind a network do.
 */
public final class MemoryDriver implements Connection {
  private final ConcurrentMap<String, Stored> store;
  private final EventLoop loop;
  private volatile boolean closed;

  private MemoryDriver(ConcurrentMap<String, Stored> store, EventLoop loop) {
    this.store = store;
    this.loop = loop;
  }

  /**
   * Opens connections that share one map for each endpoint. The maps live as long as the client,
   * because a benchmark fills them over one connection and measures them over others.
   */
  static StoreClient client() {
    return new Client();
  }

  private static final class Client implements StoreClient {
    private final Map<Endpoint, ConcurrentMap<String, Stored>> maps = new ConcurrentHashMap<>();
    private final EventLoops loops = EventLoops.withoutSockets("memory");

    @Override
    public Connection open(DriverSettings settings) {
      return new MemoryDriver(
          maps.computeIfAbsent(settings.endpoint(), endpoint -> new ConcurrentHashMap<>()),
          loops.next());
    }

    @Override
    public void close() {
      loops.close();
    }
  }

  @Override
  public void submit(Request request, Completion completion) {
    if (request instanceof Request.Put put) {
      put(put, completion);
    } else if (request instanceof Request.Get get) {
      get(get.key(), get.consistency(), completion);
    } else if (request instanceof Request.Delete delete) {
      delete(delete.key(), completion);
    } else {
      throw new IllegalArgumentException("cannot " + request.operation());
    }
  }

  private void put(Request.Put put, Completion completion) {
    if (put.creates()) {
      create(put.key(), put.value(), completion);
    } else {
      update(put.key(), put.value(), completion);
    }
  }

  private void create(byte[] key, byte[] value, Completion completion) {
    run(
        completion,
        () -> {
          if (store.putIfAbsent(name(key), new Stored(value)) == null) {
            completion.answered(Answer.WRITTEN);
          } else {
            completion.failed(ErrorKind.REJECTED, "the key is there already");
          }
        });
  }

  private void update(byte[] key, byte[] value, Completion completion) {
    ifThere(
        key,
        completion,
        there -> {
          there.replace(value);
          completion.answered(Answer.WRITTEN);
        });
  }

  private void get(byte[] key, ReadConsistency consistency, Completion completion) {
    ifThere(
        key,
        completion,
        there -> completion.answered(new Answer.Found(there.copy(), Answer.NO_REVISION)));
  }

  private void delete(byte[] key, Completion completion) {
    run(
        completion,
        () -> {
          if (store.remove(name(key)) == null) {
            completion.answered(Answer.MISSING);
          } else {
            completion.answered(Answer.WRITTEN);
          }
        });
  }

  private void ifThere(byte[] key, Completion completion, Consumer<Stored> request) {
    run(
        completion,
        () -> {
          Stored there = store.get(name(key));
          if (there == null) {
            completion.answered(Answer.MISSING);
          } else {
            request.accept(there);
          }
        });
  }

  private void run(Completion completion, Runnable request) {
    try {
      loop.execute(
          () -> {
            if (closed) {
              fail(completion);
            } else {
              request.run();
            }
          });
    } catch (RejectedExecutionException ended) {
      fail(completion);
    }
  }

  private static void fail(Completion completion) {
    completion.failed(ErrorKind.CONNECTION, "closed");
  }

  @Override
  public Optional<Executor> eventLoop() {
    return Optional.of(loop);
  }

  @Override
  public void close() {
    closed = true;
  }

  private static String name(byte[] key) {
    return new String(key, ISO_8859_1);
  }

  /**
   * A stored value, copied as over a network. Replaced in place: a value that lives until a client
   * happens to write its key again is old garbage then, which grows the heap as no other store's
   * does.
   */
  private static final class Stored {
    private byte[] value;

    Stored(byte[] value) {
      this.value = value.clone();
    }

    synchronized void replace(byte[] other) {
      if (other.length == value.length) {
        System.arraycopy(other, 0, value, 0, value.length);
      } else {
        value = other.clone();
      }
    }

    synchronized byte[] copy() {
      return value.clone();
    }
  }
}
