// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.OperationMix;
import io.quorate.store.Answer;
import io.quorate.store.Request;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * The leases that are granted before a load, and that its requests keep alive or attach to new
 * objects, in turn. Safe for several threads.
 */
public final class Leases {
  private final Request.GrantLease grant;
  private final AtomicReferenceArray<String> granted;

  Leases(OperationMix.Leases asked) {
    this.grant = new Request.GrantLease(asked.ttlSeconds());
    this.granted = new AtomicReferenceArray<>(asked.count());
  }

  public int count() {
    return granted.length();
  }

  Request.GrantLease grant() {
    return grant;
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

  /** Returns the names of those that were granted so far. */
  public List<String> granted() {
    return IntStream.range(0, count()).mapToObj(granted::get).filter(Objects::nonNull).toList();
  }

  Request.KeepAlive keepAlive(long index) {
    return new Request.KeepAlive(of(index));
  }

  /** Returns the name of the lease for a request. */
  String of(long index) {
    return granted.get((int) (index % granted.length()));
  }
}
