// SPDX-License-Identifier: Apache-2.0
package io.quorate.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.load.Load;
import io.quorate.measure.RunClock;
import io.quorate.results.DatabaseDirectory;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Access;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.LockClient;
import io.quorate.store.Locks;
import io.quorate.store.SessionListener;
import io.quorate.store.StoreClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionRecipesTest {
  private static final String SCENARIO =
      """
      title: Locks
      operation: lock
      requests: 10
      cold-start: true
      keys: {size: 16, count: 1}
      values: {size: 16}
      sessions: {ttl: 10s}
      load: {clients: 3}
      databases: [zookeeper]
      """;

  private static final DriverSettings MEMBER =
      new DriverSettings(
          new Endpoint("127.0.0.1", 1), Duration.ofSeconds(1), Duration.ofSeconds(1), Access.PLAIN);

  @TempDir private Path directory;

  @Test
  void a_session_that_is_refused_is_the_reason_and_the_others_are_closed() {
    Scenario scenario = ScenarioReader.read("locks.yaml", SCENARIO, 1);
    Load load = new Load(LoadShare.whole(scenario, scenario.databases().get(0)), RunClock.start());
    Limited servers = new Limited();
    try (SessionRecipes recipes =
        new SessionRecipes(
            load,
            scenario.requests().mix(),
            servers,
            List.of(MEMBER),
            new DatabaseDirectory(directory),
            said -> {})) {
      load.cancel(); // otherwise it tries for a minute

      assertThatThrownBy(() -> recipes.prepareStep(1))
          .isInstanceOf(QuorateException.class)
          .hasMessage("a session cannot be opened: too many; 1 of 3 were open");
    }
    assertThat(servers.open).hasValue(0);
  }

  /** Servers that accept one session. */
  private static final class Limited implements StoreClient, Locks {
    private final AtomicInteger open = new AtomicInteger();

    @Override
    public Connection open(DriverSettings settings) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Locks locks(List<DriverSettings> members, Duration ttl) {
      return this;
    }

    @Override
    public LockClient open(int home, SessionListener listener) {
      if (!open.compareAndSet(0, 1)) {
        throw new QuorateException("too many");
      }
      return new LockClient() {
        @Override
        public void acquire(byte[] lock, Completion completion) {}

        @Override
        public void release(Completion completion) {}

        @Override
        public int requests() {
          return 0;
        }

        @Override
        public void abandon() {}

        @Override
        public void close() {
          open.decrementAndGet();
        }
      };
    }

    @Override
    public void close() {}
  }
}
