// SPDX-License-Identifier: Apache-2.0
package org.apache.zookeeper;

/**
 * Runs tasks on the thread of a ZooKeeper session that delivers events and completions, after the
 * tasks that already wait there. It is in the client's package because that thread is only
 * accessible there.
 */
public final class EventThread {
  private EventThread() {}

  public static void execute(ZooKeeper session, Runnable task) {
    AsyncCallback.VoidCallback callback = (code, path, context) -> task.run();
    session.cnxn.queueCallback(callback, 0, "", null);
  }
}
