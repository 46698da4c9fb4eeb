// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.MemoryBackedDirectory;
import io.quorate.QuorateException;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests ports that another program takes between their choice and the start of the server. */
class PortClashIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir(factory = MemoryBackedDirectory.class)
  Path directory;

  @Test
  @RequiresDatabase("etcd")
  void etcd_gets_other_ports() throws IOException {
    startsWithAnotherChoice(EtcdStore.STORE, 3, 1);
  }

  /** The ports for HTTP, for the servers' RPC and for gossip. */
  @Test
  @RequiresDatabase("consul")
  void consul_gets_other_ports() throws IOException {
    startsWithAnotherChoice(ConsulStore.STORE, 1, 3);
  }

  /** The ports of zetcd, and of the etcd behind it for clients. */
  @Test
  @RequiresDatabase({"etcd", "zetcd"})
  void zetcd_gets_other_ports_although_it_ends_without_a_word() throws IOException {
    startsWithAnotherChoice(ZetcdStore.STORE, 1, 2);
  }

  /** Each of the first choices of ports has another one that is taken. */
  private void startsWithAnotherChoice(Store database, int members, int clashes)
      throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Clashing ports = new Clashing(taken.getLocalPort(), clashes, true);
      try (Cluster cluster =
          LocalCluster.start(database, members, directory, TestSettings.ofThisUser(), ports)) {
        // another program may take a port of the last choice
        assertThat(ports.choices).isGreaterThan(clashes);
        Await.until("there is a leader", LIMIT, () -> cluster.leader().isPresent());
      }
    }
  }

  @Test
  void zookeeper_says_which_port_is_taken_where_there_is_no_other_choice() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Clashing ports = new Clashing(taken.getLocalPort(), 1, false);
      ClusterSettings settings = TestSettings.ofThisUser();
      assertThatThrownBy(
              () -> LocalCluster.start(ZooKeeperStore.STORE, 1, directory, settings, ports))
          .isInstanceOf(QuorateException.class)
          .hasMessageContaining("zookeeper-1 cannot listen: one of its ports of 127.0.0.1")
          .hasMessageContaining("" + taken.getLocalPort())
          .hasMessageContaining("zookeeper-1.log");
      assertThat(directory.resolve("data")).doesNotExist();
    }
  }

  /** Free ports, except for one of the last member, which is its n-th port the n-th time. */
  private static final class Clashing implements Ports {
    private final Ports free = Ports.free("127.0.0.1", new Random());
    private final int taken;
    private final int clashes;
    private final boolean canChooseAgain;
    private int choices;

    Clashing(int taken, int clashes, boolean canChooseAgain) {
      this.taken = taken;
      this.clashes = clashes;
      this.canChooseAgain = canChooseAgain;
    }

    @Override
    public List<List<Integer>> choose(int members, int perMember) {
      List<List<Integer>> chosen = new ArrayList<>(free.choose(members, perMember));
      if (choices < clashes) {
        List<Integer> last = new ArrayList<>(chosen.get(members - 1));
        last.set(choices, taken);
        chosen.set(members - 1, last);
      }
      choices++;
      return chosen;
    }

    @Override
    public boolean canChooseAgain() {
      return canChooseAgain;
    }
  }
}
