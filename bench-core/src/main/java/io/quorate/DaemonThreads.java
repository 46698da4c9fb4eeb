// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;

/** Makes threads that do not keep the JVM alive. */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** Returns a factory of threads that all have this name. */
  public static ThreadFactory named(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Returns a clock with one thread of this name. */
  public static ScheduledExecutorService clock(String name) {
    return Executors.newSingleThreadScheduledExecutor(named(name));
  }

  /** Starts a thread, and returns it. */
  public static Thread start(String name, Runnable work) {
    Thread thread = named(name).newThread(work);
    thread.start();
    return thread;
  }
}
