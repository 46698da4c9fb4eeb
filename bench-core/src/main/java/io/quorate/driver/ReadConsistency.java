package io.quorate.driver;

/** What a read promises. */
public enum ReadConsistency {
  /** The latest acknowledged write is seen: etcd range; ZooKeeper sync, then getData. */
  LINEARIZABLE,
  /** What the asked member has: etcd serializable range; ZooKeeper getData. */
  STALE
}
