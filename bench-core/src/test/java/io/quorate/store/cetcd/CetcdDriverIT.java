// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.cetcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Connection;
import io.quorate.store.Endpoint;
import io.quorate.store.NetworkedConnectionContract;
import io.quorate.store.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Against a double: cetcd itself cannot be had from the registries that tests may use. */
final class CetcdDriverIT extends NetworkedConnectionContract {
  private CetcdDouble cetcd;

  CetcdDriverIT() {
    super(CetcdStore.STORE, false);
  }

  @Override
  protected Endpoint startServer() {
    try {
      cetcd = new CetcdDouble(0);
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
    return cetcd.endpoint();
  }

  @AfterAll
  void stopCetcd() {
    cetcd.close();
  }

  @Override
  protected String readOfRemoved() {
    return "failed:CONNECTION";
  }

  @Test
  void the_connection_that_a_read_after_a_delete_cost_is_replaced_at_once() {
    Connection driver = open();
    for (int round = 0; round < 5; round++) {
      byte[] key = freshKey();
      assertThat(ended(done -> driver.submit(Request.create(key, utf8("one")), done)))
          .isEqualTo("written");
      assertThat(ended(done -> driver.submit(new Request.Delete(key), done))).isEqualTo("written");
      assertThat(read(driver, key)).isEqualTo("failed:CONNECTION");
    }
  }
}
