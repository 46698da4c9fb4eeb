package io.quorate.store.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.netty.buffer.ByteBuf;
import io.quorate.QuorateException;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Deadlines;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.EventLoops;
import io.quorate.store.PendingRequest;
import io.quorate.store.PendingRequests;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import io.quorate.store.etcd.EtcdCall.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

/**
 * Driver of etcd v3: the messages of jetcd, over gRPC on an HTTP/2 connection of our own. jetcd's
 * KV client adds a thread pool, a retry and two futures to each request, and gRPC's own stack twice
 * the processor time that is needed here; the figures are in the guide, harness-cost.md.
 * Completions run on the event loop of the connection, those of late requests on the thread of
 * {@link Deadlines}.
 */
public final class EtcdDriver implements Connection {

  private final EtcdConnection connection;
  private final PendingRequests pending;
  private final Deadlines deadlines;
  private boolean closed;

  private EtcdDriver(EtcdConnection connection, PendingRequests pending, Deadlines deadlines) {
    this.connection = connection;
    this.pending = pending;
    this.deadlines = deadlines;
    deadlines.watch(pending);
  }

  /** Opens connections that share their threads and one clock for their deadlines. */
  static StoreClient client() {
    return new Client();
  }

  private static final class Client implements StoreClient {
    private final Deadlines deadlines = new Deadlines("etcd-deadlines");
    private final EventLoops loops = EventLoops.ofSockets("etcd-connection");

    @Override
    public Connection open(DriverSettings settings) {
      var driver =
          new EtcdDriver(
              new EtcdConnection(settings, loops),
              new PendingRequests(settings.requestTimeout()),
              deadlines);
      try {
        await(driver.connection.ready(), settings);
        return driver;
      } catch (QuorateException unreachable) {
        driver.close();
        throw unreachable;
      }
    }

    @Override
    public void close() {
      loops.close();
    }
  }

  /**
   * Waits until a connection can carry requests.
   *
   * @param ready completes then, and fails if the server cannot be reached
   * @throws QuorateException if that takes longer than the connect timeout, or fails
   */
  static void await(CompletableFuture<Void> ready, DriverSettings settings) {
    String problem;
    try {
      ready.get(settings.connectTimeout().toNanos(), TimeUnit.NANOSECONDS);
      return;
    } catch (TimeoutException late) {
      problem = "no connection within " + settings.connectTimeout().toMillis() + " ms";
    } catch (ExecutionException refused) {
      problem = "cannot connect";
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      problem = "interrupted while connecting";
    }
    throw new QuorateException(
        "etcd at " + settings.endpoint() + ": " + problem + "; is the server running there?");
  }

  @Override
  public void submit(Request request, Completion completion) {
    if (request instanceof Request.Put put) {
      put(put.key(), put.value(), completion);
    } else if (request instanceof Request.Get get) {
      get(get.key(), get.consistency(), completion);
    } else if (request instanceof Request.Delete delete) {
      delete(delete.key(), completion);
    } else {
      throw new IllegalArgumentException("cannot " + request.operation());
    }
  }

  private void put(byte[] key, byte[] value, Completion completion) {
    PutRequest request = PutRequest.newBuilder().setKey(wrap(key)).setValue(wrap(value)).build();
    send(Method.PUT, request, completion, EtcdDriver::answerPut);
  }

  private static void answerPut(ByteBuf data, Completion completion) {
    if (EtcdAnswer.acknowledgesPut(data)) {
      completion.answered(Answer.WRITTEN);
    } else {
      completion.failed(ErrorKind.OTHER, EtcdAnswer.NO_ACKNOWLEDGEMENT);
    }
  }

  private void get(byte[] key, ReadConsistency consistency, Completion completion) {
    RangeRequest request =
        RangeRequest.newBuilder()
            .setKey(wrap(key))
            .setSerializable(consistency == ReadConsistency.STALE)
            .build();
    send(Method.RANGE, request, completion, EtcdDriver::answerRange);
  }

  private void delete(byte[] key, Completion completion) {
    DeleteRangeRequest request = DeleteRangeRequest.newBuilder().setKey(wrap(key)).build();
    send(Method.DELETE_RANGE, request, completion, EtcdDriver::answerDelete);
  }

  private void send(
      Method method,
      MessageLite message,
      Completion completion,
      BiConsumer<ByteBuf, Completion> onAnswer) {
    PendingRequest request = pending.add(completion);
    if (!request.ended()) {
      connection.send(new EtcdCall(method, message, request, onAnswer));
    }
  }

  private static void answerRange(ByteBuf data, Completion completion) {
    RangeResponse answer = parsed(RangeResponse.parser(), data, completion);
    if (answer != null) {
      EtcdAnswer.range(answer, completion);
    }
  }

  private static void answerDelete(ByteBuf data, Completion completion) {
    DeleteRangeResponse answer = parsed(DeleteRangeResponse.parser(), data, completion);
    if (answer != null) {
      EtcdAnswer.delete(answer, completion);
    }
  }

  /** Returns the message of an answer, or null after an error was reported to the completion. */
  private static <A> A parsed(Parser<A> parser, ByteBuf data, Completion completion) {
    try {
      boolean compressed = data.readByte() != 0;
      if (compressed || data.readInt() != data.readableBytes()) {
        throw new InvalidProtocolBufferException("not one plain message");
      }
      return parser.parseFrom(CodedInputStream.newInstance(data.nioBuffer()));
    } catch (InvalidProtocolBufferException | IndexOutOfBoundsException garbage) {
      completion.failed(ErrorKind.OTHER, "malformed response: " + garbage.getMessage());
      return null;
    }
  }

  private static ByteString wrap(byte[] bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  @Override
  public Optional<Executor> eventLoop() {
    return Optional.of(connection.loop());
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      pending.close();
      deadlines.forget(pending);
      connection.close();
    }
  }
}
