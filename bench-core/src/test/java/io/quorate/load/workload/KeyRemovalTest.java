// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.load.Connector;
import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.Capabilities;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import io.quorate.store.StoreClient;
import io.quorate.store.memory.MemoryStore;
import io.quorate.store.zookeeper.ZooKeeperStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyRemovalTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Endpoint ANY = new Endpoint("127.0.0.1", 1);
  private static final int KEYS = 1_100; // more than a page

  private final StoreClient client = MemoryStore.STORE.clients().get(0).start();
  private final List<Operation> asked = new ArrayList<>();
  private boolean refuses;
  private boolean leavesNothing;

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void a_store_without_a_delete_removes_each_key_by_its_revision() {
    write();

    removal().run(connector(), withoutDelete(), removed -> {});

    assertThat(left()).containsExactly("other/0");
    assertThat(count(Operation.OPTIMISTIC_DELETE)).isEqualTo(KEYS);
    assertThat(count(Operation.DELETE)).isZero();
  }

  @Test
  void others_remove_a_page_at_a_time() {
    write();

    removal().run(connector(), MemoryStore.STORE.capabilities(), removed -> {});

    assertThat(left()).containsExactly("other/0");
    assertThat(count(Operation.DELETE)).isEqualTo(2);
    assertThat(count(Operation.OPTIMISTIC_DELETE)).isZero();
  }

  @Test
  void keys_that_are_refused_may_be_removed_with_their_prefix() {
    write();
    refuses = true;
    KeyRemoval removal =
        new KeyRemoval(
            "mine/", List.of(new KeyRemoval.Keys(KEYS, number -> key("mine/" + number))), 4);
    Capabilities without = ZooKeeperStore.STORE.capabilities();

    assertThatThrownBy(() -> removal.run(connector(), without, removed -> {}))
        .hasMessage("1100 removals ended with rejected: NOTEMPTY");
    leavesNothing = true;
    removal.run(connector(), without, removed -> {});
  }

  private static KeyRemoval removal() {
    return new KeyRemoval("mine/", List.of(), 4);
  }

  private static Capabilities withoutDelete() {
    Capabilities all = MemoryStore.STORE.capabilities();
    Set<Operation> others =
        all.operations().stream()
            .filter(each -> each != Operation.DELETE)
            .collect(Collectors.toSet());
    return new Capabilities(others, all.range(), all.mostPutsOfTxn(), Map.of());
  }

  private void write() {
    Connection connection = client.open(settings());
    for (int key = 0; key < KEYS; key++) {
      answer(connection, Request.create(key("mine/" + key), key("value")));
    }
    answer(connection, Request.create(key("other/0"), key("value")));
    connection.close();
  }

  private List<String> left() {
    Connection connection = client.open(settings());
    Answer all =
        answer(
            connection,
            new Request.Range(new byte[0], 0, ReturnedValue.KEYS, ReadConsistency.LINEARIZABLE));
    connection.close();
    return ((Answer.Entries) all)
        .entries().stream().map(each -> new String(each.key(), ISO_8859_1)).toList();
  }

  private long count(Operation operation) {
    synchronized (asked) {
      return asked.stream().filter(each -> each == operation).count();
    }
  }

  private static Answer answer(Connection connection, Request request) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    connection.submit(request, Completion.of(answer));
    return answer.join();
  }

  private Connector connector() {
    return new Connector(new Noting(), List.of(ANY), LIMIT, Access.PLAIN);
  }

  private static DriverSettings settings() {
    return new DriverSettings(ANY, LIMIT, LIMIT, Access.PLAIN);
  }

  private static byte[] key(String text) {
    return text.getBytes(ISO_8859_1);
  }

  /** Opens connections that note the operations of their requests. */
  private final class Noting implements StoreClient {
    @Override
    public boolean leave(DriverSettings settings, String prefix) {
      return leavesNothing;
    }

    @Override
    public Connection open(DriverSettings settings) {
      Connection connection = client.open(settings);
      return new Connection() {
        @Override
        public void submit(Request request, Completion completion) {
          synchronized (asked) {
            asked.add(request.operation());
          }
          if (refuses) {
            completion.failed(ErrorKind.REJECTED, "NOTEMPTY");
          } else {
            connection.submit(request, completion);
          }
        }

        @Override
        public void close() {
          connection.close();
        }
      };
    }

    @Override
    public void close() {}
  }

  @Test
  void keys_without_the_name_of_a_run_are_those_of_no_run() {
    Map<String, Long> counts = new TreeMap<>();
    for (String key : List.of("a", "a/1", "a/2", "", "/3")) {
      LeftRun.count("app/quorate/" + key, "app/quorate/", counts);
    }
    assertThat(counts).isEqualTo(Map.of("a", 2L));
  }
}
