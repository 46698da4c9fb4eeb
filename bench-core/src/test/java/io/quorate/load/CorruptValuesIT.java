// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.SharedCluster;
import io.quorate.measure.ErrorTally;
import io.quorate.measure.StepMeasurement;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.memory.MemoryStore;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Changes prepared keys behind the back of a load that reads them, on each store. */
class CorruptValuesIT {
  private static final String PREFIX = "corrupt/";

  private static final String READS =
      """
      title: Reads
      operation: read
      requests: 100
      warm-up: 10
      cold-start: true
      keys: {size: 24, count: 100, distribution: random}
      values: {size: 64}
      load: {clients: 4}
      databases: [%s]
      """;

  @Test
  void in_memory_every_other_value_is_noticed() throws Exception {
    everyOtherValueIsNoticed(MemoryStore.STORE, new Endpoint("127.0.0.1", 201));
  }

  @Nightly // those of etcd take the same road
  @Test
  void from_zookeeper_every_other_value_is_noticed() throws Exception {
    everyOtherValueIsNoticed(ZooKeeperStore.STORE);
  }

  @Test
  @RequiresDatabase("etcd")
  void from_etcd_every_other_value_is_noticed() throws Exception {
    everyOtherValueIsNoticed(EtcdStore.STORE);
  }

  @Nightly
  @Test
  @RequiresDatabase("consul")
  void from_consul_every_other_value_is_noticed() throws Exception {
    everyOtherValueIsNoticed(ConsulStore.STORE);
  }

  @Nightly
  @Test
  @RequiresDatabase({"etcd", "zetcd"})
  void from_zetcd_every_other_value_is_noticed() throws Exception {
    everyOtherValueIsNoticed(ZetcdStore.STORE);
  }

  @Test
  void reads_of_values_of_any_size_find_what_was_written() throws Exception {
    for (int size : new int[] {0, 1, 5, 6, 11, 1_000_000}) {
      try (StoreClient client = MemoryStore.STORE.clients().get(0).start();
          TamperedLoad load = load(client, MemoryStore.STORE, new Endpoint("127.0.0.1", 1), size)) {
        StepMeasurement measured = load.make();
        assertThat(measured.errors()).as("values of " + size + " bytes").isEmpty();
        assertThat(measured.successes().count()).isEqualTo(100);
      }
    }
  }

  private static void everyOtherValueIsNoticed(Store database) throws Exception {
    everyOtherValueIsNoticed(database, SharedCluster.of(database).members().get(0).endpoint());
  }

  private static void everyOtherValueIsNoticed(Store database, Endpoint endpoint) throws Exception {
    try (StoreClient client = database.clients().get(0).start()) {
      everyOtherValueIsNoticed(client, database, endpoint);
    }
  }

  private static void everyOtherValueIsNoticed(
      StoreClient client, Store database, Endpoint endpoint) throws Exception {
    StepMeasurement measured;
    try (TamperedLoad load = load(client, database, endpoint, 64)) {
      byte[] flipped = load.read(0);
      flipped[63] ^= 1;
      load.write(0, flipped);
      byte[] flippedFirst = load.read(1);
      flippedFirst[0] ^= 0x20;
      load.write(1, flippedFirst);
      load.write(2, Arrays.copyOf(load.read(2), 32));
      load.write(3, new byte[0]);
      load.write(4, load.read(5));
      load.write(6, Arrays.copyOf(load.read(6), 65));
      measured = load.make();
    }

    assertThat(measured.successes().count()).isEqualTo(94);
    assertThat(measured.errors())
        .extracting(ErrorTally::kind, ErrorTally::message, ErrorTally::count)
        .containsExactlyInAnyOrder(
            tuple("corrupt", "the value that was read differs from the one that was written", 2L),
            tuple(
                "corrupt", "the value that was read is shorter than the one that was written", 1L),
            tuple("corrupt", "the value that was read is empty", 1L),
            tuple("corrupt", "the value that was read is one that was written to another key", 1L),
            tuple(
                "corrupt", "the value that was read is longer than the one that was written", 1L));
  }

  private static TamperedLoad load(
      StoreClient client, Store database, Endpoint endpoint, int valueBytes) {
    String scenario =
        READS
            .formatted(database.id())
            .replace("values: {size: 64}", "values: {size: " + valueBytes + "}");
    return new TamperedLoad(scenario, client, endpoint, PREFIX);
  }
}
