// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.Session;
import io.quorate.store.SessionContract;
import io.quorate.store.driver.EventLoops;

@RequiresDatabase("etcd")
final class EtcdSessionsIT extends SessionContract {
  EtcdSessionsIT() {
    super(EtcdStore.STORE);
  }

  @Override
  protected void endInStore(Session session) {
    try (EventLoops loops = EventLoops.ofSockets("etcd-test");
        EtcdLeases leases =
            new EtcdLeases(settings(), new EtcdAccess.Shared().of(settings()), loops)) {
      assertThat(ended(done -> leases.revoke(session.id(), done))).isEqualTo("written");
    }
  }
}
