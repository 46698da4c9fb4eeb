// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Election;
import io.etcd.jetcd.Lock;
import io.etcd.jetcd.Response;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.quorate.QuorateException;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.DriverSettings;
import io.quorate.store.ErrorKind;
import io.quorate.store.LockClient;
import io.quorate.store.Locks;
import io.quorate.store.SessionListener;
import io.quorate.store.driver.OneLine;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Locks or elections of jetcd, as applications use them: a lease with its keep-alives, and the lock
 * or election service of etcd's servers, which wait for the client. All clients with the same home
 * share a connection. The fencing token is the revision of the answer, which is later than the
 * release of the holder before. Completions run on threads of jetcd.
 */
final class JetcdLocks implements Locks {
  private static final int HIDDEN = 0;

  private final Duration ttl;
  private final Duration timeout;
  private final boolean elections;

  /** A client of jetcd for each member, which it uses first. */
  private final List<Client> clients;

  private volatile boolean closed;

  /**
   * @param elections whether the clients take part in elections instead of taking locks
   * @param connect returns a client that uses one of the members first
   */
  JetcdLocks(
      List<DriverSettings> members, Duration ttl, boolean elections, IntFunction<Client> connect) {
    this.ttl = ttl;
    this.elections = elections;
    this.timeout = members.get(0).requestTimeout();
    this.clients = IntStream.range(0, members.size()).mapToObj(connect).toList();
  }

  @Override
  public LockClient open(int home, SessionListener listener) {
    Client client = clients.get(home);
    try {
      long sentNanos = System.nanoTime();
      long lease = limited(client.getLeaseClient().grant(ttl.toSeconds())).join().getID();
      listener.renewed(sentNanos, System.nanoTime());
      return new Leased(client, lease, listener);
    } catch (CompletionException failed) {
      Throwable cause = Objects.requireNonNull(failed.getCause());
      throw new QuorateException("etcd grants no lease: " + message(cause), cause);
    }
  }

  private <T> CompletableFuture<T> limited(CompletableFuture<T> call) {
    return call.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static String message(Throwable failure) {
    return failure instanceof TimeoutException
        ? "timeout"
        : EtcdStatus.message(JetcdDriver.status(failure));
  }

  @Override
  public void close() {
    closed = true;
    clients.forEach(Client::close);
  }

  /** A client with a lease. */
  private final class Leased implements LockClient, StreamObserver<LeaseKeepAliveResponse> {
    private final Client client;
    private final long lease;
    private final SessionListener listener;
    private final CloseableClient keepAlives;
    private volatile boolean ended;

    /** What it waits for; null before the first lock. */
    private volatile @Nullable CompletableFuture<?> waiting;

    /** Releases the lock that it holds, or resigns as the leader; null before the first lock. */
    private @Nullable Supplier<CompletableFuture<?>> release;

    Leased(Client client, long lease, SessionListener listener) {
      this.client = client;
      this.lease = lease;
      this.listener = listener;
      this.keepAlives = client.getLeaseClient().keepAlive(lease, this);
    }

    @Override
    public void acquire(byte[] lock, Completion completion) {
      ByteSequence name = ByteSequence.from(lock);
      if (elections) {
        Election election = client.getElectionClient();
        await(
            election.campaign(name, lease, ByteSequence.EMPTY),
            answer -> election.resign(answer.getLeader()),
            completion);
      } else {
        Lock locks = client.getLockClient();
        await(locks.lock(name, lease), answer -> locks.unlock(answer.getKey()), completion);
      }
    }

    private <A extends Response> void await(
        CompletableFuture<A> call,
        Function<A, CompletableFuture<?>> howToRelease,
        Completion completion) {
      waiting = call;
      end(
          call,
          answer -> {
            release = () -> howToRelease.apply(answer);
            return new Answer.Written(answer.getHeader().getRevision());
          },
          completion);
      if (ended) {
        call.cancel(true);
      }
    }

    @Override
    public void release(Completion completion) {
      end(limited(Objects.requireNonNull(release).get()), any -> Answer.WRITTEN, completion);
    }

    private <A> void end(
        CompletableFuture<A> call, Function<A, Answer> meaning, Completion completion) {
      call.whenComplete(
          (answer, failure) -> {
            if (failure == null) {
              completion.answered(meaning.apply(answer));
            } else if (failure instanceof CancellationException) {
              completion.failed(ErrorKind.CONNECTION, "the lease has ended");
            } else if (failure instanceof TimeoutException) {
              completion.failed(ErrorKind.TIMEOUT, "timeout");
            } else {
              Status status = JetcdDriver.status(failure);
              completion.failed(EtcdStatus.kind(status), EtcdStatus.message(status));
            }
          });
    }

    @Override
    public int requests() {
      return HIDDEN;
    }

    @Override
    public void onNext(LeaseKeepAliveResponse renewal) {
      long nanos = System.nanoTime(); // jetcd does not tell when it sent the keep-alive
      listener.renewed(nanos, nanos);
    }

    @Override
    public void onError(Throwable failure) {
      lost("jetcd has lost the lease: " + OneLine.of(failure));
    }

    @Override
    public void onCompleted() {
      lost("jetcd has lost the lease");
    }

    private void lost(String why) {
      if (end() && !closed) {
        listener.lost(why);
      }
    }

    /** Stops waiting; returns whether this is the first end. */
    private synchronized boolean end() {
      if (ended) {
        return false;
      }
      ended = true;
      CompletableFuture<?> call = waiting;
      if (call != null) {
        call.cancel(true);
      }
      return true;
    }

    @Override
    public void abandon() {
      if (end()) {
        keepAlives.close();
      }
    }

    @Override
    public void close() {
      if (end()) {
        keepAlives.close();
        client.getLeaseClient().revoke(lease);
      }
    }
  }
}
