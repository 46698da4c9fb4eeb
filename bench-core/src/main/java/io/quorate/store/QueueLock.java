// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The lock that Curator and etcd's concurrency package define: each client has a place in a queue,
 * waits until the place before its own does not exist, and looks again, since a client in between
 * may have died. So a release wakes one client, and the order is that of joining. At most one
 * acquisition or release is in progress at a time.
 */
final class QueueLock implements LockClient {
  private final Session session;

  /** The place in the queue; null while there is none. */
  private volatile Answer.@Nullable Place place;

  private final AtomicInteger requests = new AtomicInteger();

  QueueLock(Session session) {
    this.session = session;
  }

  @Override
  public void acquire(byte[] key, Completion completion) {
    requests.set(1);
    session.enqueue(
        key,
        completion.withAnswer(
            answer -> {
              if (answer instanceof Answer.Place own) {
                place = own;
                look(key, own, completion);
              } else {
                completion.failed(ErrorKind.REJECTED, "the lock gave no place in its queue");
              }
            }));
  }

  private void look(byte[] key, Answer.Place own, Completion completion) {
    requests.incrementAndGet();
    session.predecessor(
        key,
        own,
        completion.withAnswer(
            answer -> {
              if (answer instanceof Answer.Place before) {
                requests.incrementAndGet();
                session.awaitRemoval(
                    before, completion.withAnswer(gone -> look(key, own, completion)));
              } else {
                completion.answered(new Answer.Written(own.revision()));
              }
            }));
  }

  @Override
  public void release(Completion completion) {
    requests.incrementAndGet();
    session.leave(Objects.requireNonNull(place), completion);
  }

  @Override
  public int requests() {
    return requests.get();
  }

  @Override
  public void abandon() {
    session.abandon();
  }

  @Override
  public void close() {
    session.close();
  }
}
