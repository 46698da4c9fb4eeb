// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.zookeeper;

import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** A connected handle of ZooKeeper's library. */
public record LibraryHandle(ZooKeeper handle) implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 20_000;

  public static LibraryHandle open(Endpoint server, Access access)
      throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    try (LibraryAccess own = LibraryAccess.of(access)) {
      ZooKeeper handle =
          own.begin(
              server.toString(),
              TIMEOUT_MILLIS,
              event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                  connected.countDown();
                }
              });
      if (!connected.await(60, TimeUnit.SECONDS)) {
        throw new IOException("no session with " + server);
      }
      return new LibraryHandle(handle);
    }
  }

  @Override
  public void close() {
    try {
      handle.close();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
