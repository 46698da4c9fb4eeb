package io.quorate.driver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * A map in this process, completing on the calling thread: what is left of a measurement when the
 * store costs nothing. It keeps the arrays that it is given, as the seam allows.
 */
final class MemoryDriver implements KeyValueDriver {
  private final ConcurrentMap<String, byte[]> store;
  private volatile boolean closed;

  private MemoryDriver(ConcurrentMap<String, byte[]> store) {
    this.store = store;
  }

  /**
   * Opens connections that share one store for each endpoint. A store lives as long as the opener,
   * because a benchmark fills it over one connection and measures it over others.
   */
  static Function<DriverSettings, KeyValueDriver> opener() {
    var stores = new ConcurrentHashMap<Endpoint, ConcurrentMap<String, byte[]>>();
    return settings ->
        new MemoryDriver(
            stores.computeIfAbsent(settings.endpoint(), endpoint -> new ConcurrentHashMap<>()));
  }

  @Override
  public void create(byte[] key, byte[] value, Completion completion) {
    if (closed) {
      refuse(completion);
    } else if (store.putIfAbsent(name(key), value) == null) {
      completion.written();
    } else {
      completion.failed(ErrorKind.REJECTED, "the key is there already");
    }
  }

  @Override
  public void update(byte[] key, byte[] value, Completion completion) {
    if (closed) {
      refuse(completion);
    } else if (store.replace(name(key), value) == null) {
      completion.missing();
    } else {
      completion.written();
    }
  }

  @Override
  public void get(byte[] key, ReadConsistency consistency, Completion completion) {
    if (closed) {
      refuse(completion);
      return;
    }
    byte[] value = store.get(name(key));
    if (value == null) {
      completion.missing();
    } else {
      completion.found(value);
    }
  }

  @Override
  public void delete(byte[] key, Completion completion) {
    if (closed) {
      refuse(completion);
    } else if (store.remove(name(key)) == null) {
      completion.missing();
    } else {
      completion.written();
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  private static void refuse(Completion completion) {
    completion.failed(ErrorKind.CONNECTION, "closed");
  }

  private static String name(byte[] key) {
    return new String(key, ISO_8859_1);
  }
}
