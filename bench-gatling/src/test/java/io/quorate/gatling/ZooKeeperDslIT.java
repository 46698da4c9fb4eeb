// SPDX-License-Identifier: Apache-2.0
package io.quorate.gatling;

import static io.quorate.gatling.QuorateDsl.acquire;
import static io.quorate.gatling.QuorateDsl.await;
import static io.quorate.gatling.QuorateDsl.delete;
import static io.quorate.gatling.QuorateDsl.get;
import static io.quorate.gatling.QuorateDsl.outcome;
import static io.quorate.gatling.QuorateDsl.put;
import static io.quorate.gatling.QuorateDsl.txn;
import static io.quorate.gatling.QuorateDsl.value;
import static io.quorate.gatling.QuorateDsl.watch;

import io.quorate.store.Security;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ZooKeeperDslIT extends DslContract {
  private static final Duration LONG = Duration.ofSeconds(30);

  ZooKeeperDslIT() {
    super(ZooKeeperStore.STORE, Security.NONE);
  }

  @Test
  void a_watch_reports_a_node_that_was_created_again() {
    users.run(
        put("put").key(k).value("v"),
        watch("watch").key(k),
        delete("delete").key(k),
        put("again").key(k).value("w"),
        await("await").within(LONG).check(value().is("w")));
    allOk("put", "watch", "delete", "again", "await");
  }

  @Test
  void a_watch_that_was_refused_can_be_begun_again() {
    users.run(
        watch("missing").key(k).check(outcome().is("rejected")),
        put("put").key(k).value("v"),
        watch("watch").key(k),
        put("change").key(k).value("w"),
        await("await").within(LONG).check(value().is("w")));
    allOk("missing", "put", "watch", "change", "await");
  }

  @Test
  void a_key_below_a_lock_is_no_place_in_its_queue() {
    users.run(
        put("lock").key(k).value("v"),
        put("below").key(k + "/a").value("v"),
        acquire("acquire").lock(k).within(LONG));
    allOk("lock", "below", "acquire");
  }

  @Test
  void puts_of_a_transaction_keep_their_order() {
    users.run(
        txn("txn").put(k, "parent").put(k + "/x", "child").create(),
        get("read").key(k + "/x").check(value().is("child")));
    allOk("txn", "read");
  }
}
