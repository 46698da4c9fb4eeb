// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.ExternalCluster;
import io.quorate.load.Connector;
import io.quorate.load.workload.KeyRemoval;
import java.time.Duration;
import java.util.List;
import java.util.function.LongFunction;

/**
 * A user with rights to the keys below {@code quorate/} only, who does what a run does.
 *
 * @param access how the user gets in
 */
public record LimitedUser(Store store, Endpoint server, Access access) {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int KEYS = 10;

  /** Writes, reads and removes keys with each client, and observes the servers. */
  public void runs() {
    assertThat(ExternalCluster.observed(store, List.of(server), access).members()).hasSize(1);
    for (ClientKind kind : store.clients()) {
      String prefix = "quorate/" + kind + "/";
      ExternalCluster.of(store, List.of(server), access, prefix);
      try (StoreClient client = kind.start()) {
        Connector connector = new Connector(client, List.of(server), LIMIT, access);
        KeyRemoval.enter(connector, store.capabilities().range(), prefix);
        LongFunction<byte[]> key = number -> (prefix + number).getBytes(US_ASCII);
        List<Connection> open = connector.open(2, () -> false);
        for (int number = 0; number < KEYS; number++) {
          Request create = Request.create(key.apply(number), "value".getBytes(US_ASCII));
          RecordedCompletion written = new RecordedCompletion();
          open.get(number % open.size()).submit(create, written);
          assertThat(written.outcome()).as(kind + ": " + written.message()).isEqualTo("written");
        }
        new KeyRemoval(prefix, List.of(new KeyRemoval.Keys(KEYS, key)), 2)
            .run(connector, store.capabilities(), removed -> {});
        assertThat(StoreContract.read(open.get(0), key.apply(1)))
            .as(kind.id())
            .isEqualTo("missing");
        open.forEach(Connection::close);
      }
    }
  }
}
