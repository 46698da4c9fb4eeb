// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.consul;

import static io.quorate.store.ConnectionContract.started;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quorate.store.Access;
import io.quorate.store.Answer;
import io.quorate.store.ClientKind;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ReadConsistency;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import io.quorate.store.ReturnedValue;
import io.quorate.store.StoreClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers that no Consul server gives, through our own HTTP and through the library. */
final class ConsulAnswerTest {
  private static final String VALUE =
      "[{\"CreateIndex\":1,\"ModifyIndex\":1,\"LockIndex\":0,\"Key\":\"key\",\"Flags\":0,\"Value\":%s}]";

  private static final String TXN = "{\"Results\":[%s],\"Errors\":null}";
  private static final String RESULT =
      "{\"KV\":{\"LockIndex\":0,\"Key\":\"key\",\"Flags\":0,\"Value\":null,\"CreateIndex\":8,\"ModifyIndex\":9}}";

  private volatile String answer = "";
  private HttpServer server;

  static List<ClientKind> kinds() {
    return ConsulStore.STORE.clients();
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/status/leader", exchange -> say(exchange, "\"127.0.0.1:8300\""));
    server.createContext("/v1/kv/", exchange -> say(exchange, answer));
    server.createContext("/v1/txn", exchange -> say(exchange, answer));
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void what_is_no_value_is_corrupt_or_malformed_and_the_connection_goes_on(ClientKind kind) {
    try (StoreClient client = kind.start();
        Connection driver = open(client)) {
      assertThat(read(driver, VALUE.formatted("\"b25l\"")).outcome()).isEqualTo("found:one");
      RecordedCompletion altered = read(driver, VALUE.formatted("\"b2!l\""));
      assertThat(altered.outcome()).isEqualTo("failed:CORRUPT");
      assertThat(altered.message()).isEqualTo("the value that was read is not Base64");
      assertThat(read(driver, VALUE.formatted("null")).outcome()).isEqualTo("found:");
      assertThat(read(driver, "[{\"Key\":\"key\",\"Val").outcome()).isEqualTo("failed:OTHER");
      assertThat(read(driver, "<html>").outcome()).isEqualTo("failed:OTHER");
      assertThat(read(driver, VALUE.formatted("\"b25l\"")).outcome()).isEqualTo("found:one");
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void only_true_acknowledges_a_write(ClientKind kind) {
    try (StoreClient client = kind.start();
        Connection driver = open(client)) {
      assertThat(write(driver, "true").outcome()).isEqualTo("written");
      assertThat(write(driver, "false").outcome()).isEqualTo("failed:REJECTED");
      assertThat(write(driver, "null").outcome()).isEqualTo("failed:OTHER");
      assertThat(write(driver, "maybe").outcome()).isEqualTo("failed:OTHER");
      assertThat(write(driver, "tru").outcome()).isEqualTo("failed:OTHER");
      assertThat(write(driver, "true").outcome()).isEqualTo("written");
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void false_is_the_conflict_of_a_compare_and_set(ClientKind kind) {
    try (StoreClient client = kind.start();
        Connection driver = open(client)) {
      var request = new Request.CompareAndSet("key".getBytes(UTF_8), new byte[0], 7);
      assertThat(outcome(driver, request, "true")).isEqualTo("written");
      assertThat(outcome(driver, request, "false")).isEqualTo("conflict");
      assertThat(outcome(driver, request, "maybe")).isEqualTo("failed:OTHER");
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void a_range_that_is_no_list_of_keys_is_malformed(ClientKind kind) {
    try (StoreClient client = kind.start();
        Connection driver = open(client)) {
      var request =
          new Request.Range(
              "key".getBytes(UTF_8), 0, ReturnedValue.ENTRIES, ReadConsistency.LINEARIZABLE);
      assertThat(outcome(driver, request, VALUE.formatted("\"b25l\""))).isEqualTo("entries:1");
      assertThat(outcome(driver, request, "[]")).isEqualTo("entries:0");
      assertThat(outcome(driver, request, VALUE.formatted("\"b2!l\""))).isEqualTo("failed:CORRUPT");
      assertThat(outcome(driver, request, "[{\"Key\":\"key\",\"Val")).isEqualTo("failed:OTHER");
      assertThat(outcome(driver, request, "{}")).isEqualTo("failed:OTHER");
      assertThat(outcome(driver, request, "<html>")).isEqualTo("failed:OTHER");
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void a_transaction_is_acknowledged_by_all_its_keys(ClientKind kind) {
    try (StoreClient client = kind.start();
        Connection driver = open(client)) {
      var request =
          new Request.Txn(List.of(Request.create("key".getBytes(UTF_8), "one".getBytes(UTF_8))));
      RecordedCompletion written = asked(driver, request, TXN.formatted(RESULT));
      assertThat(written.answer()).isEqualTo(new Answer.Written(9));
      assertThat(outcome(driver, request, TXN.formatted(RESULT + "," + RESULT)))
          .isEqualTo("failed:OTHER");
      assertThat(outcome(driver, request, TXN.formatted(""))).isEqualTo("failed:OTHER");
      assertThat(outcome(driver, request, TXN.formatted("7"))).isEqualTo("failed:OTHER");
      assertThat(outcome(driver, request, "{\"Results\":[{\"KV\":{\"Key"))
          .isEqualTo("failed:OTHER");
      assertThat(outcome(driver, request, "[]")).isEqualTo("failed:OTHER");
      assertThat(outcome(driver, request, TXN.formatted(RESULT))).isEqualTo("written");
    }
  }

  private String outcome(Connection driver, Request request, String said) {
    return asked(driver, request, said).outcome();
  }

  private RecordedCompletion asked(Connection driver, Request request, String said) {
    answer = said;
    RecordedCompletion asked = started(done -> driver.submit(request, done));
    asked.outcome();
    return asked;
  }

  private Connection open(StoreClient client) {
    return client.open(
        new DriverSettings(
            new Endpoint("127.0.0.1", server.getAddress().getPort()),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Access.PLAIN));
  }

  private RecordedCompletion read(Connection driver, String said) {
    answer = said;
    RecordedCompletion read =
        started(
            done ->
                driver.submit(
                    new Request.Get("key".getBytes(UTF_8), ReadConsistency.DEFAULT), done));
    read.outcome();
    return read;
  }

  private RecordedCompletion write(Connection driver, String said) {
    answer = said;
    RecordedCompletion write =
        started(
            done ->
                driver.submit(Request.create("key".getBytes(UTF_8), "one".getBytes(UTF_8)), done));
    write.outcome();
    return write;
  }

  private static void say(HttpExchange exchange, String text) throws IOException {
    exchange.getRequestBody().readAllBytes();
    byte[] body = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
