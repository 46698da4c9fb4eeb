package io.quorate.store.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Access;
import io.quorate.store.Connection;
import io.quorate.store.NetworkedConnectionContract;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import java.time.Duration;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

final class ZooKeeperDriverIT extends NetworkedConnectionContract {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  ZooKeeperDriverIT() {
    super(ZooKeeperStore.STORE, true);
  }

  @Override
  protected boolean writesOnEventLoop() {
    return false; // but on the thread of the session that sends
  }

  @Test
  void what_the_client_library_refuses_to_send_ends_too_and_is_not_thrown() {
    RecordedCompletion refused =
        started(done -> open().submit(Request.create(utf8("."), utf8("v")), done));

    assertThat(refused.outcome()).isEqualTo("failed:OTHER");
    assertThat(refused.message())
        .startsWith("IllegalArgumentException: Invalid path string \"/.\"");
    assertThat(refused.timesTold()).isEqualTo(1);
  }

  @Test
  void what_a_server_tells_of_itself_does_not_grow_with_its_keys() throws Exception {
    var internals = new ZooKeeperInternals();
    internals.ask(endpoint(), LIMIT);
    int before = FourLetterWord.MNTR.ask(endpoint(), Access.PLAIN, LIMIT).length();
    Connection driver = open();
    for (int key = 0; key < 200; key++) {
      int each = key;
      assertThat(
              ended(done -> driver.submit(Request.create(utf8("grows-" + each), utf8("v")), done)))
          .isEqualTo("written");
    }

    String answer = FourLetterWord.MNTR.ask(endpoint(), Access.PLAIN, LIMIT);
    assertThat(answer).doesNotContain("grows-").hasSizeLessThan(before + 1_000);
    assertThat(internals.ask(endpoint(), LIMIT))
        .containsKeys("zk_fsynctime_p50", "zk_fsynctime_p99", "zk_cnt_fsynctime")
        .doesNotContainKey("zk_quorum_ack_latency_p99");
  }

  @Test
  void a_session_that_the_server_ended_is_replaced() throws Exception {
    try (var session = ZooKeeperSession.open("zookeeper", endpoint(), LIMIT)) {
      ZooKeeper first = session.handle();
      var twin =
          new ZooKeeper(
              endpoint().toString(),
              20_000,
              event -> {},
              first.getSessionId(),
              first.getSessionPasswd());
      await("the twin", () -> twin.getState().isConnected());
      twin.close();

      await("a new session", () -> session.handle() != null && session.handle() != first);
    }
  }
}
