// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.driver;

import io.quorate.DaemonThreads;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.ErrorKind;
import io.quorate.store.LockClient;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A client of locks of a library whose calls block. Its own thread makes the calls, and completions
 * run on it. The thread ends with {@link #abandon} or {@link #close}.
 */
public final class BlockingLock implements LockClient {
  private static final int HIDDEN = 0;

  private final Library library;
  private final Set<BlockingLock> open;
  private final ExecutorService thread;

  /** The thread that makes a call; null if none does. */
  private volatile @Nullable Thread calling;

  /** The lock of a library. */
  public interface Library {
    /**
     * Waits until it holds a lock.
     *
     * @return its fencing token, or {@link Answer#NO_REVISION} if the library does not report it
     */
    long acquire(byte[] lock) throws Exception;

    /** Releases the lock; returns whether the library still held it. */
    boolean release() throws Exception;

    /** Notes what to do when the session is lost: it interrupts the call, if there is one. */
    void onLoss(Runnable interrupt);

    /** Returns the kind of a failure of these calls. */
    ErrorKind kind(Exception failure);

    /** Stops the keep-alives without telling the store. Does not wait. Idempotent. */
    void abandon();

    /** Ends the session in the store. Does not wait. Idempotent. */
    void close();
  }

  /**
   * @param open set that contains this until it is abandoned or closed; safe for several threads
   */
  public BlockingLock(String threadName, Library library, Set<BlockingLock> open) {
    this.library = library;
    this.open = open;
    open.add(this);
    library.onLoss(this::interrupt);
    this.thread = Executors.newSingleThreadExecutor(DaemonThreads.named(threadName));
  }

  @Override
  public void acquire(byte[] lock, Completion completion) {
    run(() -> new Answer.Written(library.acquire(lock)), completion);
  }

  @Override
  public void release(Completion completion) {
    run(() -> library.release() ? Answer.WRITTEN : Answer.MISSING, completion);
  }

  private void run(Callable<Answer> call, Completion completion) {
    try {
      thread.execute(() -> end(call, completion));
    } catch (RejectedExecutionException ended) {
      completion.failed(ErrorKind.CONNECTION, "closed");
    }
  }

  private void end(Callable<Answer> call, Completion completion) {
    Answer answer;
    calling = Thread.currentThread();
    try {
      answer = call.call();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      completion.failed(ErrorKind.CONNECTION, "closed");
      return;
    } catch (Exception failure) { // as the libraries declare it
      completion.failed(library.kind(failure), OneLine.of(failure));
      return;
    } finally {
      calling = null;
    }
    completion.answered(answer);
  }

  private void interrupt() {
    Thread present = calling;
    if (present != null) {
      present.interrupt();
    }
  }

  @Override
  public int requests() {
    return HIDDEN;
  }

  @Override
  public void abandon() {
    open.remove(this);
    thread.shutdownNow();
    library.abandon();
  }

  @Override
  public void close() {
    open.remove(this);
    thread.shutdownNow();
    library.close();
  }
}
