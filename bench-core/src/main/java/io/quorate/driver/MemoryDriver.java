package io.quorate.driver;

final class MemoryDriver {
  static KeyValueDriver open(DriverSettings settings) {
    throw new UnsupportedOperationException(settings.toString());
  }

  private MemoryDriver() {}
}
