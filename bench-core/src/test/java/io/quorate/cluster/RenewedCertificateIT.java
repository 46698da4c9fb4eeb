// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.QuorateException;
import io.quorate.store.Security;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that get new certificates while they serve. */
class RenewedCertificateIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  @RequiresDatabase("etcd")
  void new_connections_to_etcd_get_a_new_certificate() {
    assertThatNewConnectionsGetNewCertificates(EtcdStore.STORE);
  }

  @Test
  @RequiresDatabase("consul")
  void new_connections_to_consul_get_a_new_certificate() {
    assertThatNewConnectionsGetNewCertificates(ConsulStore.STORE);
  }

  @Nightly
  @Test
  void new_connections_to_zookeeper_get_a_new_certificate() {
    assertThatNewConnectionsGetNewCertificates(ZooKeeperStore.STORE);
  }

  private void assertThatNewConnectionsGetNewCertificates(Store store) {
    try (Cluster cluster = TestServers.start(store, 3, directory, Security.TLS)) {
      MemberControl control = cluster.control().orElseThrow();
      MemberProtocol protocol = cluster.protocol();
      for (Member each : cluster.members()) {
        Optional<String> before = protocol.certificate(each);
        assertThat(before).get().asString().startsWith("-----BEGIN CERTIFICATE-----");
        for (int time = 0; time < 2; time++) {
          String issued = control.renewCertificate(each);
          assertThat(before).isNotEqualTo(Optional.of(issued));
          protocol.reloadCertificate(each);
          Await.until(
              each.name() + " uses it",
              LIMIT,
              () -> protocol.certificate(each).equals(Optional.of(issued)));
        }
      }
      // the members trust each other with the new certificates after a restart
      Member last = cluster.members().get(2);
      control.send(last, MemberControl.Signal.KILL);
      Await.until("it has ended", LIMIT, () -> control.hasEnded(last));
      control.restart(last);
      Await.until("it serves again", LIMIT, () -> protocol.isServing(last));
      assertThat(cluster.members()).allMatch(protocol::isServing);
      assertThat(cluster.failures()).isEmpty();
    }
  }

  @Test
  @RequiresDatabase("etcd")
  void plain_text_has_no_certificates() {
    Cluster cluster = SharedCluster.of(EtcdStore.STORE);
    Member only = cluster.members().get(0);
    MemberControl control = cluster.control().orElseThrow();
    assertThat(cluster.protocol().certificate(only)).isEmpty();
    assertThatThrownBy(() -> control.renewCertificate(only))
        .isInstanceOf(QuorateException.class)
        .hasMessage("etcd-1 has no certificate");
  }
}
