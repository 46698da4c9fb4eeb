// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import io.quorate.scenario.Requests;
import io.quorate.store.Capabilities;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keys of a load that may be missing for a known reason. Safe for several threads. */
interface UncertainKeys {
  /**
   * Returns the keys of a mix that removes some, or of keys with a TTL; null if none are missing.
   */
  static @Nullable UncertainKeys of(Requests asked, Capabilities can) {
    int count = (int) asked.keys().count();
    return asked.mix().removesSome()
        ? new RemovableKeys(count)
        : asked
            .keys()
            .ttl()
            .map(ttl -> new ExpiringKeys(ttl, count, asked.timeout(), can, System::nanoTime))
            .orElse(null);
  }

  /** Sends a request for one key, which succeeds if a known reason explains a missing key. */
  void send(Connection connection, long number, Request request, Completion completion);

  /** Returns whether a known reason explains that a key is missing. */
  boolean mayBeMissing(long number);

  /** Returns how many keys may be missing by now. */
  long count();

  /** Returns the names of the leases that keys have or had. */
  default List<String> leases() {
    return List.of();
  }
}
