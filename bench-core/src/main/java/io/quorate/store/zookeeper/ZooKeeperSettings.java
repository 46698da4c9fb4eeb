package io.quorate.store.zookeeper;

import io.quorate.store.Setting;
import java.util.List;

/**
 * The settings of ZooKeeper servers that a scenario may choose. What begins with a dash is for the
 * JVM, the others are lines of zoo.cfg.
 */
final class ZooKeeperSettings {
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  static final Setting HEAP = Setting.bytes("heap", 64 * MIB, 1024 * GIB, "-Xms{} -Xmx{}");

  static final List<Setting> ALL =
      List.of(
          HEAP,
          Setting.millis("tickTime", 10, 60_000, "tickTime={}").orElse(2000),
          Setting.count("initLimit", 1, 10_000, "initLimit={}").orElse(10),
          Setting.count("syncLimit", 1, 10_000, "syncLimit={}").orElse(5),
          Setting.count("snapCount", 2, 1_000_000_000, "-Dzookeeper.snapCount={}"),
          Setting.bytes("jute.maxbuffer", 64 * KIB, GIB, "-Djute.maxbuffer={}"),
          Setting.bytes("preAllocSize", KIB, GIB, "-Dzookeeper.preAllocSize={KiB}"),
          Setting.millis(
              "fsync-warning-threshold", 1, 3_600_000, "-Dzookeeper.fsync.warningthresholdms={}"));

  private ZooKeeperSettings() {}
}
