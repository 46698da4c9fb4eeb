package io.quorate.store.zetcd;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.NetworkedDriverContract;

@RequiresDatabase("zetcd")
final class ZetcdDriverTest extends NetworkedDriverContract {
  ZetcdDriverTest() {
    super(ZetcdStore.STORE, true);
  }
}
