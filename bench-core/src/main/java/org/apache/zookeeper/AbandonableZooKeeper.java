// SPDX-License-Identifier: Apache-2.0
package org.apache.zookeeper;

import java.io.IOException;
import org.apache.zookeeper.client.HostProvider;

/** A handle whose connection can be closed without ending its session. */
public final class AbandonableZooKeeper extends ZooKeeper {
  /**
   * @param config configuration, whose action runs with each answer of the server
   */
  public AbandonableZooKeeper(
      int timeoutMillis, Watcher watcher, HostProvider hosts, AnswerConfig config)
      throws IOException {
    super("unused:1", timeoutMillis, watcher, false, hosts, config);
  }

  /** Closes the connection, and ends the threads; does not wait for them. The session stays. */
  public void abandon() {
    cnxn.sendThread.close();
    cnxn.eventThread.queueEventOfDeath();
  }

  /** Ends the session, and waits for that unless the thread is interrupted. */
  @Override
  public synchronized void close() {
    try {
      super.close();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
