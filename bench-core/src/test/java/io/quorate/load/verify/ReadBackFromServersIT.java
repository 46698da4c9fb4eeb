// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.SharedCluster;
import io.quorate.load.TamperedLoad;
import io.quorate.measure.Verification;
import io.quorate.measure.Verification.Fault;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests that a key removed or altered behind the back of a run is named, on each store. */
class ReadBackFromServersIT {
  private static final String PREFIX = "read-back/";

  private static final String CREATES =
      """
      title: Creates
      operation: put
      requests: 200
      warm-up: 10
      cold-start: true
      keys: {size: 26}
      values: {size: 64}
      load: {clients: 4}
      databases: [%s]
      """;

  @Test
  @RequiresDatabase("etcd")
  void from_etcd_the_keys_are_named_and_counted() throws Exception {
    keysAreNamed(EtcdStore.STORE, OptionalLong.of(199));
  }

  @Nightly // Consul's, which has no count either, takes the same road
  @Test
  void from_zookeeper_the_keys_are_named() throws Exception {
    keysAreNamed(ZooKeeperStore.STORE, OptionalLong.empty());
  }

  @Test
  @RequiresDatabase("consul")
  void from_consul_the_keys_are_named() throws Exception {
    keysAreNamed(ConsulStore.STORE, OptionalLong.empty());
  }

  @Nightly
  @Test
  @RequiresDatabase({"etcd", "zetcd"})
  void from_zetcd_the_keys_are_named() throws Exception {
    keysAreNamed(ZetcdStore.STORE, OptionalLong.empty());
  }

  private static void keysAreNamed(Store database, OptionalLong counted) throws Exception {
    Endpoint server = SharedCluster.of(database).members().get(0).endpoint();
    try (StoreClient client = database.clients().get(0).start();
        TamperedLoad load =
            new TamperedLoad(CREATES.formatted(database.id()), client, server, PREFIX)) {
      load.make();
      load.remove(17);
      byte[] flipped = load.read(42);
      flipped[63] ^= 1;
      load.write(42, flipped);

      Verification found = load.verify();
      assertThat(found.readKeys()).isEqualTo(200);
      assertThat(found.keyCount()).isEqualTo(counted);
      assertThat(found.firstFaults())
          .containsExactly(
              new Fault("read-back/0000000000000017", "it is missing"),
              new Fault(
                  "read-back/0000000000000042",
                  "the value that was read differs from the one that was written"));
    }
  }
}
