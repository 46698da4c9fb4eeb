package io.quorate.driver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A map in this process: what is left of a measurement when the store costs nothing. Requests are
 * carried out and complete on a few threads of its own, as those of a client library do, so that as
 * many are under way as there are clients. It keeps the arrays that it is given, as the seam
 * allows.
 */
final class MemoryDriver implements KeyValueDriver {
  private static final int THREADS = Runtime.getRuntime().availableProcessors();

  private final ConcurrentMap<String, byte[]> store;
  private final Executor threads;
  private volatile boolean closed;

  private MemoryDriver(ConcurrentMap<String, byte[]> store, Executor threads) {
    this.store = store;
    this.threads = threads;
  }

  /**
   * Opens connections that share one store for each endpoint. A store lives as long as the opener,
   * because a benchmark fills it over one connection and measures it over others.
   */
  static Function<DriverSettings, KeyValueDriver> opener() {
    var stores = new ConcurrentHashMap<Endpoint, ConcurrentMap<String, byte[]>>();
    Executor threads = threads();
    return settings ->
        new MemoryDriver(
            stores.computeIfAbsent(settings.endpoint(), endpoint -> new ConcurrentHashMap<>()),
            threads);
  }

  /** They are there only while there is something to do. */
  private static Executor threads() {
    var threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              var thread = new Thread(work, "memory");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  @Override
  public void create(byte[] key, byte[] value, Completion completion) {
    run(
        completion,
        () -> {
          if (store.putIfAbsent(name(key), value) == null) {
            completion.written();
          } else {
            completion.failed(ErrorKind.REJECTED, "the key is there already");
          }
        });
  }

  @Override
  public void update(byte[] key, byte[] value, Completion completion) {
    run(completion, () -> written(store.replace(name(key), value) != null, completion));
  }

  @Override
  public void get(byte[] key, ReadConsistency consistency, Completion completion) {
    run(
        completion,
        () -> {
          byte[] value = store.get(name(key));
          if (value == null) {
            completion.missing();
          } else {
            completion.found(value);
          }
        });
  }

  @Override
  public void delete(byte[] key, Completion completion) {
    run(completion, () -> written(store.remove(name(key)) != null, completion));
  }

  private static void written(boolean wasThere, Completion completion) {
    if (wasThere) {
      completion.written();
    } else {
      completion.missing();
    }
  }

  private void run(Completion completion, Runnable request) {
    threads.execute(
        () -> {
          if (closed) {
            completion.failed(ErrorKind.CONNECTION, "closed");
          } else {
            request.run();
          }
        });
  }

  @Override
  public Optional<Executor> eventLoop() {
    return Optional.of(threads);
  }

  @Override
  public void close() {
    closed = true;
  }

  private static String name(byte[] key) {
    return new String(key, ISO_8859_1);
  }
}
