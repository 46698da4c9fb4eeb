// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A map that speaks etcd's interface. */
final class EtcdMap extends KVGrpc.KVImplBase {
  final Map<ByteString, ByteString> store = new ConcurrentHashMap<>();
  final AtomicInteger mostUnderWay = new AtomicInteger();

  /** Error of every answer; OK for none. */
  volatile Status refusal = Status.OK;

  /** Header of every answer; null for none. */
  volatile ResponseHeader header = ResponseHeader.newBuilder().setRevision(7).build();

  private final AtomicInteger underWay = new AtomicInteger();

  @Override
  public void put(PutRequest request, StreamObserver<PutResponse> answers) {
    mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
    store.put(request.getKey(), request.getValue());
    underWay.decrementAndGet();
    PutResponse.Builder answer = PutResponse.newBuilder();
    answer((header == null ? answer : answer.setHeader(header)).build(), answers);
  }

  @Override
  public void range(RangeRequest request, StreamObserver<RangeResponse> answers) {
    RangeResponse.Builder answer = RangeResponse.newBuilder();
    if (header != null) {
      answer.setHeader(header);
    }
    ByteString value = store.get(request.getKey());
    if (value != null) {
      answer.addKvs(KeyValue.newBuilder().setKey(request.getKey()).setValue(value));
    }
    answer(answer.build(), answers);
  }

  @Override
  public void deleteRange(DeleteRangeRequest request, StreamObserver<DeleteRangeResponse> answers) {
    long deleted = store.remove(request.getKey()) == null ? 0 : 1;
    DeleteRangeResponse.Builder answer = DeleteRangeResponse.newBuilder().setDeleted(deleted);
    answer((header == null ? answer : answer.setHeader(header)).build(), answers);
  }

  private <A> void answer(A answer, StreamObserver<A> answers) {
    if (refusal.isOk()) {
      answers.onNext(answer);
      answers.onCompleted();
    } else {
      answers.onError(refusal.asRuntimeException());
    }
  }
}
