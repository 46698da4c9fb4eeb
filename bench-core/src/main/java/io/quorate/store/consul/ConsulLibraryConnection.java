// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.orbitz.consul.Consul;
import com.orbitz.consul.ConsulException;
import com.orbitz.consul.KeyValueClient;
import com.orbitz.consul.SessionClient;
import com.orbitz.consul.model.kv.Operation;
import com.orbitz.consul.model.kv.TxResponse;
import com.orbitz.consul.model.kv.Value;
import com.orbitz.consul.model.kv.Verb;
import com.orbitz.consul.model.session.ImmutableSession;
import com.orbitz.consul.model.session.Session;
import com.orbitz.consul.option.ConsistencyMode;
import com.orbitz.consul.option.ImmutablePutOptions;
import com.orbitz.consul.option.ImmutableQueryOptions;
import com.orbitz.consul.option.PutOptions;
import com.orbitz.consul.option.QueryOptions;
import io.quorate.QuorateException;
import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.Locks;
import io.quorate.store.Login;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.consul.ConsulEntries.Described;
import io.quorate.store.driver.Deadlines;
import io.quorate.store.driver.OneLine;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import okhttp3.ConnectionPool;

/**
 * Sends requests with Consul's Java client library, whose writes block. One thread of this
 * connection sends them, one after the other, and completions run on it. It is not the default
 * because of its cost. Unlike {@link ConsulHttpConnection}, it repeats a request when a reused
 * connection is lost: OkHttp does that, and the library cannot turn it off.
 */
final class ConsulLibraryConnection implements ConsulConnection {
  private static final int NOT_FOUND = 404;
  private static final long STACK_BYTES = 256 << 10;

  private final BlockingQueue<ConsulRequest> queue = new LinkedBlockingQueue<>();
  private final Consul consul;
  private final Thread thread;
  private volatile boolean closed;

  ConsulLibraryConnection(DriverSettings settings) {
    this.consul =
        builder(settings, settings.requestTimeout().toMillis())
            .withConnectionPool(new ConnectionPool(1, 5, TimeUnit.MINUTES))
            .build();
    this.thread = new Thread(null, this::run, "consul-library", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns the settings of the library for a member. */
  static Consul.Builder builder(DriverSettings settings, long answerMillis) {
    return secured(Consul.builder(), settings.access())
        .withUrl(settings.access().scheme() + "://" + settings.endpoint())
        .withPing(false)
        .withConnectTimeoutMillis(settings.connectTimeout().toMillis())
        .withReadTimeoutMillis(answerMillis)
        .withWriteTimeoutMillis(settings.requestTimeout().toMillis());
  }

  private static Consul.Builder secured(Consul.Builder builder, Access access) {
    if (access.login() != Login.NONE) {
      // not withAclToken, which puts the token into the address
      builder.withHeaders(ConsulRequest.headers(access));
    }
    access
        .tls()
        .ifPresent(
            tls -> {
              builder.withSslContext(tls.context()).withTrustManager(tls.trustManager());
              if (!tls.files().checksName()) {
                builder.withHostnameVerifier((host, session) -> true);
              }
            });
    return builder;
  }

  /** Returns a client that opens connections, after only a check that the server answers. */
  static StoreClient client() {
    return new Client(ConsulStore.HTTP.start(), new Deadlines("consul-deadlines"));
  }

  /**
   * A client with the streams of another one: streams of the library would need a thread for each
   * watch.
   */
  private record Client(StoreClient streams, Deadlines deadlines) implements StoreClient {
    @Override
    public Connection open(DriverSettings settings) {
      greet(settings);
      return new ConsulDriver(
          settings, new ConsulLibraryConnection(settings), ConsulStore.CAPABILITIES, deadlines);
    }

    @Override
    public Subscriptions subscribe(DriverSettings settings) {
      return streams.subscribe(settings);
    }

    @Override
    public Locks locks(List<DriverSettings> members, Duration ttl) {
      return new ConsulLibraryLocks(members, ttl);
    }

    @Override
    public void revoke(DriverSettings settings, List<String> leases) {
      streams.revoke(settings, leases);
    }

    /** Ends the threads of the streams; each connection has a separate thread. */
    @Override
    public void close() {
      streams.close();
    }
  }

  private static void greet(DriverSettings settings) {
    var greeting =
        new ConsulLibraryConnection(
            new DriverSettings(
                settings.endpoint(),
                settings.connectTimeout(),
                settings.connectTimeout(),
                settings.access()));
    try {
      greeting.consul.statusClient().getLeader();
    } catch (ConsulException unreachable) {
      throw new QuorateException(
          "consul at %s: %s; %s"
              .formatted(
                  settings.endpoint(),
                  unreachable.getMessage(),
                  ConsulDriver.LIMIT.orElse("is the server running there?", settings.endpoint())),
          unreachable);
    } finally {
      greeting.close();
    }
  }

  @Override
  public void send(ConsulRequest request) {
    request.pending().queued();
    queue.add(request);
  }

  @Override
  public void close() {
    closed = true;
    consul.destroy();
    thread.interrupt();
  }

  private void run() {
    try {
      long freeNanos = System.nanoTime();
      while (!closed) {
        ConsulRequest request = queue.take();
        if (!request.pending().ended()) {
          request.pending().sent(freeNanos);
          make(request);
          freeNanos = System.nanoTime();
        }
      }
    } catch (InterruptedException end) {
      queue.clear();
    }
  }

  private void make(ConsulRequest request) {
    try {
      if (request.asked().operation().isOfLeases()) {
        keepLease(request, consul.sessionClient());
      } else {
        carryOut(request, consul.keyValueClient());
      }
    } catch (ConsulException wrong) {
      if (wrong.getCode() == NOT_FOUND && request.asked() instanceof Request.Range) {
        ConsulAnswer.endRange(request, List.of());
      } else if (wrong.getCode() == NOT_FOUND
          && (request.asked() instanceof Request.KeepAlive
              || request.asked() instanceof Request.Exists)) {
        ConsulAnswer.answer(request, Answer.MISSING);
      } else {
        fail(request, wrong);
      }
    } catch (RuntimeException malformed) { // for an answer that the library does not expect
      request.pending().endRefused(malformed);
    }
  }

  private static void keepLease(ConsulRequest request, SessionClient sessions) {
    if (request.asked() instanceof Request.GrantLease grant) {
      Session session =
          ImmutableSession.builder().ttl(grant.ttlSeconds() + "s").lockDelay("0s").build();
      ConsulAnswer.answer(request, new Answer.Granted(sessions.createSession(session).getId()));
    } else if (request.asked() instanceof Request.KeepAlive keepAlive) {
      boolean lives = sessions.renewSession(keepAlive.lease()).isPresent();
      ConsulAnswer.answer(request, lives ? Answer.RENEWED : Answer.MISSING);
    }
  }

  private static void carryOut(ConsulRequest request, KeyValueClient keys) {
    Request asked = request.asked();
    if (asked instanceof Request.Put put) {
      boolean done = keys.putValue(name(put.key()), put.value(), 0L, PutOptions.BLANK);
      ConsulAnswer.endWrite(request, String.valueOf(done));
    } else if (asked instanceof Request.CompareAndSet compared) {
      PutOptions cas = ImmutablePutOptions.builder().cas(compared.revision()).build();
      boolean done = keys.putValue(name(compared.key()), compared.value(), 0L, cas);
      ConsulAnswer.endWrite(request, String.valueOf(done));
    } else if (asked instanceof Request.Delete delete) {
      keys.deleteKey(name(delete.key()));
      ConsulAnswer.answer(request, Answer.WRITTEN);
    } else if (asked instanceof Request.Get get) {
      Optional<Value> value = keys.getValue(name(get.key()), options(get.consistency()));
      endRead(request, value.map(List::of).orElse(List.of()));
    } else if (asked instanceof Request.Exists read) {
      List<String> names = keys.getKeys(name(read.key()), options(read.consistency()));
      ConsulAnswer.endExists(request, names.stream().map(Described::ofName).toList());
    } else if (asked instanceof Request.Range range && range.returned() == ReturnedValue.KEYS) {
      List<String> names = keys.getKeys(name(range.prefix()), options(range.consistency()));
      ConsulAnswer.endRange(request, names.stream().map(Described::ofName).toList());
    } else if (asked instanceof Request.Range range) {
      endRead(request, keys.getValues(name(range.prefix()), options(range.consistency())));
    } else if (asked instanceof Request.Txn txn) {
      endTxn(request, keys.performTransaction(operations(txn)).getResponse());
    }
  }

  private static Operation[] operations(Request.Txn txn) {
    Stream<Operation> puts =
        txn.puts().stream()
            .map(
                put ->
                    Operation.builder(Verb.SET)
                        .key(name(put.key()))
                        .value(text(put.value()))
                        .build());
    return Stream.of(puts, operations(Verb.DELETE, txn.deletes()), operations(Verb.GET, txn.gets()))
        .flatMap(each -> each)
        .toArray(Operation[]::new);
  }

  private static Stream<Operation> operations(Verb verb, List<byte[]> keys) {
    return keys.stream().map(key -> Operation.builder(verb).key(name(key)).build());
  }

  /** Returns a value as a text that the library encodes into the same bytes. */
  private static String text(byte[] value) {
    String text = new String(value, Charset.defaultCharset());
    if (!Arrays.equals(text.getBytes(Charset.defaultCharset()), value)) {
      throw new IllegalArgumentException(
          "the library has no transactions of values that are not text in "
              + Charset.defaultCharset());
    }
    return text;
  }

  private static void endTxn(ConsulRequest request, TxResponse written) {
    List<Value> results =
        written.results().stream()
            .flatMap(each -> Optional.ofNullable(each.get("KV")).stream())
            .toList();
    Request.Txn txn = (Request.Txn) request.asked();
    int expected = txn.puts().size() + txn.gets().size();
    if (written.results().size() != expected || results.size() != expected) {
      request.fail(
          ErrorKind.OTHER, "malformed response: " + written.results().size() + " of " + expected);
      return;
    }
    long revision = results.stream().findFirst().map(Value::getModifyIndex).orElse(0L);
    try {
      List<Answer> reads =
          results.stream()
              .skip(txn.puts().size())
              .<Answer>map(each -> described(each).found())
              .toList();
      ConsulAnswer.answer(request, Answer.Results.of(revision, reads));
    } catch (IllegalArgumentException altered) {
      request.fail(ErrorKind.CORRUPT, ConsulAnswer.NOT_BASE64);
    }
  }

  private static void endRead(ConsulRequest request, List<Value> values) {
    List<Described> keys = new ArrayList<>(values.size());
    for (Value each : values) {
      try {
        keys.add(described(each));
      } catch (IllegalArgumentException altered) {
        request.fail(ErrorKind.CORRUPT, ConsulAnswer.NOT_BASE64);
        return;
      }
    }
    if (request.asked() instanceof Request.Range) {
      ConsulAnswer.endRange(request, keys);
    } else {
      ConsulAnswer.endGet(request, keys);
    }
  }

  private static Described described(Value value) {
    return new Described(
        value.getKey(), value.getValueAsBytes().orElse(null), value.getModifyIndex());
  }

  private static String name(byte[] key) {
    return new String(key, ISO_8859_1);
  }

  private static QueryOptions options(ReadConsistency consistency) {
    ConsistencyMode mode =
        switch (consistency) {
          case LINEARIZABLE -> ConsistencyMode.CONSISTENT;
          case SERIALIZABLE -> ConsistencyMode.STALE;
          case DEFAULT -> ConsistencyMode.DEFAULT;
        };
    return ImmutableQueryOptions.builder().consistencyMode(mode).build();
  }

  /** Returns the kind of a failed call. */
  static ErrorKind kind(ConsulException wrong) {
    if (wrong.getCause() instanceof SocketTimeoutException) {
      return ErrorKind.TIMEOUT;
    }
    if (wrong.getCause() instanceof JsonProcessingException) {
      return ErrorKind.OTHER;
    }
    return wrong.getCause() instanceof IOException
        ? ErrorKind.CONNECTION
        : ConsulAnswer.kind(wrong.getCode(), String.valueOf(wrong.getMessage()));
  }

  private static void fail(ConsulRequest request, ConsulException wrong) {
    request.fail(kind(wrong), message(wrong));
  }

  private static String message(ConsulException wrong) {
    if (wrong.getCause() instanceof SocketTimeoutException) {
      return "timeout";
    }
    if (wrong.getCause() instanceof JsonProcessingException malformed) {
      return "malformed response: " + OneLine.of(malformed);
    }
    return wrong.getCause() instanceof IOException cut
        ? OneLine.of(cut)
        : ConsulAnswer.message(wrong.getCode(), String.valueOf(wrong.getMessage()));
  }
}
