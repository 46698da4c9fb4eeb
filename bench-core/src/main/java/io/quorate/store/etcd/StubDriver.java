package io.quorate.store.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
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
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Driver of etcd v3 through gRPC's own Java stack: the methods that jetcd's stubs are generated
 * for, on a channel of grpc-netty. It costs more processor time than {@link EtcdDriver}, which is
 * why it is not the default; see the guide, harness-cost.md. Completions run on the event loop of
 * the connection, those of late requests on the thread of {@link Deadlines}.
 */
final class StubDriver implements Connection {
  private final GrpcChannel channel;
  private final PendingRequests pending;
  private final Deadlines deadlines;
  private final long timeoutNanos;
  private boolean closed;

  private StubDriver(DriverSettings settings, EventLoops loops, Deadlines deadlines) {
    this.channel = new GrpcChannel(settings, loops.next());
    this.pending = new PendingRequests(settings.requestTimeout());
    this.deadlines = deadlines;
    this.timeoutNanos = settings.requestTimeout().toNanos();
    deadlines.watch(pending);
  }

  /** Opens connections that share their threads and one clock for their deadlines. */
  static StoreClient client() {
    return new Client();
  }

  private static final class Client implements StoreClient {
    private final Deadlines deadlines = new Deadlines("etcd-deadlines");
    private final EventLoops loops = EventLoops.ofSockets("etcd-stub");

    @Override
    public Connection open(DriverSettings settings) {
      var driver = new StubDriver(settings, loops, deadlines);
      try {
        EtcdDriver.await(driver.channel.ready(), settings);
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
    call(KVGrpc.getPutMethod(), request, completion, StubDriver::answerPut);
  }

  private void get(byte[] key, ReadConsistency consistency, Completion completion) {
    RangeRequest request =
        RangeRequest.newBuilder()
            .setKey(wrap(key))
            .setSerializable(consistency == ReadConsistency.STALE)
            .build();
    call(KVGrpc.getRangeMethod(), request, completion, EtcdAnswer::range);
  }

  private void delete(byte[] key, Completion completion) {
    DeleteRangeRequest request = DeleteRangeRequest.newBuilder().setKey(wrap(key)).build();
    call(KVGrpc.getDeleteRangeMethod(), request, completion, EtcdAnswer::delete);
  }

  private static void answerPut(PutResponse answer, Completion completion) {
    if (answer.getHeader().getRevision() > 0) {
      completion.answered(Answer.WRITTEN);
    } else {
      completion.failed(ErrorKind.OTHER, EtcdAnswer.NO_ACKNOWLEDGEMENT);
    }
  }

  private <Q, A> void call(
      MethodDescriptor<Q, A> method,
      Q message,
      Completion completion,
      BiConsumer<A, Completion> onAnswer) {
    PendingRequest request = pending.add(completion);
    if (request.ended()) {
      return;
    }
    ClientCall<Q, A> call =
        channel.newCall(
            method, CallOptions.DEFAULT.withDeadlineAfter(timeoutNanos, TimeUnit.NANOSECONDS));
    ClientCalls.asyncUnaryCall(call, message, new EndOfCall<>(request, onAnswer));
    request.whenLate(() -> call.cancel("late", null));
  }

  /** Handles the end of a call. */
  private static final class EndOfCall<A> implements StreamObserver<A> {
    private final PendingRequest request;
    private final BiConsumer<A, Completion> onAnswer;
    private A message;

    EndOfCall(PendingRequest request, BiConsumer<A, Completion> onAnswer) {
      this.request = request;
      this.onAnswer = onAnswer;
    }

    @Override
    public void onNext(A received) {
      message = received;
    }

    @Override
    public void onCompleted() {
      request.end(completion -> onAnswer.accept(message, completion));
    }

    @Override
    public void onError(Throwable cause) {
      Status status = Status.fromThrowable(cause);
      request.end(
          completion -> completion.failed(EtcdStatus.kind(status), EtcdStatus.message(status)));
    }
  }

  private static ByteString wrap(byte[] bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  @Override
  public Optional<Executor> eventLoop() {
    return Optional.of(channel.loop());
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      pending.close();
      deadlines.forget(pending);
      channel.close();
    }
  }
}
