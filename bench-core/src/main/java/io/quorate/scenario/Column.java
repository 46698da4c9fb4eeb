package io.quorate.scenario;

import io.quorate.store.ServerSettings;
import io.quorate.store.Store;

/**
 * A column of the result table: a store whose servers have these settings.
 *
 * @param settings that the scenario chooses
 */
public record Column(Store store, ServerSettings settings) {
  /** Creates the column of a store whose servers have the usual settings. */
  public Column(Store store) {
    this(store, ServerSettings.NONE);
  }
}
