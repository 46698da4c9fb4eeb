// SPDX-License-Identifier: Apache-2.0
package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.Connection;
import io.quorate.store.ConnectionContract;
import io.quorate.store.RecordedCompletion;
import io.quorate.store.Request;
import io.quorate.store.Store;
import io.quorate.store.StoreClient;
import io.quorate.store.TcpProxy;
import io.quorate.store.driver.FailoverClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of connections that move: two members are two ways to the same server. */
abstract class FailoverContract extends ConnectionContract {
  private TcpProxy one;
  private TcpProxy other;

  FailoverContract(Store database, boolean tellsCreateFromUpdate) {
    super(database, tellsCreateFromUpdate);
  }

  @BeforeEach
  void startMembers() throws IOException {
    one = new TcpProxy(endpoint());
    other = new TcpProxy(endpoint());
  }

  @AfterEach
  void stopMembers() throws IOException {
    one.close();
    other.close();
  }

  @Override
  protected StoreClient startClient() {
    return new FailoverClient(super.startClient(), List.of(one.endpoint(), other.endpoint()), 1);
  }

  @Test
  void a_connection_whose_member_ends_moves_to_the_other_one_and_stays_there() {
    Connection driver = open(one.endpoint(), Duration.ofSeconds(60));
    one.freeze();
    List<RecordedCompletion> inFlight = puts(driver, 50);

    one.cut();
    one.thaw();
    assertThat(inFlight).allMatch(request -> request.outcome().equals("failed:CONNECTION"));
    await("an answer of the other member", () -> answers(driver));
    one.mend();
    assertThat(answers(driver)).isTrue();
    await("no connection to the first member", () -> one.connections() == 0);
    assertThat(inFlight).allMatch(request -> request.timesTold() == 1);
  }

  @Test
  void a_connection_whose_member_does_not_answer_moves_when_a_request_is_late() {
    Connection driver = open(one.endpoint(), Duration.ofMillis(500));
    one.freeze();
    List<RecordedCompletion> inFlight = puts(driver, 50);

    assertThat(inFlight.get(0).outcome()).isEqualTo("failed:TIMEOUT");
    await("an answer of the other member", () -> answers(driver));
    assertThat(inFlight)
        .allMatch(
            request -> List.of("failed:TIMEOUT", "failed:CONNECTION").contains(request.outcome()));
    assertThat(inFlight).allMatch(request -> request.timesTold() == 1);
  }

  @Test
  void without_any_member_requests_fail_at_once_until_one_is_back() {
    Connection driver = open(one.endpoint(), Duration.ofSeconds(60));
    other.cut();
    one.cut();
    await("a request that fails", () -> !answers(driver));
    List<RecordedCompletion> without = puts(driver, 50);

    assertThat(without).allMatch(request -> request.outcome().equals("failed:CONNECTION"));
    assertThat(without).allMatch(request -> request.timesTold() == 1);
    assertThat(driver.eventLoop()).isPresent();
    one.mend();
    await("an answer again", () -> answers(driver));
  }

  @Test
  void a_connection_that_is_closed_while_it_moves_leaves_nothing() {
    Connection driver = open(one.endpoint(), Duration.ofSeconds(60));
    other.freeze(); // so that connecting to it takes its time
    one.cut();
    await("a request that fails", () -> !answers(driver));
    driver.close();
    other.thaw();

    assertThat(read(driver, freshKey())).isEqualTo("failed:CONNECTION");
    await("no connection to a member", () -> one.connections() + other.connections() == 0);
  }

  private static boolean answers(Connection driver) {
    return read(driver, freshKey()).equals("missing");
  }

  private static List<RecordedCompletion> puts(Connection driver, int count) {
    return Stream.generate(
            () -> started(done -> driver.submit(Request.create(freshKey(), utf8("v")), done)))
        .limit(count)
        .toList();
  }
}
