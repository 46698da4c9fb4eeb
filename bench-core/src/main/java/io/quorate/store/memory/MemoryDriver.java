package io.quorate.store.memory;

import io.netty.channel.EventLoop;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Operation;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import io.quorate.store.driver.EventLoops;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Driver of a map in this process, which shows the cost of a measurement without a store. Requests
 * are carried out and complete on the event loop of the connection, in a later turn, as those of a
 * store behind a network do.
 */
public final class MemoryDriver implements Connection {
  /** The operations that the map can carry out. */
  static final Set<Operation> OPERATIONS =
      Set.of(
          Operation.PUT,
          Operation.GET,
          Operation.DELETE,
          Operation.RANGE,
          Operation.COMPARE_AND_SET,
          Operation.TXN);

  private final MemoryMap store;
  private final EventLoop loop;
  private volatile boolean closed;

  private MemoryDriver(MemoryMap store, EventLoop loop) {
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
    private final Map<Endpoint, MemoryMap> maps = new ConcurrentHashMap<>();
    private final EventLoops loops = EventLoops.withoutSockets("memory");

    @Override
    public Connection open(DriverSettings settings) {
      return new MemoryDriver(map(settings.endpoint()), loops.next());
    }

    @Override
    public Subscriptions subscribe(DriverSettings settings) {
      return new Stream(map(settings.endpoint()).watches(), loops.next());
    }

    private MemoryMap map(Endpoint endpoint) {
      return maps.computeIfAbsent(endpoint, absent -> new MemoryMap());
    }

    @Override
    public void close() {
      loops.close();
    }
  }

  @Override
  public void submit(Request request, Completion completion) {
    MemoryStore.CAPABILITIES.require(request);
    try {
      loop.execute(
          () -> {
            if (closed) {
              fail(completion);
            } else {
              completion.sent(System.nanoTime(), 0);
              carryOut(request, completion);
            }
          });
    } catch (RejectedExecutionException ended) {
      fail(completion);
    }
  }

  private void carryOut(Request request, Completion completion) {
    Answer answer = answer(request);
    if (answer == null) {
      completion.failed(ErrorKind.REJECTED, "the key is there already");
    } else {
      completion.answered(answer);
    }
  }

  private Answer answer(Request request) {
    if (request instanceof Request.Put put) {
      return put.creates() ? store.create(put) : store.update(put);
    } else if (request instanceof Request.Get get) {
      return store.get(get.key());
    } else if (request instanceof Request.Delete delete) {
      return store.delete(delete.key());
    } else if (request instanceof Request.DeleteRange range) {
      return store.deleteRange(range);
    } else if (request instanceof Request.Range range) {
      return store.range(range);
    } else if (request instanceof Request.CompareAndSet compared) {
      return store.compareAndSet(compared);
    }
    return store.txn(((Request.Txn) request).puts());
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

  /** Reports the writes of a map in this process, on an event loop, in a later turn. */
  private static final class Stream implements Subscriptions {
    private final MemoryWatches watches;
    private final EventLoop loop;

    Stream(MemoryWatches watches, EventLoop loop) {
      this.watches = watches;
      this.loop = loop;
    }

    @Override
    public void watch(Watch watch, WatchListener listener) {
      watches.add(this, watch, listener, loop);
    }

    @Override
    public void close() {
      watches.remove(this);
    }
  }
}
