package io.quorate.store.zetcd;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.NetworkedConnectionContract;

@RequiresDatabase("zetcd")
final class ZetcdDriverTest extends NetworkedConnectionContract {
  ZetcdDriverTest() {
    super(ZetcdStore.STORE, true);
  }
}
