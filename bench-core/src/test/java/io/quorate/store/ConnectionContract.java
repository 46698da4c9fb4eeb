// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.NightlyRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The contract of the connections of all drivers, held against a cluster of one member. A driver's
 * test is a subclass that says which store. Keys are fresh in every test.
 */
public abstract class ConnectionContract extends StoreContract {
  private static final Set<String> DRIVER_THREADS =
      Set.of(
          "grpc",
          "sendthread",
          "eventthread",
          "zookeeper-",
          "etcd-",
          "curator",
          "consul-",
          "cetcd-",
          "failover");

  private final boolean tellsCreateFromUpdate;

  /**
   * @param tellsCreateFromUpdate whether create of a key that is there is rejected, and update of
   *     one that is not is missing
   */
  public ConnectionContract(Store database, boolean tellsCreateFromUpdate) {
    super(database);
    this.tellsCreateFromUpdate = tellsCreateFromUpdate;
  }

  @Test
  void a_request_is_reported_as_sent_once_between_its_submission_and_its_outcome() {
    Connection driver = open();
    byte[] key = freshKey();

    long before = System.nanoTime();
    RecordedCompletion created =
        started(done -> driver.submit(Request.create(key, utf8("one")), done));

    assertThat(created.outcome()).isEqualTo("written");
    assertThat(created.timesSent()).isEqualTo(1);
    assertThat(created.sentNanos() - before).isNotNegative();
    assertThat(created.endNanos() - created.sentNanos()).isNotNegative();
  }

  @Test
  void a_request_that_the_event_loop_keeps_waiting_is_reported_as_sent_after_that()
      throws Exception {
    Connection driver = open();
    if (driver.eventLoop().isEmpty()) {
      return;
    }
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch freed = new CountDownLatch(1);
    driver
        .eventLoop()
        .get()
        .execute(
            () -> {
              busy.countDown();
              awaitQuietly(freed);
            });
    assertThat(busy.await(30, TimeUnit.SECONDS)).isTrue();

    RecordedCompletion created =
        started(done -> driver.submit(Request.create(freshKey(), utf8("one")), done));
    long freedNanos = System.nanoTime();
    freed.countDown();

    assertThat(created.outcome()).isEqualTo("written");
    assertThat(created.sentNanos() - freedNanos).isNotNegative();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void a_created_value_is_read_changed_and_removed() {
    Connection driver = open();
    byte[] key = freshKey();

    assertThat(ended(done -> driver.submit(Request.create(key, utf8("one")), done)))
        .isEqualTo("written");
    assertThat(read(driver, key)).isEqualTo("found:one");
    assertThat(ended(done -> driver.submit(Request.update(key, utf8("two")), done)))
        .isEqualTo("written");
    assertThat(read(driver, key)).isEqualTo("found:two");
    assertThat(ended(done -> driver.submit(new Request.Delete(key), done))).isEqualTo("written");
    assertThat(read(driver, key)).isEqualTo(readOfRemoved());
    await("a read without the key", () -> read(driver, key).equals("missing"));
  }

  @Test
  void an_empty_value_is_not_a_missing_one() {
    Connection driver = open();
    byte[] key = freshKey();

    assertThat(ended(done -> driver.submit(Request.create(key, new byte[0]), done)))
        .isEqualTo("written");
    assertThat(read(driver, key)).isEqualTo("found:");
  }

  @Test
  void a_value_of_500_kB_comes_back_whole() {
    Connection driver = open();
    byte[] key = freshKey();
    String value = "0123456789".repeat(50_000);

    assertThat(ended(done -> driver.submit(Request.create(key, utf8(value)), done)))
        .isEqualTo("written");
    assertThat(read(driver, key)).isEqualTo("found:" + value);
    // Consul tells a watcher of all keys all values at each change
    assertThat(ended(done -> driver.submit(new Request.Delete(key), done))).isEqualTo("written");
  }

  @Test
  void what_was_never_written_is_missing() {
    Connection driver = open();

    assertThat(read(driver, freshKey())).isEqualTo("missing");
    assertThat(
            ended(
                done ->
                    driver.submit(new Request.Get(freshKey(), ReadConsistency.SERIALIZABLE), done)))
        .isEqualTo("missing");
    assertThat(
            ended(
                done -> driver.submit(new Request.Get(freshKey(), ReadConsistency.DEFAULT), done)))
        .isEqualTo("missing");
    assertThat(ended(done -> driver.submit(new Request.Delete(freshKey()), done)))
        .isIn("missing", "written");
  }

  @Test
  void creating_twice_and_updating_nothing_are_told_by_a_store_that_can() {
    Connection driver = open();
    byte[] key = freshKey();
    boolean tells = tellsCreateFromUpdate;

    assertThat(ended(done -> driver.submit(Request.create(key, utf8("one")), done)))
        .isEqualTo("written");
    assertThat(ended(done -> driver.submit(Request.create(key, utf8("two")), done)))
        .isEqualTo(tells ? "failed:REJECTED" : "written");
    assertThat(read(driver, key)).isEqualTo(tells ? "found:one" : "found:two");
    assertThat(ended(done -> driver.submit(Request.update(freshKey(), utf8("two")), done)))
        .isEqualTo(tells ? "missing" : "written");
  }

  @Test
  void a_write_is_seen_by_a_linearizable_read_and_in_the_end_by_any_other() {
    Connection writer = open();
    Connection reader = open();
    byte[] key = freshKey();

    assertThat(ended(done -> writer.submit(Request.create(key, utf8("one")), done)))
        .isEqualTo("written");
    assertThat(read(reader, key)).isEqualTo("found:one");
    for (ReadConsistency consistency : ReadConsistency.values()) {
      await(
          consistency + " read that finds the value",
          () ->
              ended(done -> reader.submit(new Request.Get(key, consistency), done))
                  .equals("found:one"));
    }
  }

  @Test
  void a_thousand_requests_in_flight_on_one_connection_all_end_once() {
    Connection driver = open();
    List<RecordedCompletion> requests =
        IntStream.range(0, 1_000)
            .mapToObj(
                index ->
                    started(
                        done -> driver.submit(Request.create(freshKey(), utf8("v" + index)), done)))
            .toList();

    assertThat(requests).allMatch(request -> request.outcome().equals("written"));
    assertThat(requests).allMatch(request -> request.timesTold() == 1);
  }

  @Test
  void requests_may_come_from_several_threads() throws Exception {
    Connection driver = open();
    List<RecordedCompletion> requests = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int index = 0; index < 400; index++) {
      requests.add(new RecordedCompletion());
    }
    for (int slot = 0; slot < 4; slot++) {
      List<RecordedCompletion> own = requests.subList(slot * 100, slot * 100 + 100);
      threads.add(
          new Thread(
              () ->
                  own.forEach(done -> driver.submit(Request.create(freshKey(), utf8("v")), done))));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(requests).allMatch(request -> request.outcome().equals("written"));
    assertThat(requests).allMatch(request -> request.timesTold() == 1);
  }

  /** Many threads, so that the deadline of one that had to pause comes while it is sending. */
  @Test
  void a_deadline_that_comes_while_requests_are_being_sent_ends_each_once_and_nothing_is_thrown()
      throws Exception {
    Connection driver = open(endpoint(), Duration.ofMillis(1));
    byte[] key = freshKey();
    int ofEach = NightlyRun.isOn() ? 2_000 : 300;
    List<RecordedCompletion> requests =
        Stream.generate(RecordedCompletion::new).limit(10L * ofEach).toList();
    var thrown = new ConcurrentLinkedQueue<RuntimeException>();
    List<Thread> threads =
        IntStream.range(0, 10)
            .mapToObj(
                slot ->
                    new Thread(
                        () ->
                            requests.subList(slot * ofEach, (slot + 1) * ofEach).stream()
                                .forEach(done -> stale(driver, key, done, thrown))))
            .toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(thrown).isEmpty();
    Set<String> expected = Set.of("missing", "failed:TIMEOUT", "failed:CONNECTION");
    assertThat(
            requests.stream()
                .filter(done -> !expected.contains(done.outcome()))
                .map(done -> done.outcome() + ": " + done.message())
                .distinct())
        .isEmpty();
    driver.close();
    assertThat(requests).allMatch(request -> request.timesTold() == 1);
  }

  private static void stale(
      Connection driver, byte[] key, Completion done, Queue<RuntimeException> thrown) {
    try {
      driver.submit(new Request.Get(key, ReadConsistency.SERIALIZABLE), done);
    } catch (RuntimeException broken) {
      thrown.add(broken);
    }
  }

  @Test
  void after_close_requests_fail_with_CONNECTION_and_closing_again_does_nothing() {
    Connection driver = open();
    driver.close();
    driver.close();

    assertThat(read(driver, freshKey())).isEqualTo("failed:CONNECTION");
    assertThat(ended(done -> driver.submit(Request.create(freshKey(), utf8("v")), done)))
        .isEqualTo("failed:CONNECTION");
    assertThat(ended(done -> driver.submit(Request.update(freshKey(), utf8("v")), done)))
        .isEqualTo("failed:CONNECTION");
    assertThat(ended(done -> driver.submit(new Request.Delete(freshKey()), done)))
        .isEqualTo("failed:CONNECTION");
  }

  @Test
  void no_thread_is_left_when_all_are_closed() {
    for (int index = 0; index < 3; index++) {
      open();
    }
    closeAll();

    List<String> before = driverThreads();
    await("no thread of a driver, such as " + before, () -> driverThreads().isEmpty());
  }

  /** Returns the first answer to reading a key after its removal. */
  protected String readOfRemoved() {
    return "missing";
  }

  static List<String> driverThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(thread -> thread.getName().toLowerCase(Locale.ROOT))
        .filter(name -> DRIVER_THREADS.stream().anyMatch(name::contains))
        .toList();
  }
}
