package io.quorate.driver;

final class EtcdDriver {
  static KeyValueDriver open(DriverSettings settings) {
    throw new UnsupportedOperationException(settings.toString());
  }

  private EtcdDriver() {}
}
