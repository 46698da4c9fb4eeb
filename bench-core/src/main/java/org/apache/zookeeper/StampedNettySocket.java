// SPDX-License-Identifier: Apache-2.0
package org.apache.zookeeper;

import java.io.IOException;
import java.util.Queue;
import org.apache.zookeeper.ClientCnxn.Packet;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * The socket of ZooKeeper's client over TLS, which also notes when each request was written. The
 * client creates it by its name. It is in the client's package because {@link ClientCnxnSocket} can
 * only be extended there.
 */
public final class StampedNettySocket extends ClientCnxnSocketNetty {
  private final ZKClientConfig config;
  private WrittenRequests written;

  StampedNettySocket(ZKClientConfig config) throws IOException {
    super(config);
    this.config = config;
  }

  @Override
  void doTransport(int waitMillis, Queue<Packet> pending, ClientCnxn connection)
      throws IOException, InterruptedException {
    if (written == null) {
      written = new WrittenRequests(pending);
    }
    super.doTransport(waitMillis, written, connection);
  }

  @Override
  void updateLastHeard() {
    super.updateLastHeard();
    AnswerConfig.answered(config);
  }
}
