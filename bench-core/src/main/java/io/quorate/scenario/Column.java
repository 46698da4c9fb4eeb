// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import io.quorate.store.ClientKind;
import io.quorate.store.ServerSettings;
import io.quorate.store.Store;
import java.util.Optional;

/**
 * A column of the result table: a store whose servers have these settings.
 *
 * @param client kind of client that sends the load; empty for the default
 * @param name heading from the scenario; empty for a heading from store and version
 */
public record Column(
    Store store, ServerSettings settings, Optional<ClientKind> client, Optional<String> name) {
  public Column(Store store) {
    this(store, ServerSettings.NONE, Optional.empty(), Optional.empty());
  }

  public Column withSettings(ServerSettings others) {
    return new Column(store, others, client, name);
  }
}
