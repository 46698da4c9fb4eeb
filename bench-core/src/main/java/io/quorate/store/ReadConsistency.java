package io.quorate.store;

/** What a read promises. */
public enum ReadConsistency {
  /** The latest acknowledged write is seen: etcd range; ZooKeeper sync, then getData. */
  LINEARIZABLE,
  /** What the asked member has: etcd serializable range; ZooKeeper getData. */
  STALE,
  /**
   * What the store does when nothing is said: etcd as LINEARIZABLE, ZooKeeper as STALE; Consul's
   * leader answers by itself, trusting its lease.
   */
  DEFAULT
}
