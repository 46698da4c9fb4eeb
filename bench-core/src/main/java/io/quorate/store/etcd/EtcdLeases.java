package io.quorate.store.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.driver.EventLoops;
import io.quorate.store.driver.LeaseSessions;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * The leases of etcd at one member, on a separate channel of grpc-netty. A lock is a key with a
 * lease; its fencing token is the revision of its creation. Completions run on the event loop.
 */
final class EtcdLeases implements LeaseSessions.Leases {
  private final DriverSettings settings;
  private final EtcdAccess access;
  private final GrpcChannel channel;

  EtcdLeases(DriverSettings settings, EtcdAccess access, EventLoops loops) {
    this.settings = settings;
    this.access = access;
    this.channel = new GrpcChannel(settings, access, loops.next());
  }

  @Override
  public void grant(Duration ttl, Completion completion) {
    call(
        LeaseGrpc.getLeaseGrantMethod(),
        LeaseGrantRequest.newBuilder().setTTL(ttl.toSeconds()).build(),
        settings.requestTimeout(),
        EtcdAnswer::leaseGrant,
        completion);
  }

  @Override
  public void keepAlive(String lease, Duration timeout, Completion completion) {
    // defined as a stream; with one message it is a call on the wire
    call(
        LeaseGrpc.getLeaseKeepAliveMethod(),
        LeaseKeepAliveRequest.newBuilder().setID(id(lease)).build(),
        timeout,
        EtcdAnswer::leaseKeepAlive,
        completion);
  }

  @Override
  public void acquire(String lease, byte[] key, Completion completion) {
    PutRequest put =
        PutRequest.newBuilder()
            .setKey(EtcdOperation.wrap(key))
            .setValue(ByteString.copyFromUtf8(lease))
            .setLease(id(lease))
            .build();
    Compare missing =
        Compare.newBuilder()
            .setKey(EtcdOperation.wrap(key))
            .setTarget(Compare.CompareTarget.CREATE)
            .setResult(Compare.CompareResult.EQUAL)
            .setCreateRevision(0)
            .build();
    txn(
        missing,
        RequestOp.newBuilder().setRequestPut(put).build(),
        EtcdAnswer::compareAndSet,
        completion);
  }

  @Override
  public void release(String lease, byte[] key, Completion completion) {
    Compare ours =
        Compare.newBuilder()
            .setKey(EtcdOperation.wrap(key))
            .setTarget(Compare.CompareTarget.VALUE)
            .setResult(Compare.CompareResult.EQUAL)
            .setValue(ByteString.copyFromUtf8(lease))
            .build();
    DeleteRangeRequest delete =
        DeleteRangeRequest.newBuilder().setKey(EtcdOperation.wrap(key)).build();
    txn(
        ours,
        RequestOp.newBuilder().setRequestDeleteRange(delete).build(),
        (answer, released) ->
            released.answered(answer.getSucceeded() ? Answer.WRITTEN : Answer.MISSING),
        completion);
  }

  private void txn(
      Compare condition,
      RequestOp change,
      BiConsumer<TxnResponse, Completion> meaning,
      Completion completion) {
    call(
        KVGrpc.getTxnMethod(),
        TxnRequest.newBuilder().addCompare(condition).addSuccess(change).build(),
        settings.requestTimeout(),
        meaning,
        completion);
  }

  @Override
  public void revoke(String lease, Completion completion) {
    call(
        LeaseGrpc.getLeaseRevokeMethod(),
        LeaseRevokeRequest.newBuilder().setID(id(lease)).build(),
        settings.requestTimeout(),
        (answer, revoked) -> revoked.answered(Answer.WRITTEN),
        completion);
  }

  private static long id(String lease) {
    return Long.parseLong(lease);
  }

  private <Q extends MessageLite, A extends MessageLite> void call(
      MethodDescriptor<Q, A> method,
      Q message,
      Duration timeout,
      BiConsumer<A, Completion> meaning,
      Completion completion) {
    CallOptions deadline =
        CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
    try {
      channel
          .loop()
          .execute(
              () ->
                  ClientCalls.asyncUnaryCall(
                      channel.newCall(method, deadline),
                      message,
                      new EndOfCall<>(meaning, completion)));
    } catch (RejectedExecutionException ended) {
      completion.failed(ErrorKind.CONNECTION, "closed");
    }
  }

  private final class EndOfCall<A> implements StreamObserver<A> {
    private final BiConsumer<A, Completion> meaning;
    private final Completion completion;

    /** The answer; null if there is none. */
    private A message;

    EndOfCall(BiConsumer<A, Completion> meaning, Completion completion) {
      this.meaning = meaning;
      this.completion = completion;
    }

    @Override
    public void onNext(A received) {
      message = received;
    }

    @Override
    public void onCompleted() {
      if (message == null) {
        completion.failed(ErrorKind.OTHER, "OK: no answer");
      } else {
        meaning.accept(message, completion);
      }
    }

    @Override
    public void onError(Throwable cause) {
      Status status = Status.fromThrowable(cause);
      completion.failed(EtcdStatus.kind(status), EtcdStatus.message(status));
      access.failed(status, settings.endpoint());
    }
  }

  @Override
  public void close() {
    channel.close();
  }
}
