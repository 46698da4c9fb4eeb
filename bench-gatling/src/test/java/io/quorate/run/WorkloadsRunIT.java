// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.measure.Verification;
import io.quorate.results.DatabaseRun;
import io.quorate.results.manifest.RunStatus;
import io.quorate.results.requests.OperationCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workloads that were reported for these stores, or that other tools have, on real servers. */
@RequiresDatabase({"etcd", "consul"})
class WorkloadsRunIT {
  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  /** As keeper-bench with a remove factor of 0.5. */
  @Test
  void keys_are_removed_and_written_again_on_each_store() throws Exception {
    run(
        "deletes",
        """
        title: Deletes next to puts and gets
        mix: {put: 10, delete: 5, get: 10}
        requests: 4_000
        keys: {size: 30, count: 100, distribution: uniform}
        values: {min: 10, max: 20}
        load: {clients: 20}
        databases: [zookeeper, etcd, consul]
        """);
    for (String database : List.of("zookeeper", "etcd", "consul")) {
      DatabaseRun read = read("deletes", database);
      assertThat(operations(read)).containsExactly("put", "delete", "get");
      assertThat(read.clients().orElseThrow().successCount()).isEqualTo(4_000);
      assertThat(read.clients().orElseThrow().errorCount()).isZero();
      assertIntact(read);
    }
  }

  /** As keeper-bench: creates, multis, gets, and lists of children. */
  @Test
  void children_are_listed_next_to_transactions() throws Exception {
    run(
        "children",
        """
        title: Puts, transactions of 20, gets, lists
        mix: {put: 10, txn: 10, get: 10, range: 10}
        requests: 1_000
        keys: {size: 30, count: 1_000, distribution: random}
        values: {min: 10, max: 20}
        range: {keys: all, keys-only: true}
        txn: {puts: 20}
        load: {clients: 20, connections: 1}
        databases: [zookeeper, etcd]
        """);
    for (String database : List.of("zookeeper", "etcd")) {
      DatabaseRun read = read("children", database);
      assertThat(operations(read)).containsExactly("put", "txn", "get", "range");
      assertThat(read.clients().orElseThrow().errorCount()).isZero();
      assertIntact(read);
    }
  }

  @Test
  void transactions_read_and_remove_keys() throws Exception {
    run(
        "reading",
        """
        title: Transactions that read, write and remove
        operation: txn
        txn: {puts: 3, gets: 2, deletes: 1}
        requests: 500
        keys: {size: 30}
        values: {size: 100}
        load: {clients: 10}
        databases: [etcd, consul]
        """);
    for (String database : List.of("etcd", "consul")) {
      DatabaseRun read = read("reading", database);
      assertThat(read.clients().orElseThrow().operations(1))
          .containsExactly(new OperationCounts("txn", 0, 500, 0));
      Verification verification = assertIntact(read);
      assertThat(verification.acknowledgedKeys()).isEqualTo(2_000);
    }
  }

  private static List<String> operations(DatabaseRun run) {
    return run.clients().orElseThrow().operations(1).stream()
        .map(OperationCounts::operation)
        .toList();
  }

  private static Verification assertIntact(DatabaseRun run) {
    Verification verification = run.manifest().verification().orElseThrow();
    assertThat(verification.missingKeys() + verification.wrongKeys())
        .as(verification.toString())
        .isZero();
    assertThat(verification.readKeys()).isPositive();
    return verification;
  }

  private void run(String name, String text) throws IOException {
    InProcessRun run =
        InProcessRun.ofScenario(
            directory, name, text + "members: 1\ncold-start: true\ntimeout: 60s\n");
    assertThat(run.exitCode()).as(run.output()).isZero();
  }

  private DatabaseRun read(String name, String database) throws IOException {
    Path run = InProcessRun.onlyRun(directory, name);
    DatabaseRun read = DatabaseRun.read(run.resolve(database));
    assertThat(read.manifest().status()).isEqualTo(RunStatus.COMPLETE);
    return read;
  }
}
