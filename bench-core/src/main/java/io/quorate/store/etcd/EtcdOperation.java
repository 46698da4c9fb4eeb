// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.CompactionResponse;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.MethodDescriptor;
import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An operation for etcd: the method that it calls, its message, and the meaning of the answer. The
 * same for all clients.
 */
final class EtcdOperation<Q extends MessageLite, A extends MessageLite> {
  private static final byte[] FIRST_KEY = {0};

  private static final byte[] NO_END = {0};

  private static final EtcdOperation<PutRequest, PutResponse> PUT =
      new EtcdOperation<>(
          KVGrpc.getPutMethod(),
          PutResponse.parser(),
          request -> request instanceof Request.Put put ? put(put) : leasedPut(request),
          EtcdAnswer::put);

  /** A range in {@link RangeChunks}; its answer means the same as that of a range. */
  static final EtcdOperation<RangeRequest, RangeResponse> STREAMED_RANGE =
      new EtcdOperation<>(
          KVGrpc.getRangeMethod().toBuilder()
              .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(
                  MethodDescriptor.generateFullMethodName(KVGrpc.SERVICE_NAME, "RangeStream"))
              .build(),
          RangeResponse.parser(),
          request -> range((Request.Range) request),
          EtcdAnswer::range);

  private static final Map<Operation, EtcdOperation<?, ?>> ALL = new EnumMap<>(Operation.class);

  static {
    ALL.put(Operation.PUT, PUT);
    add(
        Operation.GET,
        KVGrpc.getRangeMethod(),
        RangeResponse.parser(),
        request -> get((Request.Get) request),
        EtcdAnswer::get);
    add(
        Operation.EXISTS,
        KVGrpc.getRangeMethod(),
        RangeResponse.parser(),
        request -> exists((Request.Exists) request),
        EtcdAnswer::exists);
    add(
        Operation.DELETE,
        KVGrpc.getDeleteRangeMethod(),
        DeleteRangeResponse.parser(),
        EtcdOperation::delete,
        EtcdAnswer::delete);
    add(
        Operation.RANGE,
        KVGrpc.getRangeMethod(),
        RangeResponse.parser(),
        request -> range((Request.Range) request),
        EtcdAnswer::range);
    add(
        Operation.COMPARE_AND_SET,
        KVGrpc.getTxnMethod(),
        TxnResponse.parser(),
        request -> compareAndSet((Request.CompareAndSet) request),
        EtcdAnswer::compareAndSet);
    add(
        Operation.TXN,
        KVGrpc.getTxnMethod(),
        TxnResponse.parser(),
        request -> txn((Request.Txn) request),
        EtcdAnswer::txn);
    add(
        Operation.COMPACT,
        KVGrpc.getCompactMethod(),
        CompactionResponse.parser(),
        request -> compact((Request.Compact) request),
        EtcdAnswer::compact);
    add(
        Operation.LEASE_GRANT,
        LeaseGrpc.getLeaseGrantMethod(),
        LeaseGrantResponse.parser(),
        request -> grant((Request.GrantLease) request),
        EtcdAnswer::leaseGrant);
    add(
        Operation.OPTIMISTIC_CREATE,
        KVGrpc.getTxnMethod(),
        TxnResponse.parser(),
        request -> optimisticPut((Request.OptimisticPut) request),
        EtcdAnswer::compareAndSet);
    add(
        Operation.OPTIMISTIC_UPDATE,
        KVGrpc.getTxnMethod(),
        TxnResponse.parser(),
        request -> optimisticPut((Request.OptimisticPut) request),
        EtcdAnswer::optimistic);
    add(
        Operation.OPTIMISTIC_DELETE,
        KVGrpc.getTxnMethod(),
        TxnResponse.parser(),
        request -> optimisticDelete((Request.OptimisticDelete) request),
        EtcdAnswer::optimistic);
    add(
        Operation.REVISION,
        KVGrpc.getRangeMethod(),
        RangeResponse.parser(),
        request -> revision((Request.Revision) request),
        EtcdAnswer::range);
    // defined as a stream in etcd; with one message it is a call on the wire
    add(
        Operation.LEASE_KEEPALIVE,
        LeaseGrpc.getLeaseKeepAliveMethod(),
        LeaseKeepAliveResponse.parser(),
        request -> keepAlive((Request.KeepAlive) request),
        EtcdAnswer::leaseKeepAlive);
  }

  private final AsciiString path;
  private final Parser<A> parser;
  private final Function<Request, Q> message;
  private final BiConsumer<A, Completion> onAnswer;

  private EtcdOperation(
      MethodDescriptor<Q, A> method,
      Parser<A> parser,
      Function<Request, Q> message,
      BiConsumer<A, Completion> onAnswer) {
    this.path = AsciiString.cached("/" + method.getFullMethodName());
    this.parser = parser;
    this.message = message;
    this.onAnswer = onAnswer;
  }

  private static <Q extends MessageLite, A extends MessageLite> void add(
      Operation operation,
      MethodDescriptor<Q, A> method,
      Parser<A> parser,
      Function<Request, Q> message,
      BiConsumer<A, Completion> onAnswer) {
    ALL.put(operation, new EtcdOperation<>(method, parser, message, onAnswer));
  }

  static Set<Operation> all() {
    return ALL.keySet();
  }

  /** Returns all of them, several for an operation with several methods. */
  static List<EtcdOperation<?, ?>> values() {
    return Stream.concat(ALL.values().stream(), Stream.of(STREAMED_RANGE)).toList();
  }

  static EtcdOperation<?, ?> of(Request request) {
    return request instanceof Request.Range range && range.streamed()
        ? STREAMED_RANGE
        : of(request.operation());
  }

  static EtcdOperation<?, ?> of(Operation operation) {
    EtcdOperation<?, ?> known = ALL.get(operation);
    if (known == null) {
      throw new IllegalArgumentException("etcd has no request for " + operation);
    }
    return known;
  }

  AsciiString path() {
    return path;
  }

  Q message(Request request) {
    return message.apply(request);
  }

  void answered(A answer, Completion completion) {
    onAnswer.accept(answer, completion);
  }

  /** Reports the result of a request, from gRPC's five bytes and a message. */
  void received(ByteBuf data, Completion completion) {
    if (this == PUT) {
      EtcdAnswer.put(data, completion);
      return;
    }
    A answer;
    try {
      boolean compressed = data.readByte() != 0;
      if (compressed || data.readInt() != data.readableBytes()) {
        throw new InvalidProtocolBufferException("not one plain message");
      }
      answer = parser.parseFrom(CodedInputStream.newInstance(data.nioBuffer()));
    } catch (InvalidProtocolBufferException | IndexOutOfBoundsException garbage) {
      completion.failed(ErrorKind.OTHER, "malformed response: " + garbage.getMessage());
      return;
    }
    onAnswer.accept(answer, completion);
  }

  private static PutRequest put(Request.Put put) {
    return PutRequest.newBuilder().setKey(wrap(put.key())).setValue(wrap(put.value())).build();
  }

  private static PutRequest leasedPut(Request request) {
    Request.LeasedPut put = (Request.LeasedPut) request;
    return PutRequest.newBuilder()
        .setKey(wrap(put.key()))
        .setValue(wrap(put.value()))
        .setLease(Long.parseLong(put.lease()))
        .build();
  }

  private static RangeRequest get(Request.Get get) {
    return RangeRequest.newBuilder()
        .setKey(wrap(get.key()))
        .setSerializable(get.consistency() == ReadConsistency.SERIALIZABLE)
        .build();
  }

  private static RangeRequest exists(Request.Exists asked) {
    return RangeRequest.newBuilder()
        .setKey(wrap(asked.key()))
        .setCountOnly(true)
        .setSerializable(asked.consistency() == ReadConsistency.SERIALIZABLE)
        .build();
  }

  /** Returns the read of a Kubernetes API server. */
  private static RangeRequest revision(Request.Revision read) {
    return RangeRequest.newBuilder()
        .setKey(wrap(read.key()))
        .setLimit(1)
        .setSerializable(read.consistency() == ReadConsistency.SERIALIZABLE)
        .build();
  }

  private static DeleteRangeRequest delete(Request request) {
    if (request instanceof Request.DeleteRange range) {
      return DeleteRangeRequest.newBuilder()
          .setKey(wrap(range.first()))
          .setRangeEnd(wrap(behind(range.last())))
          .build();
    }
    return DeleteRangeRequest.newBuilder().setKey(wrap(((Request.Delete) request).key())).build();
  }

  private static RangeRequest range(Request.Range range) {
    return RangeRequest.newBuilder()
        .setKey(wrap(startOf(range)))
        .setRangeEnd(wrap(endOf(range.prefix())))
        .setLimit(range.limit())
        .setCountOnly(range.countOnly())
        .setKeysOnly(range.returned() == ReturnedValue.KEYS)
        .setRevision(range.revision())
        .setSerializable(range.consistency() == ReadConsistency.SERIALIZABLE)
        .build();
  }

  static byte[] startOf(Request.Range range) {
    return range.after().length > 0 ? behind(range.after()) : startOf(range.prefix());
  }

  /** Returns the first key with a prefix. */
  static byte[] startOf(byte[] prefix) {
    return prefix.length == 0 ? FIRST_KEY : prefix;
  }

  /** Returns the first key after another one. */
  static byte[] behind(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** Returns the first key after those with a prefix. */
  static byte[] endOf(byte[] prefix) {
    for (int length = prefix.length; length > 0; length--) {
      if (prefix[length - 1] != (byte) 0xff) {
        byte[] end = Arrays.copyOf(prefix, length);
        end[length - 1]++;
        return end;
      }
    }
    return NO_END;
  }

  private static TxnRequest compareAndSet(Request.CompareAndSet request) {
    return TxnRequest.newBuilder()
        .addCompare(unchanged(request.key(), request.revision()))
        .addSuccess(operation(Request.update(request.key(), request.value())))
        .build();
  }

  /** Returns the condition that a key has a revision; 0 if it must not exist. */
  private static Compare unchanged(byte[] key, long revision) {
    return Compare.newBuilder()
        .setKey(wrap(key))
        .setTarget(Compare.CompareTarget.MOD)
        .setResult(Compare.CompareResult.EQUAL)
        .setModRevision(revision)
        .build();
  }

  /** Returns the transaction of a Kubernetes API server; a failed creation reads nothing. */
  private static TxnRequest optimisticPut(Request.OptimisticPut request) {
    PutRequest.Builder put =
        PutRequest.newBuilder().setKey(wrap(request.key())).setValue(wrap(request.value()));
    request.lease().ifPresent(lease -> put.setLease(Long.parseLong(lease)));
    TxnRequest.Builder message =
        TxnRequest.newBuilder()
            .addCompare(unchanged(request.key(), request.revision()))
            .addSuccess(RequestOp.newBuilder().setRequestPut(put));
    return (request.creates() ? message : message.addFailure(read(request.key()))).build();
  }

  private static TxnRequest optimisticDelete(Request.OptimisticDelete request) {
    DeleteRangeRequest.Builder delete = DeleteRangeRequest.newBuilder().setKey(wrap(request.key()));
    return TxnRequest.newBuilder()
        .addCompare(unchanged(request.key(), request.revision()))
        .addSuccess(RequestOp.newBuilder().setRequestDeleteRange(delete))
        .addFailure(read(request.key()))
        .build();
  }

  private static RequestOp read(byte[] key) {
    return RequestOp.newBuilder()
        .setRequestRange(RangeRequest.newBuilder().setKey(wrap(key)))
        .build();
  }

  private static TxnRequest txn(Request.Txn txn) {
    TxnRequest.Builder message = TxnRequest.newBuilder();
    for (Request.Put put : txn.puts()) {
      message.addSuccess(operation(put));
    }
    for (byte[] key : txn.deletes()) {
      message.addSuccess(
          RequestOp.newBuilder()
              .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(wrap(key))));
    }
    for (byte[] key : txn.gets()) {
      message.addSuccess(read(key));
    }
    return message.build();
  }

  private static CompactionRequest compact(Request.Compact compact) {
    return CompactionRequest.newBuilder().setRevision(compact.revision()).build();
  }

  private static LeaseGrantRequest grant(Request.GrantLease grant) {
    return LeaseGrantRequest.newBuilder().setTTL(grant.ttlSeconds()).build();
  }

  private static LeaseKeepAliveRequest keepAlive(Request.KeepAlive kept) {
    return LeaseKeepAliveRequest.newBuilder().setID(Long.parseLong(kept.lease())).build();
  }

  private static RequestOp operation(Request.Put put) {
    return RequestOp.newBuilder().setRequestPut(put(put)).build();
  }

  static ByteString wrap(byte[] bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes);
  }
}
