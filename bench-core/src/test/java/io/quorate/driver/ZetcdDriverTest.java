package io.quorate.driver;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;

final class ZetcdDriverTest extends NetworkedDriverContract {
  private LocalServers servers;

  ZetcdDriverTest() {
    super(Database.ZETCD, true);
  }

  @Override
  Endpoint startServer(Path directory) {
    servers = new LocalServers(directory);
    return servers.zetcd();
  }

  @AfterAll
  void stopZetcd() {
    servers.close();
  }
}
