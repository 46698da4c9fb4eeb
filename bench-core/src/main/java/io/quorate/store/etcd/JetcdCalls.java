package io.quorate.store.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Response;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.grpc.Status;
import io.quorate.store.Answer;
import io.quorate.store.ErrorKind;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import io.quorate.store.driver.PendingRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Makes requests with the clients of jetcd for keys and leases, and interprets their answers.
 *
 * @param failures told the status of each call that failed
 */
record JetcdCalls(KV keys, Lease leases, Consumer<Status> failures) {
  JetcdCalls(Client client, Consumer<Status> failures) {
    this(client.getKVClient(), client.getLeaseClient(), failures);
  }

  /** Makes a request, and ends it when jetcd has its answer, on a thread of jetcd or gRPC. */
  void make(Request asked, PendingRequest request) {
    if (asked instanceof Request.Put put) {
      await(request, keys.put(bytes(put.key()), bytes(put.value())), JetcdCalls::written);
    } else if (asked instanceof Request.Get get) {
      await(request, keys.get(bytes(get.key()), option(get)), JetcdCalls::found);
    } else if (asked instanceof Request.Delete delete) {
      await(
          request,
          keys.delete(bytes(delete.key())),
          answer -> answer.getDeleted() == 0 ? Answer.MISSING : Answer.WRITTEN);
    } else if (asked instanceof Request.Range range) {
      await(
          request,
          keys.get(bytes(EtcdOperation.startOf(range)), option(range)),
          JetcdCalls::entries);
    } else if (asked instanceof Request.CompareAndSet compared) {
      await(request, compareAndSet(compared), JetcdCalls::comparedAndSet);
    } else if (asked instanceof Request.Txn txn) {
      Op[] puts = txn.puts().stream().map(put -> put(put.key(), put.value())).toArray(Op[]::new);
      await(request, keys.txn().Then(puts).commit(), JetcdCalls::written);
    } else if (asked instanceof Request.Compact compact) {
      await(request, keys.compact(compact.revision()), answer -> Answer.WRITTEN);
    } else if (asked instanceof Request.GrantLease grant) {
      await(
          request,
          leases.grant(grant.ttlSeconds()),
          answer -> new Answer.Granted(Long.toString(answer.getID())));
    } else if (asked instanceof Request.KeepAlive keepAlive) {
      await(
          request,
          leases.keepAliveOnce(Long.parseLong(keepAlive.lease())),
          answer -> Answer.RENEWED);
    } else {
      throw new IllegalArgumentException("etcd has no request for " + asked.operation());
    }
  }

  private <A extends Response> void await(
      PendingRequest request, CompletableFuture<A> call, Function<A, Answer> meaning) {
    call.whenComplete(
        (answer, failure) -> {
          if (failure != null) {
            failed(request, status(failure));
          } else if (answer.getHeader().getRevision() <= 0) {
            request.end(
                completion -> completion.failed(ErrorKind.OTHER, "malformed response: no header"));
          } else {
            request.end(completion -> completion.answered(meaning.apply(answer)));
          }
        });
  }

  private void failed(PendingRequest request, Status status) {
    boolean noLease =
        status.getCode() == Status.Code.NOT_FOUND
            && "etcdserver: requested lease not found".equals(status.getDescription());
    if (noLease) {
      request.end(completion -> completion.answered(Answer.MISSING));
    } else {
      request.end(
          completion -> completion.failed(EtcdStatus.kind(status), EtcdStatus.message(status)));
    }
    failures.accept(status);
  }

  /** Returns the status of a call that failed; jetcd passes some on as exceptions of its own. */
  static Status status(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof EtcdException known) {
        return Status.fromCode(Status.Code.valueOf(known.getErrorCode().name()))
            .withDescription(known.getMessage());
      }
    }
    return Status.fromThrowable(failure);
  }

  private static GetOption option(Request.Get get) {
    return GetOption.builder().withSerializable(get.consistency() == ReadConsistency.STALE).build();
  }

  private static GetOption option(Request.Range range) {
    return GetOption.builder()
        .withRange(bytes(EtcdOperation.endOf(range.prefix())))
        .withLimit(range.limit())
        .withCountOnly(range.countOnly())
        .withKeysOnly(range.returned() == ReturnedValue.KEYS)
        .withRevision(range.revision())
        .withSerializable(range.consistency() == ReadConsistency.STALE)
        .build();
  }

  private CompletableFuture<TxnResponse> compareAndSet(Request.CompareAndSet request) {
    Cmp unchanged =
        new Cmp(bytes(request.key()), Cmp.Op.EQUAL, CmpTarget.modRevision(request.revision()));
    return keys.txn().If(unchanged).Then(put(request.key(), request.value())).commit();
  }

  private static Op put(byte[] key, byte[] value) {
    return Op.put(bytes(key), bytes(value), PutOption.DEFAULT);
  }

  private static Answer written(Response answer) {
    return new Answer.Written(answer.getHeader().getRevision());
  }

  private static Answer comparedAndSet(TxnResponse answer) {
    return answer.isSucceeded() ? written(answer) : Answer.CONFLICT;
  }

  private static Answer found(GetResponse answer) {
    if (answer.getKvs().isEmpty()) {
      return Answer.MISSING;
    }
    KeyValue found = answer.getKvs().get(0);
    return new Answer.Found(found.getValue().getBytes(), found.getModRevision());
  }

  private static Answer entries(GetResponse answer) {
    return new Answer.Entries(
        answer.getCount(),
        answer.getKvs().stream()
            .map(each -> new Answer.Entry(each.getKey().getBytes(), each.getValue().getBytes()))
            .toList(),
        answer.getHeader().getRevision());
  }

  /** Returns bytes in the form of jetcd. */
  static ByteSequence bytes(byte[] bytes) {
    return ByteSequence.from(bytes);
  }
}
