// SPDX-License-Identifier: Apache-2.0
package io.quorate.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Store;
import org.junit.jupiter.api.Test;

final class DefaultClientsTest {
  @Test
  void the_first_client_of_each_store_is_its_default_and_no_other_one_is() {
    for (Store store : Stores.all()) {
      String first = store.clients().get(0).id();
      assertThat(store.clients())
          .allMatch(client -> store.isDefaultClient(client) == client.id().equals(first));
    }
  }

  @Test
  void what_was_asked_for_anew_is_the_default_still() {
    assertThat(Stores.all())
        .allMatch(store -> store.isDefaultClient(store.client(store.clients().get(0).id())));
  }
}
