// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Response;
import io.etcd.jetcd.Txn;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.kv.DeleteResponse;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.quorate.DaemonThreads;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.Locks;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import io.quorate.store.StoreClient;
import io.quorate.store.Subscriptions;
import io.quorate.store.driver.Deadlines;
import io.quorate.store.driver.PendingRequest;
import io.quorate.store.driver.TimedConnection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Driver of etcd v3 through jetcd, the Java client of the etcd project: it shows what applications
 * with jetcd get. It is not the default, as jetcd passes each request to a thread pool and creates
 * two futures for it; see the guide, clients.md. Its retries are off. Completions run on threads of
 * gRPC; completions of late requests run on the thread of {@link Deadlines}.
 *
 * <p>After an outage gRPC waits up to two minutes before it reconnects, which jetcd cannot change.
 * {@link GrpcChannel} does not wait.
 */
final class JetcdDriver extends TimedConnection {
  private final Client client;
  private final DriverSettings settings;
  private final EtcdAccess access;
  private final KV keys;
  private final Lease leases;

  private JetcdDriver(
      DriverSettings settings, EtcdAccess access, ExecutorService threads, Deadlines deadlines) {
    super(settings, deadlines);
    this.client = connect(settings, access, threads);
    this.settings = settings;
    this.access = access;
    this.keys = client.getKVClient();
    this.leases = client.getLeaseClient();
  }

  static StoreClient client() {
    return new Opener();
  }

  private static final class Opener implements StoreClient {
    private final Deadlines deadlines = new Deadlines("etcd-deadlines");
    private final EtcdAccess.Shared access = new EtcdAccess.Shared();
    private final ExecutorService threads =
        Executors.newCachedThreadPool(DaemonThreads.named("etcd-jetcd"));

    @Override
    public Connection open(DriverSettings settings) {
      var driver = new JetcdDriver(settings, access.of(settings), threads, deadlines);
      greet(driver.client, settings, driver::close);
      return driver;
    }

    @Override
    public Subscriptions subscribe(DriverSettings settings) {
      EtcdAccess shared = access.of(settings);
      Client client = connect(settings, shared, threads);
      greet(client, settings, client::close);
      return new JetcdStream(client, shared, settings.endpoint());
    }

    @Override
    public Locks locks(List<DriverSettings> members, Duration ttl) {
      return locks(members, ttl, false);
    }

    @Override
    public Locks elections(List<DriverSettings> members, Duration ttl) {
      return locks(members, ttl, true);
    }

    private Locks locks(List<DriverSettings> members, Duration ttl, boolean elections) {
      return new JetcdLocks(
          members,
          ttl,
          elections,
          home -> {
            List<DriverSettings> inTurn = new ArrayList<>(members);
            Collections.rotate(inTurn, -home);
            return connect(inTurn, access.of(members.get(home)), threads, Set.of());
          });
    }

    /** Uses the leases of the other client, as there is nothing to measure. */
    @Override
    public void revoke(DriverSettings settings, List<String> leases) {
      try (StoreClient client = EtcdDriver.client()) {
        client.revoke(settings, leases);
      }
    }

    @Override
    public void close() {
      threads.shutdown();
    }
  }

  private static Client connect(
      DriverSettings settings, EtcdAccess access, ExecutorService threads) {
    return connect(
        List.of(settings), access, threads, Set.of(KVGrpc.SERVICE_NAME, LeaseGrpc.SERVICE_NAME));
  }

  /**
   * Returns a client with a separate connection, which it opens with the first request, to the
   * first member that it reaches.
   *
   * @param limited services whose requests have a deadline
   */
  private static Client connect(
      List<DriverSettings> members,
      EtcdAccess access,
      ExecutorService threads,
      Set<String> limited) {
    DriverSettings settings = members.get(0);
    ClientBuilder builder =
        Client.builder()
            .endpoints(
                members.stream()
                    .map(each -> URI.create("http://" + each.endpoint()))
                    .toArray(URI[]::new))
            .executorService(threads)
            .retryMaxAttempts(0)
            .waitForReady(false)
            .connectTimeout(settings.connectTimeout())
            .keepaliveTime(Duration.ofSeconds(GrpcChannel.SILENCE_SECONDS))
            .keepaliveTimeout(Duration.ofSeconds(GrpcChannel.SILENCE_SECONDS))
            // etcd answers pings of idle connections with GOAWAY
            .keepaliveWithoutCalls(false)
            .maxInboundMessageSize(GrpcChannel.MAX_MESSAGE_BYTES)
            .interceptor(new Requirements(access, settings.requestTimeout().toNanos(), limited));
    access.tls().ifPresent(builder::sslContext);
    return builder.build();
  }

  /**
   * Waits for the answer to a request without a key: jetcd does not report otherwise that it is
   * connected.
   */
  private static void greet(Client client, DriverSettings settings, Runnable close) {
    CompletableFuture<?> answer = client.getClusterClient().listMember();
    EtcdDriver.await(answer.thenAccept(members -> {}), settings, close);
  }

  /**
   * Adds the token of the login to every call, and a deadline to requests; watches and the greeting
   * have no deadline.
   */
  private record Requirements(EtcdAccess access, long timeoutNanos, Set<String> limited)
      implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      CallOptions with =
          limited.contains(method.getServiceName())
              ? options.withDeadlineAfter(timeoutNanos, TimeUnit.NANOSECONDS)
              : options;
      return GrpcChannel.withToken(access, next.newCall(method, with));
    }
  }

  @Override
  public void submit(Request asked, Completion completion) {
    PendingRequest request = pending.add(Compaction.outcome(asked, completion));
    if (request.ended()) {
      return;
    }
    request.sent(); // jetcd does not report when it writes
    try {
      make(asked, request);
    } catch (RuntimeException refusal) {
      request.endRefused(refusal);
    }
  }

  /** Sends a request, and ends it when jetcd has the answer, on a thread of jetcd or gRPC. */
  private void make(Request asked, PendingRequest request) {
    if (asked instanceof Request.Put put) {
      await(request, keys.put(bytes(put.key()), bytes(put.value())), JetcdDriver::written);
    } else if (asked instanceof Request.Get get) {
      await(request, keys.get(bytes(get.key()), option(get)), JetcdDriver::found);
    } else if (asked instanceof Request.Exists read) {
      boolean stale = read.consistency() == ReadConsistency.SERIALIZABLE;
      GetOption option = GetOption.builder().withCountOnly(true).withSerializable(stale).build();
      await(
          request,
          keys.get(bytes(read.key()), option),
          answer -> answer.getCount() == 0 ? Answer.MISSING : Answer.EXISTS);
    } else if (asked instanceof Request.Revision read) {
      boolean stale = read.consistency() == ReadConsistency.SERIALIZABLE;
      GetOption option = GetOption.builder().withLimit(1).withSerializable(stale).build();
      await(request, keys.get(bytes(read.key()), option), JetcdDriver::entries);
    } else if (asked instanceof Request.Delete delete) {
      await(request, keys.delete(bytes(delete.key())), JetcdDriver::deleted);
    } else if (asked instanceof Request.DeleteRange range) {
      DeleteOption upToLast =
          DeleteOption.builder().withRange(bytes(EtcdOperation.behind(range.last()))).build();
      await(request, keys.delete(bytes(range.first()), upToLast), JetcdDriver::deleted);
    } else if (asked instanceof Request.Range range && !range.streamed()) {
      await(
          request,
          keys.get(bytes(EtcdOperation.startOf(range)), option(range)),
          JetcdDriver::entries);
    } else if (asked instanceof Request.CompareAndSet compared) {
      await(request, compareAndSet(compared), JetcdDriver::comparedAndSet);
    } else if (asked instanceof Request.OptimisticPut put) {
      await(
          request,
          optimisticPut(put),
          put.creates() ? JetcdDriver::comparedAndSet : JetcdDriver::optimistic);
    } else if (asked instanceof Request.OptimisticDelete delete) {
      await(request, optimisticDelete(delete), JetcdDriver::optimistic);
    } else if (asked instanceof Request.Txn txn) {
      Stream<Op> puts = txn.puts().stream().map(put -> put(put.key(), put.value()));
      Stream<Op> deletes =
          txn.deletes().stream().map(key -> Op.delete(bytes(key), DeleteOption.DEFAULT));
      Stream<Op> all =
          Stream.concat(Stream.concat(puts, deletes), txn.gets().stream().map(JetcdDriver::read));
      await(
          request,
          keys.txn().Then(all.toArray(Op[]::new)).commit(),
          answer ->
              Answer.Results.of(
                  answer.getHeader().getRevision(),
                  answer.getGetResponses().stream().map(JetcdDriver::found).toList()));
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
    access.failed(status, settings.endpoint());
  }

  /** Returns the status of a failed call; jetcd wraps some of them in other exceptions. */
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
    return GetOption.builder()
        .withSerializable(get.consistency() == ReadConsistency.SERIALIZABLE)
        .build();
  }

  private static GetOption option(Request.Range range) {
    return GetOption.builder()
        .withRange(bytes(EtcdOperation.endOf(range.prefix())))
        .withLimit(range.limit())
        .withCountOnly(range.countOnly())
        .withKeysOnly(range.returned() == ReturnedValue.KEYS)
        .withRevision(range.revision())
        .withSerializable(range.consistency() == ReadConsistency.SERIALIZABLE)
        .build();
  }

  private CompletableFuture<TxnResponse> compareAndSet(Request.CompareAndSet request) {
    return keys.txn()
        .If(unchanged(request.key(), request.revision()))
        .Then(put(request.key(), request.value()))
        .commit();
  }

  private static Cmp unchanged(byte[] key, long revision) {
    return new Cmp(bytes(key), Cmp.Op.EQUAL, CmpTarget.modRevision(revision));
  }

  private CompletableFuture<TxnResponse> optimisticPut(Request.OptimisticPut request) {
    PutOption option =
        request
            .lease()
            .map(lease -> PutOption.builder().withLeaseId(Long.parseLong(lease)).build())
            .orElse(PutOption.DEFAULT);
    Txn txn =
        keys.txn()
            .If(unchanged(request.key(), request.revision()))
            .Then(Op.put(bytes(request.key()), bytes(request.value()), option));
    return (request.creates() ? txn : txn.Else(read(request.key()))).commit();
  }

  private CompletableFuture<TxnResponse> optimisticDelete(Request.OptimisticDelete request) {
    return keys.txn()
        .If(unchanged(request.key(), request.revision()))
        .Then(Op.delete(bytes(request.key()), DeleteOption.DEFAULT))
        .Else(read(request.key()))
        .commit();
  }

  private static Op read(byte[] key) {
    return Op.get(bytes(key), GetOption.DEFAULT);
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

  private static Answer optimistic(TxnResponse answer) {
    if (answer.isSucceeded()) {
      return written(answer);
    }
    return found(answer.getGetResponses().get(0)) instanceof Answer.Found current
        ? new Answer.Conflict(Optional.of(current))
        : Answer.MISSING;
  }

  private static Answer found(GetResponse answer) {
    if (answer.getKvs().isEmpty()) {
      return Answer.MISSING;
    }
    KeyValue found = answer.getKvs().get(0);
    return new Answer.Found(found.getValue().getBytes(), found.getModRevision());
  }

  private static Answer deleted(DeleteResponse answer) {
    return answer.getDeleted() == 0 ? Answer.MISSING : Answer.WRITTEN;
  }

  private static Answer entries(GetResponse answer) {
    return new Answer.Entries(
        answer.getCount(),
        answer.getKvs().stream()
            .map(each -> new Answer.Entry(each.getKey().getBytes(), each.getValue().getBytes()))
            .toList(),
        answer.getHeader().getRevision());
  }

  private static ByteSequence bytes(byte[] bytes) {
    return ByteSequence.from(bytes);
  }

  @Override
  protected void end() {
    client.close();
  }
}
