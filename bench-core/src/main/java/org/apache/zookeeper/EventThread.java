package org.apache.zookeeper;

/**
 * Runs tasks on the thread of a ZooKeeper session that delivers events and completions, after those
 * that wait there already. It is in the client's package because that thread can be reached there
 * only.
 */
public final class EventThread {
  private EventThread() {}

  public static void execute(ZooKeeper session, Runnable task) {
    AsyncCallback.VoidCallback callback = (code, path, context) -> task.run();
    session.cnxn.queueCallback(callback, 0, "", null);
  }
}
