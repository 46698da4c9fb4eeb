package io.quorate.store.memory;

import io.quorate.store.DriverSettings;
import io.quorate.store.KeyValueDriver;
import io.quorate.store.Licence;
import io.quorate.store.ServerKind;
import io.quorate.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A map in the load generator's own process: shows what the load generator itself can do. */
public final class MemoryStore extends Store {
  public static final Store STORE = new MemoryStore();

  private final Function<DriverSettings, KeyValueDriver> opener = MemoryDriver.opener();

  private MemoryStore() {
    super("memory", "in-memory map");
  }

  @Override
  public KeyValueDriver open(DriverSettings settings) {
    return opener.apply(settings);
  }

  @Override
  public List<ServerKind> servers() {
    return List.of();
  }

  @Override
  public Optional<Bundled> bundled() {
    return Optional.of(
        new Bundled(Optional.empty(), Licence.APACHE.id(), "a map in Quorate itself"));
  }
}
