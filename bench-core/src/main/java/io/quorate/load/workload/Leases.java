package io.quorate.load.workload;

import io.quorate.scenario.OperationMix;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The leases that are granted before a load and kept alive by its requests, each by the next one.
 * Any thread.
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

  /** Returns the request for another lease. */
  Request.GrantLease grant() {
    return grant;
  }

  /** Returns the requests for the leases that are kept alive, one for each. */
  public RequestSource grants() {
    return (connection, index, completion) ->
        connection.submit(grant, new Keep((int) index, completion));
  }

  /** Returns a request that keeps one of them alive. */
  Request.KeepAlive keepAlive(long index) {
    return new Request.KeepAlive(granted.get((int) (index % granted.length())));
  }

  /** Handles the answer to a request for a lease. */
  private final class Keep implements Completion {
    private final int number;
    private final Completion completion;

    Keep(int number, Completion completion) {
      this.number = number;
      this.completion = completion;
    }

    @Override
    public void answered(Answer answer) {
      if (answer instanceof Answer.Granted lease) {
        granted.set(number, lease.lease());
      }
      completion.answered(answer);
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      completion.failed(kind, message);
    }
  }
}
