// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import io.quorate.store.driver.Deadlines;
import io.quorate.store.driver.EventLoops;
import io.quorate.store.driver.PendingRequest;
import io.quorate.store.driver.TimedConnection;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Driver of etcd v3 through gRPC's own Java stack: the methods of jetcd's generated stubs, on a
 * channel of grpc-netty. It needs more CPU time than {@link EtcdDriver}, so it is not the default;
 * see the guide, overhead.md. Completions run on the event loop of the connection; completions of
 * late requests run on the thread of {@link Deadlines}.
 */
final class StubDriver extends TimedConnection {
  private final EtcdAccess access;
  private final Endpoint endpoint;
  private final GrpcChannel channel;
  private final long timeoutNanos;

  private StubDriver(
      DriverSettings settings, EtcdAccess access, EventLoops loops, Deadlines deadlines) {
    super(settings, deadlines);
    this.access = access;
    this.endpoint = settings.endpoint();
    this.channel = new GrpcChannel(settings, access, loops.next());
    this.timeoutNanos = settings.requestTimeout().toNanos();
  }

  /** Opens connections that share their threads and one clock for their deadlines. */
  static StoreClient client() {
    return new EtcdDriver.Client("etcd-stub", StubDriver::open);
  }

  private static Connection open(
      DriverSettings settings, EtcdAccess access, EventLoops loops, Deadlines deadlines) {
    var driver = new StubDriver(settings, access, loops, deadlines);
    EtcdDriver.await(driver.channel.ready(), settings, driver::close);
    return driver;
  }

  @Override
  public void submit(Request asked, Completion completion) {
    call(EtcdOperation.of(asked.operation()), asked, completion);
  }

  private <Q extends MessageLite, A extends MessageLite> void call(
      EtcdOperation<Q, A> operation, Request asked, Completion completion) {
    PendingRequest request = pending.add(Compaction.outcome(asked, completion));
    if (request.ended()) {
      return;
    }
    if (channel.loop().inEventLoop()) {
      start(request, operation, asked);
      return;
    }
    try {
      channel.loop().execute(() -> start(request, operation, asked));
    } catch (RejectedExecutionException closed) {
      return; // the request was ended by the end of the driver
    }
  }

  /**
   * Starts the call on the event loop. gRPC queues the call there, and the event loop writes it
   * before the next task, which notes that it was sent. The answer is read after both.
   */
  private <Q extends MessageLite, A extends MessageLite> void start(
      PendingRequest request, EtcdOperation<Q, A> operation, Request asked) {
    ClientCall<Q, A> call =
        channel.newCall(
            operation.method(),
            CallOptions.DEFAULT.withDeadlineAfter(timeoutNanos, TimeUnit.NANOSECONDS));
    ClientCalls.asyncUnaryCall(call, operation.message(asked), new EndOfCall<>(request, operation));
    channel.loop().execute(request::sent);
    request.whenLate(() -> call.cancel("late", null));
  }

  private final class EndOfCall<A extends MessageLite> implements StreamObserver<A> {
    private final PendingRequest request;
    private final EtcdOperation<?, A> operation;

    /** The answer; null if there is none. */
    private @Nullable A message;

    EndOfCall(PendingRequest request, EtcdOperation<?, A> operation) {
      this.request = request;
      this.operation = operation;
    }

    @Override
    public void onNext(A received) {
      message = received;
    }

    @Override
    public void onCompleted() {
      A answer = message;
      if (answer == null) {
        request.end(completion -> completion.failed(ErrorKind.OTHER, "OK: no answer"));
      } else {
        request.end(completion -> operation.answered(answer, completion));
      }
    }

    @Override
    public void onError(Throwable cause) {
      Status status = Status.fromThrowable(cause);
      request.end(
          completion -> completion.failed(EtcdStatus.kind(status), EtcdStatus.message(status)));
      access.failed(status, endpoint);
    }
  }

  @Override
  public Optional<Executor> eventLoop() {
    return Optional.of(channel.loop());
  }

  @Override
  protected void end() {
    channel.close();
  }
}
