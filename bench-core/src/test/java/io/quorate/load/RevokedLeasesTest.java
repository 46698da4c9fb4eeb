// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.measure.RunClock;
import io.quorate.scenario.LoadShare;
import io.quorate.scenario.Scenario;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The leases that a load made before its requests, at its end. */
class RevokedLeasesTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Endpoint GONE = new Endpoint("127.0.0.1", 1);
  private static final Endpoint MEMBER = new Endpoint("127.0.0.1", 2);

  private final Granting client = new Granting();

  @Test
  void are_revoked_at_the_first_member_that_answers() {
    Load load = prepared("operation: lease-keepalive", GONE, MEMBER);
    load.revokeLeases(LIMIT);

    assertThat(client.revoked).containsExactlyInAnyOrder("1", "2", "3");
    assertThat(load.isCancelled()).isTrue();
  }

  @Test
  void are_kept_if_no_member_answers_with_the_reason() {
    Load load = prepared("operation: lease-keepalive", GONE);
    assertThatThrownBy(() -> load.revokeLeases(LIMIT)).hasMessage("gone");
  }

  @Test
  void are_none_before_the_preparation_and_in_other_loads() {
    load("operation: lease-keepalive").revokeLeases(LIMIT);
    prepared("operation: lease-grant", MEMBER).revokeLeases(LIMIT);

    assertThat(client.revoked).isEmpty();
  }

  private Load prepared(String operation, Endpoint... members) {
    Load load = load(operation);
    load.connectTo(new Connector(client, List.of(members), LIMIT, Access.PLAIN));
    load.prepare();
    return load;
  }

  private static Load load(String operation) {
    String text =
        """
        title: Leases
        %s
        requests: 10
        warm-up: 0
        cold-start: true
        leases: {count: 3}
        load: {clients: 2}
        databases: [etcd]
        """
            .formatted(operation);
    Scenario scenario = ScenarioReader.read("leases.yaml", text, 1);
    return new Load(LoadShare.whole(scenario, scenario.databases().get(0)), RunClock.start());
  }

  /** Grants leases, which end at one member only. */
  private static final class Granting implements StoreClient {
    private final AtomicInteger granted = new AtomicInteger();
    private final List<String> revoked = new CopyOnWriteArrayList<>();

    @Override
    public Connection open(DriverSettings settings) {
      return new Connection() {
        @Override
        public void submit(Request request, Completion completion) {
          completion.answered(new Answer.Granted(Integer.toString(granted.incrementAndGet())));
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public void revoke(DriverSettings settings, List<String> leases) {
      if (settings.endpoint().equals(GONE)) {
        throw new QuorateException("gone");
      }
      revoked.addAll(leases);
    }

    @Override
    public void close() {}
  }
}
