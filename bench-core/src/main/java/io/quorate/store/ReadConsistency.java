// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import com.fasterxml.jackson.annotation.JsonAlias;
import io.quorate.Named;
import java.util.Arrays;
import java.util.Optional;

/** The guarantee of a read. */
public enum ReadConsistency implements Named {
  /** Read that sees the latest acknowledged write: etcd range; ZooKeeper sync, then getData. */
  LINEARIZABLE,
  /** Read of the local data of the asked member: etcd serializable range; ZooKeeper getData. */
  @JsonAlias("stale")
  SERIALIZABLE,
  /**
   * Default of the store: etcd as LINEARIZABLE, ZooKeeper as SERIALIZABLE; Consul's leader answers
   * by itself, trusting its lease.
   */
  DEFAULT;

  /** Returns the guarantee with this name, or Consul's name for it; empty if there is none. */
  public static Optional<ReadConsistency> named(String name) {
    return Arrays.stream(values())
        .filter(each -> each.id().equals(name) || each == SERIALIZABLE && name.equals("stale"))
        .findFirst();
  }
}
