// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.OperationMix;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Request;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The leases that are granted before a load, and that its requests keep alive or attach to new
 * objects, in turn; and those that its requests are granted, which nothing keeps alive. Safe for
 * several threads.
 */
public final class Leases {
  /** How many of the leases that requests are granted can be revoked: the latest. */
  public static final int MOST_REVOKED = 1 << 14;

  private final Request.GrantLease grant;
  private final Request.GrantLease grantOfRequests;
  private final AtomicReferenceArray<String> granted;
  private final AtomicReferenceArray<String> ofRequests;
  private final AtomicLong requests = new AtomicLong();

  Leases(OperationMix.Leases asked) {
    this.grant = new Request.GrantLease(asked.ttlSeconds());
    this.grantOfRequests =
        asked.grantedTtlSeconds() > 0 ? new Request.GrantLease(asked.grantedTtlSeconds()) : grant;
    this.granted = new AtomicReferenceArray<>(asked.count());
    this.ofRequests = new AtomicReferenceArray<>(MOST_REVOKED);
  }

  public int count() {
    return granted.length();
  }

  /** Sends the request for a lease that nothing keeps alive. */
  void grant(Connection connection, Completion completion) {
    connection.submit(
        grantOfRequests,
        completion.withAnswer(
            answer -> {
              if (answer instanceof Answer.Granted lease) {
                ofRequests.set((int) (requests.getAndIncrement() % MOST_REVOKED), lease.lease());
              }
              completion.answered(answer);
            }));
  }

  /** Returns the requests for the leases that are kept alive, one for each. */
  public RequestSource grants() {
    return (connection, index, completion) ->
        connection.submit(
            grant,
            completion.withAnswer(
                answer -> {
                  if (answer instanceof Answer.Granted lease) {
                    granted.set((int) index, lease.lease());
                  }
                  completion.answered(answer);
                }));
  }

  /** Returns the names of those that were granted so far, some of which may have ended. */
  public List<String> granted() {
    return Stream.of(granted, ofRequests)
        .flatMap(each -> IntStream.range(0, each.length()).mapToObj(each::get))
        .filter(Objects::nonNull)
        .toList();
  }

  Request.KeepAlive keepAlive(long index) {
    return new Request.KeepAlive(of(index));
  }

  /** Returns the name of the lease for a request. */
  String of(long index) {
    return granted.get((int) (index % granted.length()));
  }
}
