package io.quorate.store.consul;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.orbitz.consul.Consul;
import com.orbitz.consul.ConsulException;
import com.orbitz.consul.model.kv.Value;
import com.orbitz.consul.option.ConsistencyMode;
import com.orbitz.consul.option.ImmutableQueryOptions;
import com.orbitz.consul.option.PutOptions;
import com.orbitz.consul.option.QueryOptions;
import io.quorate.QuorateException;
import io.quorate.store.Answer;
import io.quorate.store.Connection;
import io.quorate.store.Deadlines;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.OneLine;
import io.quorate.store.PendingRequests;
import io.quorate.store.ReadConsistency;
import io.quorate.store.StoreClient;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;

/**
 * Sends requests with Consul's Java client library, whose writes block: one thread of this
 * connection sends them, one after the other, and completions run on it. What it costs is why it is
 * not the default. Unlike {@link ConsulHttpConnection}, it sends a request again when a connection
 * that was used before is cut: OkHttp does, and the library has no way to say that it must not.
 */
final class ConsulLibraryConnection implements ConsulConnection {
  private static final long STACK_BYTES = 256 << 10;

  private final BlockingQueue<ConsulRequest> queue = new LinkedBlockingQueue<>();
  private final Consul consul;
  private final Thread thread;
  private volatile boolean closed;

  ConsulLibraryConnection(DriverSettings settings) {
    this.consul =
        Consul.builder()
            .withUrl("http://" + settings.endpoint())
            .withPing(false)
            .withConnectTimeoutMillis(settings.connectTimeout().toMillis())
            .withReadTimeoutMillis(settings.requestTimeout().toMillis())
            .withWriteTimeoutMillis(settings.requestTimeout().toMillis())
            .withConnectionPool(new ConnectionPool(1, 5, TimeUnit.MINUTES))
            .build();
    this.thread = new Thread(null, this::run, "consul-library", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
  }

  /** Opens connections, only checking that the server is there. */
  static StoreClient client() {
    return new Client(new Deadlines("consul-deadlines"));
  }

  private record Client(Deadlines deadlines) implements StoreClient {
    @Override
    public Connection open(DriverSettings settings) {
      greet(settings);
      return new ConsulDriver(
          new ConsulLibraryConnection(settings),
          new PendingRequests(settings.requestTimeout()),
          deadlines);
    }

    /** Does nothing, as each connection has a thread of its own. */
    @Override
    public void close() {}
  }

  private static void greet(DriverSettings settings) {
    var greeting =
        new ConsulLibraryConnection(
            new DriverSettings(
                settings.endpoint(), settings.connectTimeout(), settings.connectTimeout()));
    try {
      greeting.consul.statusClient().getLeader();
    } catch (ConsulException unreachable) {
      throw new QuorateException(
          "consul at " + settings.endpoint() + ": " + unreachable.getMessage(), unreachable);
    } finally {
      greeting.close();
    }
  }

  @Override
  public void send(ConsulRequest request) {
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
      while (!closed) {
        ConsulRequest request = queue.take();
        if (!request.pending().ended()) {
          perform(request);
        }
      }
    } catch (InterruptedException end) {
      queue.clear();
    }
  }

  private void perform(ConsulRequest request) {
    try {
      switch (request.kind()) {
        case PUT -> {
          boolean done =
              consul
                  .keyValueClient()
                  .putValue(request.key(), request.value(), 0L, PutOptions.BLANK);
          ConsulAnswer.end(request, 200, String.valueOf(done).getBytes(UTF_8));
        }
        case DELETE -> {
          consul.keyValueClient().deleteKey(request.key());
          request.pending().end(completion -> completion.answered(Answer.WRITTEN));
        }
        case GET -> {
          Optional<Value> value =
              consul.keyValueClient().getValue(request.key(), options(request.consistency()));
          endRead(request, value);
        }
        case LEADER -> throw new IllegalArgumentException("not asked here");
      }
    } catch (ConsulException wrong) {
      fail(request, wrong);
    } catch (RuntimeException malformed) { // of an answer that the library did not expect
      request.pending().endRefused(malformed);
    }
  }

  private static void endRead(ConsulRequest request, Optional<Value> value) {
    if (value.isEmpty()) {
      request.pending().end(completion -> completion.answered(Answer.MISSING));
      return;
    }
    byte[] found;
    try {
      found = value.get().getValueAsBytes().orElse(new byte[0]);
    } catch (IllegalArgumentException altered) {
      request.fail(ErrorKind.CORRUPT, ConsulAnswer.NOT_BASE64);
      return;
    }
    request
        .pending()
        .end(completion -> completion.answered(new Answer.Found(found, Answer.NO_REVISION)));
  }

  private static QueryOptions options(ReadConsistency consistency) {
    ConsistencyMode mode =
        switch (consistency) {
          case LINEARIZABLE -> ConsistencyMode.CONSISTENT;
          case STALE -> ConsistencyMode.STALE;
          case DEFAULT -> ConsistencyMode.DEFAULT;
        };
    return ImmutableQueryOptions.builder().consistencyMode(mode).build();
  }

  private static void fail(ConsulRequest request, ConsulException wrong) {
    if (wrong.getCause() instanceof SocketTimeoutException) {
      request.fail(ErrorKind.TIMEOUT, "timeout");
    } else if (wrong.getCause() instanceof JsonProcessingException malformed) {
      request.fail(ErrorKind.OTHER, "malformed response: " + OneLine.of(malformed));
    } else if (wrong.getCause() instanceof IOException cut) {
      request.fail(ErrorKind.CONNECTION, OneLine.of(cut));
    } else {
      String said = String.valueOf(wrong.getMessage());
      request.fail(
          ConsulAnswer.kind(wrong.getCode(), said), ConsulAnswer.message(wrong.getCode(), said));
    }
  }
}
