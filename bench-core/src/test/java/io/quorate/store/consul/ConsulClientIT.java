// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.cluster.SharedCluster;
import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.ClientKind;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.ConnectionContract;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ConsulClientIT {
  @Test
  void a_client_that_there_is_not_is_refused_with_those_that_there_are() {
    assertThatThrownBy(() -> ConsulStore.STORE.client("okhttp"))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "consul.client 'okhttp': expected one of [http, library]; did you mean 'http'?");
  }

  @Test
  @RequiresDatabase("consul")
  void each_client_writes_on_threads_of_its_own() {
    Endpoint server = SharedCluster.of(ConsulStore.STORE).members().get(0).endpoint();
    assertWritesThrough("consul-connection", ConsulStore.STORE.clients().get(0), server);
    assertWritesThrough("consul-library", ConsulStore.STORE.client("library"), server);
    assertWritesThrough("consul-connection", ConsulStore.STORE.client("http"), server);
  }

  /** By the name of the thread on which a request ends. */
  private static void assertWritesThrough(String thread, ClientKind kind, Endpoint server) {
    try (StoreClient client = kind.start();
        Connection driver = client.open(settings(server))) {
      var ended = new ThreadOfCompletion();
      driver.submit(Request.create(ConnectionContract.freshKey(), new byte[1]), ended);
      assertThat(ended.outcome().outcome()).isEqualTo("written");
      assertThat(ended.thread()).startsWith(thread);
    }
  }

  private static DriverSettings settings(Endpoint server) {
    return new DriverSettings(server, Duration.ofSeconds(60), Duration.ofSeconds(60), Access.PLAIN);
  }

  private static final class ThreadOfCompletion implements Completion {
    private final RecordedCompletion outcome = new RecordedCompletion();
    private volatile String thread = "";

    RecordedCompletion outcome() {
      return outcome;
    }

    String thread() {
      return thread;
    }

    @Override
    public void answered(Answer answer) {
      thread = Thread.currentThread().getName();
      outcome.answered(answer);
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      outcome.failed(kind, message);
    }
  }
}
