// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.results.DatabaseRun;
import io.quorate.store.Store;
import io.quorate.store.consul.ConsulStore;
import io.quorate.store.zetcd.ZetcdStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A thousand clients at once on three members of the stores that {@link RampIT} leaves out. */
@Nightly
class ThousandClientsIT {
  private static final String THOUSAND =
      """
      title: A thousand clients
      operation: write
      requests: 4000
      warm-up: 1000
      cold-start: true
      keys: {size: 64}
      values: {size: 256}
      load: {clients: 1000}
      databases: [consul, zetcd]
      timeout: 60s
      """;

  @TempDir(factory = MemoryBackedDirectory.class)
  private Path directory;

  @Test
  @RequiresDatabase("consul")
  void a_thousand_clients_write_to_consul_without_error() throws Exception {
    thousand(ConsulStore.STORE);
  }

  @Test
  @RequiresDatabase("zetcd")
  void a_thousand_clients_write_to_zetcd_without_error() throws Exception {
    thousand(ZetcdStore.STORE);
  }

  private void thousand(Store database) throws Exception {
    // a session of zetcd is a lease of etcd, and a thousand are more than two cores can keep alive
    String load =
        database == ZetcdStore.STORE ? "clients: 1000, connections: 100" : "clients: 1000";
    Files.writeString(directory.resolve("thousand.yaml"), THOUSAND.replace("clients: 1000", load));
    InProcessRun run =
        InProcessRun.run(
            directory, "run", "thousand.yaml", "--database", database.id(), "--results", "results");

    assertThat(run.exitCode()).as(run.output()).isZero();
    DatabaseRun result = DatabaseRun.read(run.onlyRun("thousand").resolve(database.id()));
    assertThat(result.clients().orElseThrow().errorCount()).as(run.output()).isZero();
    assertThat(result.clients().orElseThrow().successCount()).isEqualTo(4_000);
  }
}
