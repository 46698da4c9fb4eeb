// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.cluster.Cluster;
import io.quorate.cluster.ExternalCluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.SharedCluster;
import io.quorate.store.Access;
import io.quorate.store.Endpoint;
import io.quorate.store.LimitedUser;
import io.quorate.store.Login;
import io.quorate.store.Security;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A token of Consul with a policy for the keys of runs. */
@RequiresDatabase("consul")
class ConsulLimitedUserIT {
  @Test
  void runs_with_a_policy_for_the_prefix_of_runs() throws IOException {
    Cluster cluster = SharedCluster.of(ConsulStore.STORE, 1, Security.TLS);
    Endpoint server = cluster.members().get(0).endpoint();
    Access manager = cluster.access();
    Login token = new ConsulAdministrator(server, manager).addUser();
    Access limited = new Access(manager.tls(), token);

    new LimitedUser(ConsulStore.STORE, server, limited).runs();

    assertThatThrownBy(
            () -> ExternalCluster.of(ConsulStore.STORE, List.of(server), limited, "other/it/"))
        .hasMessageContaining("its policy, which needs key_prefix \"quorate/\" with write");
    assertThatThrownBy(
            () ->
                ExternalCluster.of(
                    ConsulStore.STORE, List.of(server), new Access(manager.tls(), Login.NONE)))
        .hasMessageContaining(
            "it accepts only clients with a token: pass yours with --credentials FILE");
  }
}
