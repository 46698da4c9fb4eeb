// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.memory;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.channel.EventLoop;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Operation;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.Watch;
import io.quorate.store.WatchListener;
import io.quorate.store.driver.EventLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Driver of a map in this process, which shows the cost of a measurement without a store. Requests
 * are carried out and complete on the event loop of the connection, in a later turn, as with a
 * store behind a network.
 */
public final class MemoryDriver implements Connection {
  static final Set<Operation> OPERATIONS =
      Set.of(
          Operation.PUT,
          Operation.GET,
          Operation.EXISTS,
          Operation.DELETE,
          Operation.RANGE,
          Operation.COMPARE_AND_SET,
          Operation.TXN,
          Operation.OPTIMISTIC_CREATE,
          Operation.OPTIMISTIC_UPDATE,
          Operation.OPTIMISTIC_DELETE);

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
              Answer answer = answer(request);
              if (answer == null) {
                completion.failed(ErrorKind.REJECTED, "the key already exists");
              } else {
                completion.answered(answer);
              }
            }
          });
    } catch (RejectedExecutionException ended) {
      fail(completion);
    }
  }

  private @Nullable Answer answer(Request request) {
    if (request instanceof Request.Put put) {
      return put.creates() ? store.create(put) : store.update(put);
    } else if (request instanceof Request.Get get) {
      return store.get(get.key());
    } else if (request instanceof Request.Exists read) {
      return store.exists(read.key());
    } else if (request instanceof Request.Delete delete) {
      return store.delete(delete.key());
    } else if (request instanceof Request.DeleteRange range) {
      return store.deleteRange(range);
    } else if (request instanceof Request.Range range) {
      return store.range(range);
    } else if (request instanceof Request.CompareAndSet compared) {
      return store.compareAndSet(compared);
    } else if (request instanceof Request.OptimisticPut put) {
      return store.optimisticPut(put);
    } else if (request instanceof Request.OptimisticDelete delete) {
      return store.optimisticDelete(delete);
    }
    return store.txn((Request.Txn) request);
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
  private record Stream(MemoryWatches watches, EventLoop loop) implements Subscriptions {
    @Override
    public void watch(Watch watch, WatchListener listener) {
      watches.add(this, watch, listener, loop);
    }

    @Override
    public void unwatch(WatchListener listener) {
      watches.removeIf(started -> started.listener == listener);
    }

    @Override
    public void close() {
      watches.removeIf(started -> started.owner == this);
    }
  }

  /**
   * The keys and values of one endpoint. Safe for several threads. The keys are sorted from the
   * first range on, so that loads without ranges do not pay for the order.
   */
  static final class MemoryMap {
    /** First character after all characters of keys. */
    private static final String AFTER_ALL = "\u0100";

    private static final byte[] NOTHING = {};

    private final ConcurrentMap<String, Stored> map = new ConcurrentHashMap<>();

    private final MemoryWatches watches = new MemoryWatches();

    /** All keys, and perhaps some that were removed; null before the first range. */
    private volatile @Nullable NavigableSet<String> sorted;

    /** True as soon as it contains all keys from before the first range. */
    private volatile boolean complete;

    MemoryWatches watches() {
      return watches;
    }

    /** Creates a key; returns null if it already exists. */
    @Nullable Answer create(Request.Put put) {
      String name = name(put.key());
      Stored created = new Stored(put.value());
      synchronized (created) { // before the creation, so that the first change is reported after it
        if (map.putIfAbsent(name, created) != null) {
          return null;
        }
        watches.written(name, put.value(), 1);
      }
      NavigableSet<String> names = sorted;
      if (names != null) {
        names.add(name);
      }
      return Stored.CREATED;
    }

    Answer update(Request.Put put) {
      String name = name(put.key());
      Stored there = map.get(name);
      return there == null ? Answer.MISSING : there.replace(put.value(), name, watches);
    }

    Answer get(byte[] key) {
      Stored there = map.get(name(key));
      return there == null ? Answer.MISSING : there.read();
    }

    Answer exists(byte[] key) {
      return map.containsKey(name(key)) ? Answer.EXISTS : Answer.MISSING;
    }

    Answer compareAndSet(Request.CompareAndSet request) {
      String name = name(request.key());
      Stored there = map.get(name);
      return there == null
          ? Answer.MISSING
          : there.compareAndSet(request.revision(), request.value(), name, watches);
    }

    Answer optimisticPut(Request.OptimisticPut request) {
      if (request.creates()) {
        Answer created = create(Request.create(request.key(), request.value()));
        return created == null ? Answer.CONFLICT : created;
      }
      Answer answer =
          compareAndSet(
              new Request.CompareAndSet(request.key(), request.value(), request.revision()));
      return answer instanceof Answer.Conflict ? current(request.key()) : answer;
    }

    Answer optimisticDelete(Request.OptimisticDelete request) {
      String name = name(request.key());
      Stored there = map.get(name);
      if (there == null) {
        return Answer.MISSING;
      }
      synchronized (there) { // so that no write comes between the comparison and the removal
        if (there.version == request.revision() && map.remove(name, there)) {
          return removed(name);
        }
      }
      return current(request.key());
    }

    private Answer current(byte[] key) {
      return get(key) instanceof Answer.Found found
          ? new Answer.Conflict(Optional.of(found))
          : Answer.MISSING;
    }

    Answer delete(byte[] key) {
      String name = name(key);
      return map.remove(name) == null ? Answer.MISSING : removed(name);
    }

    private Answer removed(String name) {
      NavigableSet<String> names = sorted;
      if (names != null) {
        names.remove(name);
        if (map.containsKey(name)) {
          names.add(name); // another client has created it again meanwhile
        }
      }
      return Answer.WRITTEN;
    }

    /**
     * Carries out all puts, or none; returns null if a key that is to be created already exists.
     * Other clients may see a part of them for a short time.
     */
    @Nullable Answer txn(Request.Txn txn) {
      List<Request.Put> puts = txn.puts();
      if (txn.deletes().stream().anyMatch(key -> !map.containsKey(name(key)))) {
        return Answer.MISSING;
      }
      for (Request.Put put : puts) {
        if (map.containsKey(name(put.key())) == put.creates()) {
          return put.creates() ? null : Answer.MISSING;
        }
      }
      for (int done = 0; done < puts.size(); done++) {
        Request.Put put = puts.get(done);
        if ((put.creates() ? create(put) : update(put)) == null) {
          puts.subList(0, done).forEach(each -> delete(each.key())); // another client created it
          return null;
        }
      }
      txn.deletes().forEach(this::delete);
      return Answer.Results.of(Answer.NO_REVISION, txn.gets().stream().map(this::get).toList());
    }

    Answer range(Request.Range range) {
      String prefix = name(range.prefix());
      long limit = range.limit() == 0 ? Long.MAX_VALUE : range.limit();
      long count = 0;
      List<Answer.Entry> entries = new ArrayList<>();
      boolean behind = range.after().length > 0;
      String start = behind ? name(range.after()) : prefix;
      for (String name : sorted().subSet(start, !behind, prefix + AFTER_ALL, false)) {
        Stored there = map.get(name);
        if (there != null) {
          count++;
          if (!range.countOnly() && entries.size() < limit) {
            entries.add(entry(name, there, range.returned()));
          }
        }
      }
      return new Answer.Entries(count, entries);
    }

    Answer deleteRange(Request.DeleteRange range) {
      sorted()
          .subSet(name(range.first()), true, name(range.last()), true)
          .forEach(name -> delete(name.getBytes(ISO_8859_1)));
      return Answer.WRITTEN;
    }

    private static Answer.Entry entry(String name, Stored there, ReturnedValue returned) {
      byte[] value = returned == ReturnedValue.KEYS ? NOTHING : there.read().value();
      return new Answer.Entry(name.getBytes(ISO_8859_1), value);
    }

    private NavigableSet<String> sorted() {
      if (!complete) {
        sort();
      }
      return Objects.requireNonNull(sorted);
    }

    private synchronized void sort() {
      if (!complete) {
        NavigableSet<String> names = new ConcurrentSkipListSet<>();
        sorted = names; // first, so that keys created from now on are added
        names.addAll(map.keySet());
        complete = true;
      }
    }

    private static String name(byte[] key) {
      return new String(key, ISO_8859_1);
    }

    /**
     * A stored value, copied as over a network. It is replaced in place: otherwise old values would
     * become long-lived garbage, and enlarge the heap more than with other stores. Its version
     * counts the writes since its creation.
     */
    private static final class Stored {
      static final Answer CREATED = new Answer.Written(1);

      private byte[] value;
      private long version = 1;

      Stored(byte[] value) {
        this.value = value.clone();
      }

      synchronized Answer replace(byte[] other, String name, MemoryWatches watches) {
        if (other.length == value.length) {
          System.arraycopy(other, 0, value, 0, value.length);
        } else {
          value = other.clone();
        }
        version++;
        watches.written(name, value, version);
        return new Answer.Written(version);
      }

      synchronized Answer compareAndSet(
          long expected, byte[] other, String name, MemoryWatches watches) {
        return version == expected ? replace(other, name, watches) : Answer.CONFLICT;
      }

      synchronized Answer.Found read() {
        return new Answer.Found(value.clone(), version);
      }
    }
  }

  /**
   * The watches of one map. Safe for several threads. Without watches, a write costs only one read
   * of a field.
   */
  private static final class MemoryWatches {
    /** All watches; replaced when one is added or removed. */
    private volatile List<Started> all = List.of();

    private long writes;

    /** A watch of a stream, whose listener runs on a loop. */
    record Started(Object owner, Watch watch, WatchListener listener, Executor loop) {}

    synchronized void add(Object owner, Watch watch, WatchListener listener, Executor loop) {
      List<Started> more = new ArrayList<>(all);
      more.add(new Started(owner, watch, listener, loop));
      loop.execute(listener::started);
      all = List.copyOf(more);
    }

    synchronized void removeIf(Predicate<Started> ended) {
      all = all.stream().filter(ended.negate()).toList();
    }

    /**
     * Reports a write with its version of the key; to be called in the order of the key's writes.
     */
    void written(String name, byte[] value, long version) {
      if (!all.isEmpty()) {
        report(name.getBytes(ISO_8859_1), value.clone(), version);
      }
    }

    private synchronized void report(byte[] key, byte[] value, long version) {
      writes++;
      long revision = writes;
      for (Started each : all) {
        if (each.watch.covers(key)) {
          long told = each.watch.prefix() ? revision : version;
          try {
            each.loop.execute(() -> each.listener.changed(key, value, told));
          } catch (RejectedExecutionException ended) {
            // the watch is closed, with its stream
          }
        }
      }
    }
  }
}
