package io.quorate.store.memory;

import io.quorate.store.KeyValueDriverContract;

final class MemoryDriverTest extends KeyValueDriverContract {
  MemoryDriverTest() {
    super(MemoryStore.STORE, true);
  }
}
