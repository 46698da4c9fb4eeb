package io.quorate.scenario;

import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import java.util.Optional;

/**
 * A column of the result table: a store whose servers have these settings.
 *
 * @param name heading from the scenario; empty for a heading from store and version
 */
public record Column(Store store, ServerSettings settings, Optional<String> name) {
  public Column(Store store) {
    this(store, ServerSettings.NONE, Optional.empty());
  }

  public Column withSettings(ServerSettings others) {
    return new Column(store, others, name);
  }
}
