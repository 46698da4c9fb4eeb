package io.quorate.store.consul;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.DriverSettings;
import io.quorate.store.KeyValueDriver;
import io.quorate.store.NetworkedDriverContract;
import java.util.function.Function;

/** What {@code -Dconsul.client=library} asks for keeps the contract too. */
@RequiresDatabase("consul")
final class ConsulLibraryDriverTest extends NetworkedDriverContract {
  private final Function<DriverSettings, KeyValueDriver> opener = ConsulLibraryConnection.opener();

  ConsulLibraryDriverTest() {
    super(ConsulStore.STORE, false);
  }

  @Override
  protected KeyValueDriver connect(DriverSettings settings) {
    return opener.apply(settings);
  }
}
