// SPDX-License-Identifier: Apache-2.0
package io.quorate.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.process.ServerProcess.LogTail;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.etcd.EtcdStore;
import io.quorate.store.kine.KineStore;
import io.quorate.store.server.ServerLog;
import io.quorate.store.zetcd.ZetcdStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On what real servers logged before they ended. */
class LogEvidenceTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "etcd-port | 21:53:53 | discovery failed: listen tcp 127.0.0.1:23671: bind: address already in use",
        "etcd-baddir | 21:53:53 | failed to list data directory: readdirent f-data: not a directory",
        "etcd-full | 21:56:14 | failed to commit tx: write full-etcd/d/member/snap/db: no space left on device",
        "etcd-panic-database | 21:58:10 | failed to open database: invalid database",
        "etcd-panic-page | 21:58:10 | panic: assertion failed: Page expected to be: 2, but self identifies as 1220146277486504451",
        "etcd-panic-log | 21:58:10 | panic: cannot use none as id",
        "consul-port | 21:54:06 | agent: Error starting agent: error=\"listen tcp 127.0.0.1:23670: bind: address already in use\"",
        "consul-baddir | 21:54:06 | data_dir \"/tmp/h/values-logs/c-file\" is not a directory",
        "consul-full | 21:55:46 | agent: Error starting agent: error=\"Failed to start Consul server: Failed to start Raft: fail to open write-ahead-log: no space left on device\"",
        "zookeeper-port | 21:55:49 | [main] ZooKeeperServerMain: Unexpected exception, exiting abnormally: java.net.BindException: Address already in use",
        "zookeeper-baddir | 21:55:55 | [main] ZooKeeperServerMain: Unable to access datadir, exiting abnormally: org.apache.zookeeper.server.persistence.FileTxnSnapLog$DatadirException: Unable to create data directory /tmp/h/values-logs/z-file/version-2",
        "zookeeper-full | 21:56:26 | [SyncThread:0] ZooKeeperCriticalThread: Severe unrecoverable error, from thread : SyncThread:0: java.io.IOException: No space left on device",
        "shell-no-program | 21:56:26 | quorate-launch: 1: exec: /nowhere/etcd: not found"
      })
  void the_line_that_tells_why_is_found(String log, String end, String line) throws IOException {
    assertThat(
            new LogTail.LogEvidence(meaning(log), lines(log))
                .reasonOfEnd(Instant.parse("2026-11-21T" + end + "Z")))
        .hasValue(line);
  }

  @ParameterizedTest
  @CsvSource({
    "etcd-kill, 21:53:58",
    "consul-kill, 21:54:12",
    "zookeeper-kill, 21:55:54",
    // what was survived
    "etcd-full, 21:57:00",
    "zookeeper-full, 21:57:00"
  })
  void a_log_that_says_nothing_of_the_end_gives_no_line(String log, String end) throws IOException {
    assertThat(
            new LogTail.LogEvidence(meaning(log), lines(log))
                .reasonOfEnd(Instant.parse("2026-11-21T" + end + "Z")))
        .isEmpty();
  }

  private static List<String> lines(String log) throws IOException {
    try (InputStream in = LogEvidenceTest.class.getResourceAsStream("logs/" + log + ".log")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** The store whose server wrote a log is the first word of its name. */
  private static ServerLog meaning(String log) {
    return Stores.servers(Stores.byId(log.replaceFirst("-.*", "")).orElse(EtcdStore.STORE))
        .kinds()
        .get(0)
        .log();
  }

  private static Optional<String> evidence(Store store, String... lines) {
    return new LogTail.LogEvidence(Stores.servers(store).kinds().get(0).log(), Arrays.asList(lines))
        .reasonOfEnd(Instant.parse("2026-11-21T10:00:00Z"));
  }

  private static Optional<String> evidence(String... lines) {
    return evidence(ConsulStore.STORE, lines);
  }

  @Test
  void of_a_panic_of_go_the_first_line_is_quoted_and_not_the_last_frame() {
    assertThat(
            evidence(
                "2026-11-21T09:59:59.000Z [WARN]  agent: something",
                "panic: runtime error: index out of range [7] with length 3",
                "\tpanic: again",
                "",
                "goroutine 1 [running]:",
                "main.main()",
                "\t/src/main.go:31 +0x28"))
        .hasValue("panic: runtime error: index out of range [7] with length 3");
    assertThat(
            evidence(
                "fatal error: concurrent map writes", "", "goroutine 7 [running]:", "main.main()"))
        .hasValue("fatal error: concurrent map writes");
  }

  @Test
  void what_the_process_survived_is_no_evidence() {
    assertThat(
            evidence(
                "panic: recovered", "2026-11-21T09:00:00.000+0000 [INFO]  agent: goes on", "x"))
        .isEmpty();
    assertThat(evidence("2026-11-21T09:59:49.999Z [ERROR] agent: Coordinate update error"))
        .isEmpty();
    assertThat(evidence("2026-11-21T09:59:59.999Z [WARN]  agent: Failed to contact a peer"))
        .isEmpty();
    assertThat(evidence("==> Log data will now stream in as it occurs:", "")).isEmpty();
    assertThat(
            evidence(
                EtcdStore.STORE, "{\"level\":\"warn\",\"msg\":\"slow\",\"error\":\"timeout\"}"))
        .isEmpty();
    assertThat(evidence()).isEmpty();
  }

  @Test
  void an_error_with_a_cause_counts_more_than_a_farewell_after_it() {
    assertThat(
            evidence(
                "2026-11-21T09:59:59,100+01:00 ERROR [main] A: an hour before in another zone",
                "2026-11-21T10:59:59.100+01:00 ERROR [main] A: Unexpected exception",
                "java.lang.IllegalStateException: outer",
                "\tat a.B.c(B.java:1)",
                "Caused by: java.io.IOException: inner",
                "\tat a.B.c(B.java:2)",
                "2026-11-21T10:59:59.200+01:00 ERROR [main] B: Exiting JVM with code 1"))
        .hasValue(
            "[main] A: Unexpected exception: java.lang.IllegalStateException: outer:"
                + " java.io.IOException: inner");
  }

  @Test
  void a_full_disk_counts_more_than_what_came_of_it() {
    assertThat(
            evidence(
                "2026-11-21T09:59:59.100Z [ERROR] raft: failed: error=\"no space left on device\"",
                "panic: nil",
                "goroutine 1 [running]:"))
        .hasValue("raft: failed: error=\"no space left on device\"");
  }

  @Test
  void the_last_word_of_consuls_command_line_is_evidence_for_consul_alone() {
    String[] log = {"==> Starting Consul agent...", "==> data_dir is not a directory"};
    assertThat(evidence(ConsulStore.STORE, log)).hasValue("data_dir is not a directory");
    assertThat(evidence(EtcdStore.STORE, log)).isEmpty();
    assertThat(evidence(ZooKeeperStore.STORE, log)).isEmpty();
  }

  @Test
  void the_words_of_the_runtimes_are_known() {
    assertThat(evidence("Terminating due to java.lang.OutOfMemoryError: Java heap space"))
        .hasValue("Terminating due to java.lang.OutOfMemoryError: Java heap space");
    assertThat(
            evidence(ZetcdStore.STORE, "F1121 09:59:59.123456   12345 zetcd.go:98] cannot listen"))
        .hasValue("cannot listen");
    assertThat(
            evidence(
                KineStore.STORE,
                "\u001b[31mERRO\u001b[0m[2026-11-29T23:18:33.685123251Z] Failed to ping database"
                    + " connection: unable to open database file (14) "))
        .hasValue("Failed to ping database connection: unable to open database file (14)");
    assertThat(
            evidence(
                KineStore.STORE,
                "\u001b[36mINFO\u001b[0m[2026-11-29T23:17:11.06141071Z] Kine available at"
                    + " http://127.0.0.1:26937"))
        .isEmpty();
    assertThat(evidence(EtcdStore.STORE, "{\"level\":\"fatal\",\"msg\":\"cut o"))
        .hasValue("{\"level\":\"fatal\",\"msg\":\"cut o");
    assertThat(evidence(EtcdStore.STORE, "{\"level\":\"warn\",\"msg\":\"cut o")).isEmpty();
  }
}
