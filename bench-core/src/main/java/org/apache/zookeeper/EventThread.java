package org.apache.zookeeper;

import java.util.concurrent.Executor;

/**
 * Runs tasks on the thread of a ZooKeeper session that delivers events and completions, after those
 * that wait there already. It is in the client's package because that thread can be reached there
 * only.
 */
public final class EventThread implements Executor {
  private final ZooKeeper handle;

  public EventThread(ZooKeeper handle) {
    this.handle = handle;
  }

  @Override
  public void execute(Runnable task) {
    AsyncCallback.VoidCallback callback = (code, path, context) -> task.run();
    handle.cnxn.queueCallback(callback, 0, "", null);
  }
}
