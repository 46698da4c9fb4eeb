// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.DaemonThreads;
import io.quorate.Pause;
import java.io.IOException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.ZKClientConfig;

/** A handle whose connection can be closed without ending its session. */
final class AbandonableZooKeeper extends ZooKeeper {
  AbandonableZooKeeper(
      int timeoutMillis, Watcher watcher, HostProvider hosts, ZKClientConfig config)
      throws IOException {
    super("unused:1", timeoutMillis, watcher, false, hosts, config);
  }

  /** Closes the connection, and ends the threads; does not wait for them. The session stays. */
  void abandon() {
    DaemonThreads.start("zookeeper-library-abandon", cnxn::disconnect);
  }

  /** Ends the session, and waits for that unless the thread is interrupted. */
  @Override
  public synchronized void close() {
    Pause.until(super::close);
  }
}
