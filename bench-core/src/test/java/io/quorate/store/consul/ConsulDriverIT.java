// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.Connection;
import io.quorate.store.NetworkedConnectionContract;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@RequiresDatabase("consul")
final class ConsulDriverIT extends NetworkedConnectionContract {
  ConsulDriverIT() {
    super(ConsulStore.STORE, false);
  }

  @Test
  void a_thousand_connections_carry_a_request_each() {
    List<Connection> drivers = IntStream.range(0, 1_000).mapToObj(index -> open()).toList();
    List<RecordedCompletion> requests =
        drivers.stream()
            .map(
                driver ->
                    started(done -> driver.submit(Request.create(freshKey(), utf8("v")), done)))
            .toList();

    assertThat(requests).allMatch(request -> request.outcome().equals("written"));
  }

  @Test
  void a_value_beyond_the_limit_of_512_KiB_is_not_written_and_the_connection_comes_back() {
    Connection driver = open();
    byte[] key = freshKey();

    assertThat(ended(done -> driver.submit(Request.create(key, new byte[524_289]), done)))
        .isIn("failed:REJECTED", "failed:CONNECTION");
    await("a connection again", () -> read(driver, key).equals("missing"));
  }
}
