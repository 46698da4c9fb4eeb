// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.memory;

import io.quorate.store.ConnectionContract;

final class MemoryDriverTest extends ConnectionContract {
  MemoryDriverTest() {
    super(MemoryStore.STORE, true);
  }
}
