// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Nightly;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.SharedCluster;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import io.quorate.store.Security;
import io.quorate.store.StoreClient;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Leaves a connection of jetcd idle for longer than etcd permits its pings. */
@Nightly
@RequiresDatabase("etcd")
class IdleJetcdIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** The server ends a connection at the third ping, which come every ten seconds. */
  private static final long IDLE_MILLIS = 45_000;

  private final Queue<String> messages = new ConcurrentLinkedQueue<>();

  @Test
  void the_server_keeps_its_connection() throws InterruptedException {
    Cluster cluster = SharedCluster.of(EtcdStore.STORE, 1, Security.NONE);
    DriverSettings settings =
        new DriverSettings(cluster.members().get(0).endpoint(), LIMIT, LIMIT, cluster.access());
    Logger grpc = Logger.getLogger("io.grpc");
    Handler recording = recording();
    try (StoreClient client = EtcdStore.STORE.client("jetcd").start();
        Connection connection = client.open(settings)) {
      grpc.setLevel(Level.WARNING);
      grpc.addHandler(recording);
      Thread.sleep(IDLE_MILLIS);
      RecordedCompletion written = new RecordedCompletion();
      connection.submit(Request.create(new byte[] {'k'}, new byte[] {'v'}), written);

      assertThat(written.outcome()).isEqualTo("written");
      assertThat(messages).isEmpty();
    } finally {
      grpc.removeHandler(recording);
      grpc.setLevel(Level.SEVERE);
    }
  }

  private Handler recording() {
    return new Handler() {
      @Override
      public void publish(LogRecord written) {
        messages.add(written.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
