// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import io.quorate.Named;

/** The guarantee of a read. */
public enum ReadConsistency implements Named {
  /** Read that sees the latest acknowledged write: etcd range; ZooKeeper sync, then getData. */
  LINEARIZABLE,
  /** Read of the local data of the asked member: etcd serializable range; ZooKeeper getData. */
  STALE,
  /**
   * Default of the store: etcd as LINEARIZABLE, ZooKeeper as STALE; Consul's leader answers by
   * itself, trusting its lease.
   */
  DEFAULT
}
