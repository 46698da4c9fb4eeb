package io.quorate.driver;

import io.quorate.cluster.RequiresDatabase;

@RequiresDatabase(Database.ZETCD)
final class ZetcdDriverTest extends NetworkedDriverContract {
  ZetcdDriverTest() {
    super(Database.ZETCD, true);
  }
}
