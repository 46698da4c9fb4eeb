package io.quorate.driver;

final class MemoryDriverTest extends KeyValueDriverContract {
  MemoryDriverTest() {
    super(Database.MEMORY, true);
  }
}
