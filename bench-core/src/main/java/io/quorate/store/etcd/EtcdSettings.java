package io.quorate.store.etcd;

import io.quorate.store.ServerSettings;
import io.quorate.store.Setting;
import java.util.List;
import java.util.Optional;

/** The settings of etcd servers that a scenario may choose. */
final class EtcdSettings {
  private static final long GIB = 1L << 30;
  private static final long HOUR_MILLIS = 3_600_000;
  private static final long MOST_REVISIONS = 1_000_000_000;

  /** etcd's own default, which election-timeout is compared with. */
  private static final long HEARTBEAT_MILLIS = 100;

  private static final long ELECTION_MILLIS = 1000;

  /** etcd refuses to start with less. */
  private static final long HEARTBEATS_PER_ELECTION = 5;

  private static final Setting HEARTBEAT =
      Setting.millis("heartbeat-interval", 1, 10_000, "--heartbeat-interval={}");

  /** etcd refuses to start with more than 50 s. */
  private static final Setting ELECTION =
      Setting.millis("election-timeout", 10, 50_000, "--election-timeout={}");

  private static final Setting COMPACTION_PERIOD =
      Setting.millis(
          "auto-compaction-period",
          1000,
          24 * HOUR_MILLIS,
          "--auto-compaction-mode=periodic --auto-compaction-retention={}ms");

  private static final Setting COMPACTION_REVISIONS =
      Setting.count(
          "auto-compaction-revisions",
          1,
          MOST_REVISIONS,
          "--auto-compaction-mode=revision --auto-compaction-retention={}");

  static final List<Setting> ALL =
      List.of(
          Setting.count("snapshot-count", 1, MOST_REVISIONS, "--snapshot-count={}"),
          // etcd's own 2 GiB would end a run of a million keys
          Setting.bytes("quota-backend-bytes", 1 << 20, 1024 * GIB, "--quota-backend-bytes={}")
              .orElse(8 * GIB),
          HEARTBEAT,
          ELECTION,
          COMPACTION_PERIOD,
          COMPACTION_REVISIONS,
          Setting.millis("backend-batch-interval", 1, 60_000, "--backend-batch-interval={}ms"),
          Setting.count("backend-batch-limit", 1, 10_000_000, "--backend-batch-limit={}"));

  private EtcdSettings() {}

  static Optional<ServerSettings.Conflict> conflict(ServerSettings chosen) {
    if (chosen.has(COMPACTION_PERIOD) && chosen.has(COMPACTION_REVISIONS)) {
      return Optional.of(
          new ServerSettings.Conflict(
              COMPACTION_REVISIONS,
              "'auto-compaction-revisions' beside 'auto-compaction-period'",
              "one of them: etcd compacts by time or by revisions"));
    }
    long heartbeat = chosen.value(HEARTBEAT).orElse(HEARTBEAT_MILLIS);
    long election = chosen.value(ELECTION).orElse(ELECTION_MILLIS);
    if (election >= HEARTBEATS_PER_ELECTION * heartbeat) {
      return Optional.empty();
    }
    return Optional.of(
        new ServerSettings.Conflict(
            chosen.has(ELECTION) ? ELECTION : HEARTBEAT,
            "election-timeout %s with heartbeat-interval %s"
                .formatted(ELECTION.kind().text(election), HEARTBEAT.kind().text(heartbeat)),
            "an election timeout of at least five heartbeats, without which etcd does not start"));
  }
}
