package io.quorate.driver;

import java.nio.file.Path;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;

/** What our driver is compared with keeps the contract too. */
final class ConsulLibraryDriverTest extends NetworkedDriverContract {
  private final Function<DriverSettings, KeyValueDriver> opener = ConsulLibraryConnection.opener();
  private LocalServers servers;

  ConsulLibraryDriverTest() {
    super(Database.CONSUL, false);
  }

  @Override
  Endpoint startServer(Path directory) {
    servers = new LocalServers(directory);
    return servers.consul();
  }

  @AfterAll
  void stopConsul() {
    servers.close();
  }

  @Override
  KeyValueDriver connect(DriverSettings settings) {
    return opener.apply(settings);
  }
}
