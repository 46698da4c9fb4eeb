// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

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
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
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
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

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

  @Override
  public void enqueue(String lease, byte[] place, Completion completion) {
    PutRequest put =
        PutRequest.newBuilder().setKey(EtcdOperation.wrap(place)).setLease(id(lease)).build();
    call(
        KVGrpc.getPutMethod(),
        put,
        settings.requestTimeout(),
        (answer, written) ->
            written.answered(new Answer.Place(place, answer.getHeader().getRevision())),
        completion);
  }

  /** Reads the newest places up to this one: itself, and the one before it. */
  @Override
  public void predecessor(byte[] lock, Answer.Place place, Completion completion) {
    byte[] prefix = (new String(lock, ISO_8859_1) + "/").getBytes(ISO_8859_1);
    RangeRequest newest =
        RangeRequest.newBuilder()
            .setKey(EtcdOperation.wrap(prefix))
            .setRangeEnd(EtcdOperation.wrap(EtcdOperation.endOf(prefix)))
            .setMaxCreateRevision(place.revision())
            .setSortTarget(RangeRequest.SortTarget.CREATE)
            .setSortOrder(RangeRequest.SortOrder.DESCEND)
            .setKeysOnly(true)
            .setLimit(2)
            .build();
    call(
        KVGrpc.getRangeMethod(),
        newest,
        settings.requestTimeout(),
        (answer, found) -> before(place, answer, found),
        completion);
  }

  private static void before(Answer.Place place, RangeResponse newest, Completion completion) {
    if (newest.getKvsCount() == 0
        || !Arrays.equals(newest.getKvs(0).getKey().toByteArray(), place.key())) {
      completion.failed(ErrorKind.REJECTED, "the place in the queue does not exist any more");
    } else if (newest.getKvsCount() == 1) {
      completion.answered(Answer.MISSING);
    } else {
      completion.answered(
          new Answer.Place(
              newest.getKvs(1).getKey().toByteArray(), newest.getHeader().getRevision()));
    }
  }

  @Override
  public Runnable awaitRemoval(Answer.Place place, Completion completion) {
    Removal removal = new Removal(place, completion);
    inLoop(removal::start, completion);
    return () -> inLoop(removal::cancel, Completion.of(any -> {}, (kind, closed) -> {}));
  }

  @Override
  public void leave(Answer.Place place, Completion completion) {
    call(
        KVGrpc.getDeleteRangeMethod(),
        DeleteRangeRequest.newBuilder().setKey(EtcdOperation.wrap(place.key())).build(),
        settings.requestTimeout(),
        (answer, left) -> left.answered(answer.getDeleted() > 0 ? Answer.WRITTEN : Answer.MISSING),
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
    inLoop(
        () ->
            ClientCalls.asyncUnaryCall(
                channel.newCall(method, deadline), message, new EndOfCall<>(meaning, completion)),
        completion);
  }

  private void inLoop(Runnable calls, Completion completion) {
    try {
      channel.loop().execute(calls);
    } catch (RejectedExecutionException ended) {
      completion.failed(ErrorKind.CONNECTION, "closed");
    }
  }

  private final class EndOfCall<A> implements StreamObserver<A> {
    private final BiConsumer<A, Completion> meaning;
    private final Completion completion;

    /** The answer; null if there is none. */
    private @Nullable A message;

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

  /** Waits for the removal of a place, on a separate stream of watches. */
  private final class Removal implements StreamObserver<WatchResponse> {
    private final Answer.Place place;
    private final Completion completion;

    /** The call; null before the start. */
    private @Nullable ClientCall<WatchRequest, WatchResponse> call;

    private boolean ended;

    Removal(Answer.Place place, Completion completion) {
      this.place = place;
      this.completion = completion;
    }

    void start() {
      call = channel.newCall(WatchGrpc.getWatchMethod(), CallOptions.DEFAULT);
      StreamObserver<WatchRequest> requests = ClientCalls.asyncBidiStreamingCall(call, this);
      requests.onNext(
          WatchRequest.newBuilder()
              .setCreateRequest(
                  WatchCreateRequest.newBuilder()
                      .setKey(EtcdOperation.wrap(place.key()))
                      .setStartRevision(place.revision() + 1)
                      .addFilters(WatchCreateRequest.FilterType.NOPUT))
              .build());
    }

    @Override
    public void onNext(WatchResponse response) {
      if (ended) {
        return;
      }
      if (response.getCanceled()) {
        end();
        completion.failed(ErrorKind.OTHER, "watch ended: " + response.getCancelReason());
      } else if (response.getEventsCount() > 0) {
        end();
        completion.answered(Answer.MISSING);
      }
    }

    void cancel() {
      if (!ended) {
        end();
        completion.failed(ErrorKind.CONNECTION, "closed");
      }
    }

    /** Cancels the call, as etcd keeps a stream whose client has only ended its requests. */
    private void end() {
      ended = true;
      Objects.requireNonNull(call).cancel("the wait ended", null);
    }

    @Override
    public void onError(Throwable cause) {
      if (!ended) {
        ended = true;
        Status status = Status.fromThrowable(cause);
        completion.failed(EtcdStatus.kind(status), EtcdStatus.message(status));
      }
    }

    @Override
    public void onCompleted() {
      if (!ended) {
        ended = true;
        completion.failed(ErrorKind.CONNECTION, "the server ended the stream");
      }
    }
  }

  @Override
  public void close() {
    channel.close();
  }
}
