// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import java.time.Duration;

/**
 * The sessions of a store: ZooKeeper's sessions, etcd's leases, Consul's sessions.
 *
 * @param leastTtl shortest TTL that servers with default settings grant
 * @param mostTtl longest TTL that servers with default settings grant
 * @param connected whether each session has a connection; otherwise sessions share them
 */
public record SessionSupport(Duration leastTtl, Duration mostTtl, boolean connected) {
  public boolean grants(Duration ttl) {
    return ttl.compareTo(leastTtl) >= 0 && ttl.compareTo(mostTtl) <= 0;
  }
}
