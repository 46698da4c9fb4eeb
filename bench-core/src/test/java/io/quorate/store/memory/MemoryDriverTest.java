package io.quorate.store.memory;

import io.quorate.store.Database;
import io.quorate.store.KeyValueDriverContract;

final class MemoryDriverTest extends KeyValueDriverContract {
  MemoryDriverTest() {
    super(Database.MEMORY, true);
  }
}
