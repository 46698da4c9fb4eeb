package io.quorate.driver;

final class ZooKeeperDriver {
  static KeyValueDriver open(DriverSettings settings) {
    throw new UnsupportedOperationException(settings.toString());
  }

  private ZooKeeperDriver() {}
}
