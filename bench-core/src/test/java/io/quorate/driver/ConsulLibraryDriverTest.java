package io.quorate.driver;

import io.quorate.cluster.RequiresDatabase;
import java.util.function.Function;

/** What {@code -Dconsul.client=library} asks for keeps the contract too. */
@RequiresDatabase(Database.CONSUL)
final class ConsulLibraryDriverTest extends NetworkedDriverContract {
  private final Function<DriverSettings, KeyValueDriver> opener = ConsulLibraryConnection.opener();

  ConsulLibraryDriverTest() {
    super(Database.CONSUL, false);
  }

  @Override
  KeyValueDriver connect(DriverSettings settings) {
    return opener.apply(settings);
  }
}
