// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import java.util.Optional;

/** A connection whose client library does not enforce the deadlines of its requests. */
public abstract class TimedConnection implements Connection {
  protected final PendingRequests pending;
  private final Endpoint member;
  private final Deadlines deadlines;
  private boolean closed;

  protected TimedConnection(DriverSettings settings, Deadlines deadlines) {
    this.pending = new PendingRequests(settings.requestTimeout());
    this.member = settings.endpoint();
    this.deadlines = deadlines;
    deadlines.watch(pending);
  }

  @Override
  public final Optional<Endpoint> member() {
    return Optional.of(member);
  }

  @Override
  public final synchronized void close() {
    if (!closed) {
      closed = true;
      pending.close();
      deadlines.forget(pending);
      end();
    }
  }

  /** Ends the connection without waiting, once; its requests have ended before. */
  protected abstract void end();
}
