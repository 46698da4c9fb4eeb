// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import io.quorate.store.Security;
import io.quorate.store.memory.MemoryStore;

/** The contract on the map in memory, without sockets. */
final class InMemoryDslTest extends DslContract {
  InMemoryDslTest() {
    super(MemoryStore.STORE, Security.NONE);
  }
}
