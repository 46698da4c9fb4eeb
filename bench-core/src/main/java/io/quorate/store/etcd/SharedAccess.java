package io.quorate.store.etcd;

import io.quorate.store.DriverSettings;

/** Makes the access of one client when its first connection is opened. */
final class SharedAccess {
  /** The access; null before the first connection. */
  private EtcdAccess made;

  /** Returns the access; the same for all connections of the client. */
  synchronized EtcdAccess of(DriverSettings settings) {
    if (made == null) {
      made = EtcdAccess.of(settings);
    }
    return made;
  }
}
