// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.Session;
import io.quorate.store.SessionContract;

@RequiresDatabase("consul")
final class ConsulSessionsIT extends SessionContract {
  ConsulSessionsIT() {
    super(ConsulStore.STORE);
  }

  @Override
  protected void endInStore(Session session) {
    assertThat(ended(done -> new ConsulLeases(settings()).revoke(session.id(), done)))
        .isEqualTo("written");
  }
}
