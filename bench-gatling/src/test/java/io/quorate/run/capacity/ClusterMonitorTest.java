// SPDX-License-Identifier: Apache-2.0
package io.quorate.run.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.Cluster;
import io.quorate.cluster.Member;
import io.quorate.store.Endpoint;
import io.quorate.store.Store;
import io.quorate.store.etcd.EtcdStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterMonitorTest {
  /** Servers whose processes are not known. */
  private record Given(List<Member> members) implements Cluster {
    @Override
    public Store database() {
      return EtcdStore.STORE;
    }

    @Override
    public Optional<Member> leader() {
      return Optional.empty();
    }

    @Override
    public String version() {
      return "";
    }

    @Override
    public List<String> failures() {
      return List.of();
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1, false", "192.0.2.1, true"})
  void given_servers_on_this_machine_use_processors_that_it_does_not_see(
      String host, boolean sees) {
    Endpoint endpoint = new Endpoint(host, 2379);
    Member member = new Member(1, "etcd-1", endpoint, List.of(), Optional.empty());

    assertThat(new ClusterMonitor(new Given(List.of(member))).seesServersHere).isEqualTo(sees);
  }
}
