// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of drivers of servers when the network or the server fails. */
public abstract class NetworkedConnectionContract extends ConnectionContract {
  public NetworkedConnectionContract(Store database, boolean tellsCreateFromUpdate) {
    super(database, tellsCreateFromUpdate);
  }

  @Test
  void without_an_answer_a_request_ends_at_its_deadline_and_only_once() throws IOException {
    try (var proxy = new TcpProxy(endpoint())) {
      Connection driver = open(proxy.endpoint(), Duration.ofMillis(500));
      List<byte[]> keys = IntStream.range(0, 100).mapToObj(index -> freshKey()).toList();

      proxy.freeze();
      long start = System.nanoTime();
      List<RecordedCompletion> requests =
          keys.stream()
              .map(key -> started(done -> driver.submit(Request.create(key, utf8("v")), done)))
              .toList();
      requests.forEach(NetworkedConnectionContract::endsAtItsDeadline);
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(500_000_000L);
      assertThat(requests.get(0).message()).isNotBlank().doesNotContain("\n");

      proxy.thaw();
      await("an answer again", () -> read(driver, freshKey()).equals("missing"));
      assertThat(requests).allMatch(request -> request.timesTold() == 1);
    }
  }

  @Test
  void requests_behind_a_late_one_end_at_their_own_deadlines() throws Exception {
    try (var proxy = new TcpProxy(endpoint())) {
      Connection driver = open(proxy.endpoint(), Duration.ofMillis(500));

      proxy.freeze();
      List<RecordedCompletion> requests = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        requests.add(started(done -> driver.submit(Request.create(freshKey(), utf8("v")), done)));
        Thread.sleep(100);
      }
      requests.forEach(NetworkedConnectionContract::endsAtItsDeadline);
    }
  }

  @Test
  void a_range_a_compare_and_set_and_a_transaction_end_at_their_deadline_too() throws IOException {
    try (var proxy = new TcpProxy(endpoint())) {
      Connection driver = open(proxy.endpoint(), Duration.ofMillis(500));

      proxy.freeze();
      List<RecordedCompletion> requests =
          OperationContract.everyOtherRequest().stream()
              .filter(request -> database.capabilities().can(request.operation()))
              .map(request -> started(done -> driver.submit(request, done)))
              .toList();
      requests.forEach(NetworkedConnectionContract::endsAtItsDeadline);

      proxy.thaw();
      await("an answer again", () -> read(driver, freshKey()).equals("missing"));
      assertThat(requests).allMatch(request -> request.timesTold() == 1);
    }
  }

  @Test
  void a_cut_connection_fails_with_CONNECTION_and_comes_back() throws IOException {
    try (var proxy = new TcpProxy(endpoint())) {
      Connection driver = open(proxy.endpoint(), LONG);

      proxy.freeze();
      RecordedCompletion underWay =
          started(done -> driver.submit(Request.create(freshKey(), utf8("v")), done));
      proxy.cut();
      assertThat(underWay.outcome()).as(underWay.message()).isEqualTo("failed:CONNECTION");
      assertThat(underWay.message()).isNotBlank().doesNotContain("\n");
      assertThat(read(driver, freshKey())).isEqualTo("failed:CONNECTION");

      proxy.thaw();
      proxy.mend();
      await("a connection again", () -> read(driver, freshKey()).equals("missing"));
      assertThat(underWay.timesTold()).isEqualTo(1);
    }
  }

  @Test
  void a_watch_that_was_cut_goes_on_and_what_is_written_meanwhile_is_told_as_far_as_it_can_be()
      throws IOException {
    if (database.watches().ofKey() == WatchSupport.Delivery.NONE) {
      return;
    }
    try (var proxy = new TcpProxy(endpoint())) {
      Connection writer = open();
      byte[] key = freshKey();
      WatchContract.write(writer, Request.create(key, utf8("before")));
      RecordedWatch watcher = WatchContract.watching(stream(proxy.endpoint()), Watch.ofKey(key));

      proxy.cut();
      await("the cut", () -> watcher.timesInterrupted() > 0);
      for (String value : List.of("one", "two", "three")) {
        WatchContract.write(writer, Request.update(key, utf8(value)));
      }
      proxy.mend();
      await("the last value", () -> watcher.values().contains("three"));
      if (database.watches().ofKey() == WatchSupport.Delivery.EVERY_CHANGE) {
        assertThat(watcher.values()).containsExactly("one", "two", "three");
      }

      WatchContract.write(writer, Request.update(key, utf8("four")));
      await("a change after that", () -> watcher.values().contains("four"));
      assertThat(watcher.values()).doesNotHaveDuplicates();
      assertThat(watcher.timesStarted()).isEqualTo(1);
    }
  }

  @Test
  void closing_ends_what_is_under_way_with_CONNECTION() throws IOException {
    try (var proxy = new TcpProxy(endpoint())) {
      Connection driver = open(proxy.endpoint(), LONG);

      proxy.freeze();
      List<RecordedCompletion> requests =
          IntStream.range(0, 100)
              .mapToObj(
                  index ->
                      started(done -> driver.submit(Request.create(freshKey(), utf8("v")), done)))
              .toList();
      driver.close();

      assertThat(requests).allMatch(request -> request.outcome().equals("failed:CONNECTION"));
      assertThat(requests).allMatch(request -> request.timesTold() == 1);
    }
  }

  /** A first TLS handshake, or a busy machine, may need longer than a request may take. */
  @Test
  void opening_waits_longer_than_a_request_may_take() throws IOException {
    try (var proxy = new TcpProxy(endpoint())) {
      proxy.freeze();
      CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS).execute(proxy::thaw);

      Connection driver = open(proxy.endpoint(), Duration.ofMillis(1));

      assertThat(driver).isNotNull();
    }
  }

  @Test
  void opening_where_nobody_listens_fails_within_the_connect_timeout_and_names_the_endpoint()
      throws IOException {
    try (var silent = new SilentPort()) {
      assertOpeningFails(silent.endpoint());
    }
  }

  @Test
  void opening_where_nobody_answers_fails_within_the_connect_timeout_and_names_the_endpoint()
      throws IOException {
    try (var proxy = new TcpProxy(endpoint())) {
      proxy.freeze();
      assertOpeningFails(proxy.endpoint());
    }
  }

  /** Not after the timeout of requests, which is far beyond the limit of a test. */
  private void assertOpeningFails(Endpoint endpoint) {
    var settings =
        new DriverSettings(endpoint, Duration.ofHours(1), Duration.ofSeconds(1), access());
    assertThatThrownBy(() -> connect(settings))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(database.id() + " at " + endpoint);
  }

  private static void endsAtItsDeadline(RecordedCompletion request) {
    assertThat(request.outcome()).as(request.message()).isEqualTo("failed:TIMEOUT");
  }
}
