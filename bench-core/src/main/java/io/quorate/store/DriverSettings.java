// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.time.Duration;

/**
 * Settings for opening a driver.
 *
 * @param endpoint endpoint of the one member that this connection uses
 * @param requestTimeout the deadline of a request, from its sending
 * @param connectTimeout how long opening may take
 */
public record DriverSettings(
    Endpoint endpoint, Duration requestTimeout, Duration connectTimeout, Access access) {
  /** Limit of a message that a client receives: 16 MiB; etcd and ZooKeeper have others. */
  public static final int MAX_MESSAGE_BYTES = 16 << 20;

  public DriverSettings {
    if (requestTimeout.isNegative() || requestTimeout.isZero()) {
      throw new IllegalArgumentException("the request timeout must be positive");
    }
    if (connectTimeout.isNegative() || connectTimeout.isZero()) {
      throw new IllegalArgumentException("the connect timeout must be positive");
    }
  }
}
