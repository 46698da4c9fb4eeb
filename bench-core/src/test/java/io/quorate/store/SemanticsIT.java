// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static io.quorate.store.ConnectionContract.ended;
import static io.quorate.store.ConnectionContract.freshKey;
import static io.quorate.store.ConnectionContract.read;
import static io.quorate.store.ConnectionContract.started;
import static io.quorate.store.ConnectionContract.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.Await;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.TestServers;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which reads members answer without a majority, as the guide says in semantics.md. */
@SuppressWarnings("try") // members are frozen while a block lasts
final class SemanticsIT {
  private final List<StoreClient> clients = new ArrayList<>();

  @AfterEach
  void closeClients() {
    clients.forEach(StoreClient::close);
  }

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final long TIMES = 20;

  @TempDir(factory = MemoryBackedDirectory.class)
  Path directory;

  @Test
  @RequiresDatabase("etcd")
  void etcd_answers_stale_reads_without_a_majority_and_no_others() {
    try (Cluster cluster = TestServers.start(EtcdStore.STORE, 3, directory)) {
      assertSeenByAnotherMember(cluster);
      assertOneAlone(cluster, follower(cluster), Set.of(ReadConsistency.SERIALIZABLE), Set.of());
      assertOneAlone(cluster, leader(cluster), Set.of(ReadConsistency.SERIALIZABLE), Set.of());
    }
  }

  @Nightly
  @Test
  @RequiresDatabase("consul")
  void consul_answers_stale_reads_without_a_majority_and_no_linearizable_ones() {
    try (Cluster cluster = TestServers.start(ConsulStore.STORE, 3, directory)) {
      assertSeenByAnotherMember(cluster);
      assertOneAlone(cluster, follower(cluster), Set.of(ReadConsistency.SERIALIZABLE), Set.of());
      assertOneAlone(
          cluster,
          leader(cluster),
          Set.of(ReadConsistency.SERIALIZABLE),
          Set.of(ReadConsistency.DEFAULT));
    }
  }

  @Test
  @Nightly // RequestCountsIT counts these requests
  void a_follower_of_zookeeper_answers_stale_and_default_reads_without_the_leader() {
    try (Cluster cluster = TestServers.start(ZooKeeperStore.STORE, 3, directory)) {
      assertSeenByAnotherMember(cluster);
      assertOneAlone(
          cluster,
          follower(cluster),
          Set.of(ReadConsistency.SERIALIZABLE, ReadConsistency.DEFAULT),
          Set.of());
    }
  }

  @Nightly
  @Test
  void zookeeper_answers_a_session_in_order_and_leaves_it_when_the_leader_is_given_up() {
    try (Cluster cluster = TestServers.start(ZooKeeperStore.STORE, 3, directory)) {
      Member alone = follower(cluster);
      byte[] key = freshKey();
      try (Connection driver = open(cluster, alone, SHORT);
          Connection other = open(cluster, alone, LONG)) {
        write(driver, key);
        try (var frozen = FrozenMembers.othersThan(alone, cluster)) {
          var first =
              started(
                  done -> driver.submit(new Request.Get(key, ReadConsistency.LINEARIZABLE), done));
          var behind =
              started(
                  done -> driver.submit(new Request.Get(key, ReadConsistency.SERIALIZABLE), done));
          assertThat(stale(other, key)).isEqualTo("found:v");
          assertThat(first.outcome()).isEqualTo("failed:TIMEOUT");
          assertThat(behind.outcome()).isEqualTo("failed:TIMEOUT");
          Await.until(
              "the connection is closed",
              LIMIT,
              () -> stale(other, key).equals("failed:CONNECTION"));
        }
      }
    }
  }

  @Test
  @Nightly // RequestCountsIT counts these requests
  void the_leader_of_zookeeper_answers_linearizable_reads_without_asking_the_others() {
    try (Cluster cluster = TestServers.start(ZooKeeperStore.STORE, 3, directory)) {
      assertOneAlone(cluster, leader(cluster), Set.of(ReadConsistency.values()), Set.of());
    }
  }

  /**
   * A linearizable read sees a write that another member has answered. ZooKeeper's leader only
   * writes here: it answers sync at once, and tells its followers of a commit before itself.
   */
  private void assertSeenByAnotherMember(Cluster cluster) {
    Member leader = leader(cluster);
    boolean leaderReads = cluster.database() != ZooKeeperStore.STORE;
    for (Member writing : cluster.members()) {
      for (Member reading : cluster.members()) {
        if (writing != reading && (leaderReads || reading != leader)) {
          assertSeen(cluster, writing, reading);
        }
      }
    }
  }

  private void assertSeen(Cluster cluster, Member writing, Member reading) {
    try (Connection writer = open(cluster, writing, LONG);
        Connection reader = open(cluster, reading, LONG)) {
      for (int time = 0; time < TIMES; time++) {
        byte[] key = freshKey();
        assertThat(ended(done -> writer.submit(Request.create(key, utf8("v")), done)))
            .isEqualTo("written");
        assertThat(
                ended(
                    done ->
                        reader.submit(new Request.Get(key, ReadConsistency.LINEARIZABLE), done)))
            .as("written through %s, read through %s", writing.name(), reading.name())
            .isEqualTo("found:v");
      }
    }
  }

  /**
   * Tests the answers of one member while the others stand still, and that all is well again then.
   *
   * @param undecided what may be answered or not: a leader of Consul trusts its lease for a moment
   */
  private void assertOneAlone(
      Cluster cluster, Member alone, Set<ReadConsistency> certain, Set<ReadConsistency> undecided) {
    byte[] key = freshKey();
    // one for each, since ZooKeeper answers in order; opened before, since that takes a majority
    Function<ReadConsistency, Duration> timeout = how -> certain.contains(how) ? LONG : SHORT;
    try (Connection linearizable =
            open(cluster, alone, timeout.apply(ReadConsistency.LINEARIZABLE));
        Connection stale = open(cluster, alone, timeout.apply(ReadConsistency.SERIALIZABLE));
        Connection unsaid = open(cluster, alone, timeout.apply(ReadConsistency.DEFAULT));
        Connection probe = open(cluster, alone, SHORT)) {
      write(linearizable, key);
      Await.until("the write is here", LIMIT, () -> stale(stale, key).equals("found:v"));
      Map<ReadConsistency, RecordedCompletion> reads = new EnumMap<>(ReadConsistency.class);
      try (var frozen = FrozenMembers.othersThan(alone, cluster)) {
        if (cluster.database() == ConsulStore.STORE) {
          // what the others had sent before still confirms its leader
          Await.until("nobody is heard any more", LIMIT, () -> !read(probe, key).equals("found:v"));
        }
        Map.of(
                ReadConsistency.LINEARIZABLE, linearizable,
                ReadConsistency.SERIALIZABLE, stale,
                ReadConsistency.DEFAULT, unsaid)
            .forEach(
                (how, driver) ->
                    reads.put(
                        how, started(done -> driver.submit(new Request.Get(key, how), done))));
        reads.values().forEach(RecordedCompletion::outcome);
      }
      reads.forEach(
          (how, read) -> {
            if (certain.contains(how)) {
              assertThat(read.outcome()).as("%s: %s", how, read.message()).isEqualTo("found:v");
            } else if (!undecided.contains(how)) {
              assertThat(read.outcome()).as("%s", how).startsWith("failed:");
            }
          });
      Await.until(
          "a linearizable read again", LIMIT, () -> read(linearizable, key).equals("found:v"));
    }
  }

  /** As soon as there is a leader again. */
  private static void write(Connection driver, byte[] key) {
    Await.until(
        "a write",
        LIMIT,
        () -> {
          ended(done -> driver.submit(Request.create(key, utf8("v")), done));
          return read(driver, key).equals("found:v");
        });
  }

  private static String stale(Connection driver, byte[] key) {
    return ended(done -> driver.submit(new Request.Get(key, ReadConsistency.SERIALIZABLE), done));
  }

  private static Member leader(Cluster cluster) {
    Await.until("there is a leader", LIMIT, () -> cluster.leader().isPresent());
    return cluster.leader().orElseThrow();
  }

  private static Member follower(Cluster cluster) {
    Member leader = leader(cluster);
    return cluster.members().stream()
        .filter(member -> !member.equals(leader))
        .findFirst()
        .orElseThrow();
  }

  private Connection open(Cluster cluster, Member member, Duration timeout) {
    StoreClient client = cluster.database().clients().get(0).start();
    clients.add(client);
    return client.open(new DriverSettings(member.endpoint(), timeout, LONG, Access.PLAIN));
  }
}
