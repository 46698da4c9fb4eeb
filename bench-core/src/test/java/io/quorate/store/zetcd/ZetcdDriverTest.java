package io.quorate.store.zetcd;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.Database;
import io.quorate.store.NetworkedDriverContract;

@RequiresDatabase(Database.ZETCD)
final class ZetcdDriverTest extends NetworkedDriverContract {
  ZetcdDriverTest() {
    super(Database.ZETCD, true);
  }
}
