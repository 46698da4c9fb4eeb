package io.quorate.store.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.cluster.Cluster;
import io.quorate.cluster.LocalCluster;
import io.quorate.cluster.RequiresDatabase;
import io.quorate.store.Completion;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.KeyValueDriver;
import io.quorate.store.KeyValueDriverContract;
import io.quorate.store.RecordedCompletion;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConsulClientTest {
  private static final String PROPERTY = "consul.client";

  private String before;

  @BeforeEach
  void keepTheProperty() {
    before = System.getProperty(PROPERTY);
  }

  @AfterEach
  void restoreTheProperty() {
    if (before == null) {
      System.clearProperty(PROPERTY);
    } else {
      System.setProperty(PROPERTY, before);
    }
  }

  @Test
  void a_client_that_there_is_not_is_refused_with_those_that_there_are() {
    System.setProperty(PROPERTY, "okhttp");
    assertThatThrownBy(() -> ConsulStore.STORE.open(settings(new Endpoint("127.0.0.1", 1))))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "consul.client 'okhttp': expected one of [http, library]; did you mean 'http'?");
  }

  @Test
  @RequiresDatabase("consul")
  void the_property_chooses_when_a_connection_is_opened(@TempDir Path directory) {
    try (Cluster cluster = LocalCluster.start(ConsulStore.STORE, 1, directory)) {
      Endpoint server = cluster.members().get(0).endpoint();
      System.clearProperty(PROPERTY);
      assertWritesThrough("consul-connection", server);
      System.setProperty(PROPERTY, "library");
      assertWritesThrough("consul-library", server);
      System.setProperty(PROPERTY, "http");
      assertWritesThrough("consul-connection", server);
    }
  }

  /** By the name of the thread on which a request ends. */
  private static void assertWritesThrough(String thread, Endpoint server) {
    try (KeyValueDriver driver = ConsulStore.STORE.open(settings(server))) {
      var ended = new ThreadOfCompletion();
      driver.create(KeyValueDriverContract.freshKey(), new byte[1], ended);
      assertThat(ended.outcome().outcome()).isEqualTo("written");
      assertThat(ended.thread()).startsWith(thread);
    }
  }

  private static DriverSettings settings(Endpoint server) {
    return new DriverSettings(server, Duration.ofSeconds(20), Duration.ofSeconds(10));
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
    public void written() {
      thread = Thread.currentThread().getName();
      outcome.written();
    }

    @Override
    public void found(byte[] value) {
      outcome.found(value);
    }

    @Override
    public void missing() {
      outcome.missing();
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      outcome.failed(kind, message);
    }
  }
}
