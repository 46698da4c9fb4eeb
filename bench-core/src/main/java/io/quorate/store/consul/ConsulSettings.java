package io.quorate.store.consul;

import io.quorate.store.Setting;
import java.util.List;

/** The settings of Consul servers that a scenario may choose. Each is a field of consul.json. */
final class ConsulSettings {
  private static final long MIB = 1 << 20;

  static final List<Setting> ALL =
      List.of(
          // Consul's own 5 is meant for small machines: elections take five times as long
          Setting.count("raft_multiplier", 1, 10, "performance.raft_multiplier={}").orElse(1),
          Setting.count("raft_snapshot_threshold", 1, 1_000_000_000, "raft_snapshot_threshold={}"),
          Setting.millis("raft_snapshot_interval", 1000, 3_600_000, "raft_snapshot_interval={}ms"),
          Setting.bytes("kv_max_value_size", 1024, 512 * MIB, "limits.kv_max_value_size={}"));

  private ConsulSettings() {}
}
