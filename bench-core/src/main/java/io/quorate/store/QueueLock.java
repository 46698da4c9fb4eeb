package io.quorate.store;

/**
 * The lock that Curator and etcd's concurrency package define: each client has a place in a queue,
 * waits until the place before its own does not exist, and looks again, since a client in between
 * may have died. So a release wakes one client, and the order is that of joining. At most one
 * acquisition or release is in progress at a time.
 */
final class QueueLock implements LockClient {
  private final Session session;
  private byte[] lock;

  /** The place in the queue; null while there is none. */
  private volatile Answer.Place place;

  private volatile int requests;

  QueueLock(Session session) {
    this.session = session;
  }

  @Override
  public void acquire(byte[] key, Completion completion) {
    lock = key;
    requests = 1;
    session.enqueue(
        key,
        completion.withAnswer(
            answer -> {
              if (answer instanceof Answer.Place own) {
                place = own;
                look(completion);
              } else {
                completion.failed(ErrorKind.REJECTED, "the lock gave no place in its queue");
              }
            }));
  }

  private void look(Completion completion) {
    requests++;
    session.predecessor(
        lock,
        place,
        completion.withAnswer(
            answer -> {
              if (answer instanceof Answer.Place before) {
                requests++;
                session.awaitRemoval(before, completion.withAnswer(gone -> look(completion)));
              } else {
                completion.answered(new Answer.Written(place.revision()));
              }
            }));
  }

  @Override
  public void release(Completion completion) {
    requests++;
    session.leave(place, completion);
  }

  @Override
  public int requests() {
    return requests;
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
