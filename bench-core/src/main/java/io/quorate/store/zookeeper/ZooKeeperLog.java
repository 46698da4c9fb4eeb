package io.quorate.store.zookeeper;

import io.quorate.store.server.LogRule;
import io.quorate.store.server.TimedLog;
import java.util.List;

/** Reads ZooKeeper's log, as the pattern of {@link ZooKeeperLauncher} makes it. */
final class ZooKeeperLog extends TimedLog {
  private static final List<LogRule> RULES =
      List.of(
          LogRule.becameLeader("LEADING - LEADER ELECTION TOOK"),
          LogRule.trouble("FOLLOWING - LEADER ELECTION TOOK"),
          LogRule.trouble("fsync-ing the write ahead log .* took"),
          LogRule.trouble("Exception when following the leader"),
          LogRule.trouble("Unexpected exception .* shutting down|Shutdown called"),
          LogRule.trouble("Too many connections"),
          LogRule.trouble("Outstanding request limit|Throttl"),
          LogRule.trouble("Detected pause in JVM"),
          LogRule.trouble("Snapshotting:"));

  @Override
  public List<LogRule> rules() {
    return RULES;
  }
}
