// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.load.Connector;
import io.quorate.load.workload.KeyRemoval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds every driver to the operations that its store can do, and to refusing the others. A test of
 * an operation that a store cannot do returns at once: its refusal has a separate test.
 */
public abstract class OperationContract extends RangeContract {
  private static final int PUTS = 64;
  private static final int MORE_THAN_A_PAGE = 1_100;

  private final boolean tellsCreateFromUpdate;

  /**
   * @param tellsCreateFromUpdate as in {@link ConnectionContract}
   */
  public OperationContract(Store database, boolean tellsCreateFromUpdate) {
    super(database);
    this.tellsCreateFromUpdate = tellsCreateFromUpdate;
  }

  @Test
  void a_run_removes_all_keys_of_its_prefix_and_no_others() {
    Connection before = open();
    byte[] other = freshKey();
    assertThat(outcome(before, Request.create(other, utf8("mine")))).isEqualTo("written");
    String prefix = "quorate/" + new String(freshKey(), UTF_8) + "/";
    LongFunction<byte[]> key = number -> utf8(prefix + number);
    Connector connector = new Connector(client(), List.of(endpoint()), LONG, access());
    KeyRemoval.enter(connector, database.capabilities().range(), prefix);
    Connection run = open();
    List<RecordedCompletion> writes =
        IntStream.range(0, MORE_THAN_A_PAGE)
            .mapToObj(
                number -> {
                  Request create = Request.create(key.apply(number), utf8("value"));
                  return started(done -> run.submit(create, done));
                })
            .toList();
    writes.forEach(each -> assertThat(each.outcome()).as(each.message()).isEqualTo("written"));

    new KeyRemoval(prefix, List.of(new KeyRemoval.Keys(MORE_THAN_A_PAGE, key)), 2)
        .run(connector, database.capabilities(), removed -> {});

    Connection after = open();
    for (int number : new int[] {0, 1, MORE_THAN_A_PAGE / 2, MORE_THAN_A_PAGE - 1}) {
      // cetcd closes the connection at the first read of a removed key
      await("removed " + number, () -> read(after, key.apply(number)).equals("missing"));
    }
    assertThat(read(after, other)).isEqualTo("found:mine");
  }

  @Test
  void a_key_may_have_any_printable_character() {
    Connection driver = open();
    byte[] key = utf8(new String(freshKey(), UTF_8) + " a?b#c%d%20e&f=g+h;i\"j<k>{l}|m^n`o~");

    assertThat(read(driver, key)).isEqualTo("missing");
    assertThat(outcome(driver, Request.create(key, utf8("one")))).isEqualTo("written");
    assertThat(outcome(driver, Request.update(key, utf8("two")))).isEqualTo("written");
    assertThat(read(driver, key)).isEqualTo("found:two");
    assertThat(outcome(driver, new Request.Delete(key))).isEqualTo("written");
    if (!database.id().equals("cetcd")) { // it closes the connection that reads a removed key
      assertThat(read(driver, key)).isEqualTo("missing");
    }
  }

  @Test
  void a_key_exists_until_it_is_removed_and_a_longer_key_is_another() {
    if (!database.capabilities().can(Operation.EXISTS)) {
      return;
    }
    Connection driver = open();
    byte[] key = freshKey();
    byte[] longer = utf8(text(key) + "1");

    assertThat(outcome(driver, Request.create(longer, utf8("one")))).isEqualTo("written");
    for (ReadConsistency consistency : ReadConsistency.values()) {
      assertThat(answer(driver, new Request.Exists(longer, consistency))).isEqualTo(Answer.EXISTS);
      assertThat(answer(driver, new Request.Exists(key, consistency))).isEqualTo(Answer.MISSING);
    }
    assertThat(outcome(driver, Request.create(key, new byte[0]))).isEqualTo("written");
    var latest = new Request.Exists(key, ReadConsistency.LINEARIZABLE);
    assertThat(answer(driver, latest)).isEqualTo(Answer.EXISTS);
    assertThat(outcome(driver, new Request.Delete(key))).isEqualTo("written");
    assertThat(answer(driver, latest)).isEqualTo(Answer.MISSING);
  }

  @Test
  void each_write_gives_a_key_another_revision_and_a_read_says_the_last_one() {
    if (!database.capabilities().can(Operation.COMPARE_AND_SET)) {
      return;
    }
    Connection driver = open();
    byte[] key = freshKey();

    long created = revisionWritten(driver, Request.create(key, utf8("one")));
    long first = revisionOf(driver, key);
    long updated = revisionWritten(driver, Request.update(key, utf8("two")));
    long second = revisionOf(driver, key);

    assertThat(first).isNotNegative();
    assertThat(second).isGreaterThan(first);
    assertThat(created).isIn(first, Answer.NO_REVISION);
    assertThat(updated).isIn(second, Answer.NO_REVISION);
  }

  @Test
  void compare_and_set_writes_a_key_with_the_revision_that_was_read_and_no_other() {
    if (!database.capabilities().can(Operation.COMPARE_AND_SET)) {
      return;
    }
    Connection driver = open();
    byte[] key = freshKey();
    assertThat(outcome(driver, Request.create(key, utf8("one")))).isEqualTo("written");
    long old = revisionOf(driver, key);

    assertThat(outcome(driver, new Request.CompareAndSet(key, utf8("two"), old)))
        .isEqualTo("written");
    assertThat(read(driver, key)).isEqualTo("found:two");
    assertThat(outcome(driver, new Request.CompareAndSet(key, utf8("three"), old)))
        .isEqualTo("conflict");
    assertThat(read(driver, key)).isEqualTo("found:two");
    long revision = revisionOf(driver, key);
    assertThat(outcome(driver, new Request.CompareAndSet(key, new byte[0], revision)))
        .isEqualTo("written");
    assertThat(read(driver, key)).isEqualTo("found:");
  }

  @Test
  void compare_and_set_of_a_key_that_is_not_there_writes_nothing() {
    if (!database.capabilities().can(Operation.COMPARE_AND_SET)) {
      return;
    }
    Connection driver = open();
    byte[] key = freshKey();

    assertThat(outcome(driver, new Request.CompareAndSet(key, utf8("one"), 7)))
        .isEqualTo(tellsCreateFromUpdate ? "missing" : "conflict");
    assertThat(read(driver, key)).isEqualTo("missing");
  }

  @Test
  void of_many_that_compare_with_one_revision_only_one_writes() {
    if (!database.capabilities().can(Operation.COMPARE_AND_SET)) {
      return;
    }
    List<Connection> drivers = List.of(open(), open());
    byte[] key = freshKey();
    assertThat(outcome(drivers.get(0), Request.create(key, utf8("one")))).isEqualTo("written");
    long revision = revisionOf(drivers.get(0), key);

    List<RecordedCompletion> writes =
        IntStream.range(0, 50)
            .mapToObj(
                index -> {
                  var request = new Request.CompareAndSet(key, utf8("v" + index), revision);
                  return started(done -> drivers.get(index % 2).submit(request, done));
                })
            .toList();

    List<String> outcomes = writes.stream().map(RecordedCompletion::outcome).toList();
    assertThat(outcomes).containsOnlyOnce("written");
    assertThat(Collections.frequency(outcomes, "conflict")).isEqualTo(49);
    assertThat(read(drivers.get(0), key)).isEqualTo("found:v" + outcomes.indexOf("written"));
  }

  @Test
  void an_optimistic_create_writes_a_key_that_does_not_exist_and_no_other() {
    if (!database.capabilities().can(Operation.OPTIMISTIC_CREATE)) {
      return;
    }
    Connection driver = open();
    byte[] key = freshKey();

    long created = ((Answer.Written) answer(driver, optimistic(key, "one", 0))).revision();
    assertThat(revisionOf(driver, key)).isEqualTo(created);
    assertThat(answer(driver, optimistic(key, "two", 0))).isEqualTo(Answer.CONFLICT);
    assertThat(read(driver, key)).isEqualTo("found:one");
  }

  @Test
  void an_optimistic_update_writes_or_returns_the_current_value() {
    if (!database.capabilities().can(Operation.OPTIMISTIC_UPDATE)) {
      return;
    }
    Connection driver = open();
    byte[] key = freshKey();
    assertThat(outcome(driver, Request.create(key, utf8("one")))).isEqualTo("written");
    long old = revisionOf(driver, key);

    long updated = ((Answer.Written) answer(driver, optimistic(key, "two", old))).revision();
    assertThat(revisionOf(driver, key)).isEqualTo(updated).isGreaterThan(old);
    assertThatIsCurrent(answer(driver, optimistic(key, "three", old)), "two", updated);
    assertThat(read(driver, key)).isEqualTo("found:two");
    assertThat(answer(driver, optimistic(freshKey(), "one", old))).isEqualTo(Answer.MISSING);
  }

  @Test
  void an_optimistic_delete_removes_or_returns_the_current_value() {
    if (!database.capabilities().can(Operation.OPTIMISTIC_DELETE)) {
      return;
    }
    Connection driver = open();
    byte[] key = freshKey();
    assertThat(outcome(driver, Request.create(key, utf8("one")))).isEqualTo("written");
    long old = revisionOf(driver, key);
    assertThat(outcome(driver, Request.update(key, utf8("two")))).isEqualTo("written");
    long current = revisionOf(driver, key);

    Answer refused = answer(driver, new Request.OptimisticDelete(key, old));
    assertThatIsCurrent(refused, "two", current);
    assertThat(read(driver, key)).isEqualTo("found:two");
    assertThat(outcome(driver, new Request.OptimisticDelete(key, current))).isEqualTo("written");
    assertThat(read(driver, key)).isEqualTo("missing");
    assertThat(answer(driver, new Request.OptimisticDelete(key, current)))
        .isEqualTo(Answer.MISSING);
  }

  @Test
  void an_optimistic_create_attaches_its_key_to_a_lease() {
    if (!database.capabilities().can(Operation.OPTIMISTIC_CREATE)
        || !database.capabilities().can(Operation.LEASE_GRANT)) {
      return;
    }
    Connection driver = open();
    byte[] key = freshKey();
    String lease = ((Answer.Granted) answer(driver, new Request.GrantLease(60))).lease();
    char last = lease.charAt(lease.length() - 1);
    String unknown = lease.substring(0, lease.length() - 1) + (last == '1' ? '2' : '1');

    assertThat(
            outcome(driver, new Request.OptimisticPut(key, utf8("one"), 0, Optional.of(unknown))))
        .isNotEqualTo("written");
    assertThat(read(driver, key)).isEqualTo("missing");
    assertThat(outcome(driver, new Request.OptimisticPut(key, utf8("one"), 0, Optional.of(lease))))
        .isEqualTo("written");
    assertThat(read(driver, key)).isEqualTo("found:one");
  }

  @Test
  void a_key_ends_with_its_last_lease() {
    if (!isDefaultClient() || database.capabilities().expiry() != Capabilities.Expiry.LEASE) {
      return;
    }
    Connection driver = open();
    byte[] key = freshKey();
    String first = ((Answer.Granted) answer(driver, new Request.GrantLease(60))).lease();
    String second = ((Answer.Granted) answer(driver, new Request.GrantLease(60))).lease();
    DriverSettings settings = new DriverSettings(endpoint(), LONG, LONG, access());

    assertThat(outcome(driver, new Request.LeasedPut(key, utf8("one"), first, true)))
        .isEqualTo("written");
    assertThat(outcome(driver, new Request.LeasedPut(key, utf8("two"), second, false)))
        .isEqualTo("written");
    client().revoke(settings, List.of(first));
    assertThat(read(driver, key)).isEqualTo("found:two");
    client().revoke(settings, List.of(second));
    await("the end of the key", () -> read(driver, key).equals("missing"));
    assertThat(outcome(driver, new Request.LeasedPut(key, utf8("three"), second, true)))
        .isNotEqualTo("written");
  }

  @Test
  void a_key_with_a_TTL_is_created_once_and_updated_as_others() {
    if (!isDefaultClient() || database.capabilities().expiry() != Capabilities.Expiry.TTL) {
      return;
    }
    Connection driver = open();
    byte[] key = freshKey();
    Request create = new Request.CreateWithTtl(key, utf8("one"), Duration.ofSeconds(60));

    assertThat(outcome(driver, create)).isEqualTo("written");
    assertThat(read(driver, key)).isEqualTo("found:one");
    assertThat(outcome(driver, create)).isEqualTo("failed:REJECTED");
    assertThat(outcome(driver, Request.update(key, utf8("two")))).isEqualTo("written");
    assertThat(read(driver, key)).isEqualTo("found:two");
  }

  private boolean isDefaultClient() {
    try (StoreClient standard = database.clients().get(0).start()) {
      return client().getClass() == standard.getClass();
    }
  }

  private static Request optimistic(byte[] key, String value, long revision) {
    return new Request.OptimisticPut(key, utf8(value), revision, Optional.empty());
  }

  @Test
  void a_read_of_the_revision_returns_one_between_two_writes_and_no_key() {
    if (!database.capabilities().can(Operation.REVISION)) {
      return;
    }
    Connection driver = open();
    byte[] key = freshKey();
    for (ReadConsistency consistency :
        List.of(ReadConsistency.LINEARIZABLE, ReadConsistency.DEFAULT)) {
      long before = revisionWritten(driver, Request.update(key, utf8("one")));
      Answer.Entries read =
          (Answer.Entries) answer(driver, new Request.Revision(freshKey(), consistency));
      long after = revisionWritten(driver, Request.update(key, utf8("two")));
      assertThat(read.revision()).isBetween(before, after - 1);
      assertThat(read.count()).isZero();
    }
  }

  private static void assertThatIsCurrent(Answer answer, String value, long revision) {
    assertThat(answer).isInstanceOf(Answer.Conflict.class);
    Answer.Found current = ((Answer.Conflict) answer).current().orElseThrow();
    assertThat(text(current.value())).isEqualTo(value);
    assertThat(current.revision()).isEqualTo(revision);
  }

  @Test
  void a_compaction_forgets_the_history_and_no_key() {
    if (!database.capabilities().can(Operation.COMPACT)) {
      return;
    }
    Connection driver = open();
    byte[] key = freshKey();
    long first = revisionWritten(driver, Request.create(key, utf8("one")));
    long second = revisionWritten(driver, Request.update(key, utf8("two")));
    var before =
        new Request.Range(
            key, new byte[0], 0, ReturnedValue.ENTRIES, first, ReadConsistency.DEFAULT, false);
    assertThat(text(((Answer.Entries) answer(driver, before)).entries().get(0).value()))
        .isEqualTo("one");

    assertThat(outcome(driver, new Request.Compact(second))).isEqualTo("written");
    assertThat(outcome(driver, before)).isEqualTo("failed:REJECTED");
    assertThat(read(driver, key)).isEqualTo("found:two");
    assertThat(outcome(driver, new Request.Compact(first))).isEqualTo("written");
    assertThat(outcome(driver, new Request.Compact(second + 1_000_000)))
        .isEqualTo("failed:REJECTED");
  }

  @Test
  void a_lease_is_made_and_kept_alive() {
    if (!database.capabilities().can(Operation.LEASE_KEEPALIVE)) {
      return;
    }
    List<Connection> drivers = List.of(open(), open());
    String lease = ((Answer.Granted) answer(drivers.get(0), new Request.GrantLease(60))).lease();
    String other = ((Answer.Granted) answer(drivers.get(0), new Request.GrantLease(60))).lease();

    assertThat(other).isNotEqualTo(lease);
    for (Connection driver : drivers) {
      assertThat(answer(driver, new Request.KeepAlive(lease))).isEqualTo(Answer.RENEWED);
    }
  }

  @Test
  void revoked_leases_end_and_those_that_have_ended_are_left_out() {
    if (!database.capabilities().can(Operation.LEASE_KEEPALIVE)) {
      return;
    }
    Connection driver = open();
    String first = ((Answer.Granted) answer(driver, new Request.GrantLease(60))).lease();
    String second = ((Answer.Granted) answer(driver, new Request.GrantLease(60))).lease();
    DriverSettings settings = new DriverSettings(endpoint(), LONG, LONG, access());

    client().revoke(settings, List.of(first));
    client().revoke(settings, List.of(first, second));

    assertThat(answer(driver, new Request.KeepAlive(first))).isEqualTo(Answer.MISSING);
    assertThat(answer(driver, new Request.KeepAlive(second))).isEqualTo(Answer.MISSING);
  }

  @Test
  void a_lease_that_is_not_there_is_missing() {
    if (!database.capabilities().can(Operation.LEASE_KEEPALIVE)) {
      return;
    }
    Connection driver = open();
    String lease = ((Answer.Granted) answer(driver, new Request.GrantLease(60))).lease();
    char last = lease.charAt(lease.length() - 1);
    String unknown = lease.substring(0, lease.length() - 1) + (last == '1' ? '2' : '1');
    assertThat(outcome(driver, new Request.KeepAlive(unknown))).isEqualTo("missing");
  }

  @Test
  void a_transaction_of_64_puts_writes_them_all() {
    if (database.capabilities().mostPutsOfTxn() < PUTS) {
      return;
    }
    Connection driver = open();
    List<byte[]> keys = freshKeys(PUTS);

    assertThat(outcome(driver, txn(keys, key -> Request.create(key, utf8("{\"one\"}")))))
        .isEqualTo("written");
    assertThat(keys).allMatch(key -> read(driver, key).equals("found:{\"one\"}"));
    assertThat(outcome(driver, txn(keys, key -> Request.update(key, new byte[0]))))
        .isEqualTo("written");
    assertThat(keys).allMatch(key -> read(driver, key).equals("found:"));
  }

  @Test
  void a_transaction_of_which_one_put_fails_writes_nothing() {
    if (!database.capabilities().can(Operation.TXN)) {
      return;
    }
    if (!tellsCreateFromUpdate) {
      return;
    }
    Connection driver = open();
    List<byte[]> keys = freshKeys(3);
    assertThat(outcome(driver, Request.create(keys.get(2), utf8("one")))).isEqualTo("written");

    assertThat(outcome(driver, txn(keys, key -> Request.create(key, utf8("two")))))
        .isEqualTo("failed:REJECTED");
    assertThat(keys)
        .map(key -> read(driver, key))
        .containsExactly("missing", "missing", "found:one");
    Collections.reverse(keys);
    assertThat(outcome(driver, txn(keys, key -> Request.update(key, utf8("two")))))
        .isEqualTo("missing");
    assertThat(keys)
        .map(key -> read(driver, key))
        .containsExactly("found:one", "missing", "missing");
  }

  @Test
  void a_transaction_removes_keys_with_its_puts_or_changes_nothing() {
    if (!database.capabilities().can(Operation.TXN)) {
      return;
    }
    Connection driver = open();
    List<byte[]> keys = freshKeys(3);
    assertThat(outcome(driver, Request.create(keys.get(1), utf8("one")))).isEqualTo("written");
    var txn =
        new Request.Txn(
            List.of(Request.create(keys.get(0), utf8("two"))), List.of(keys.get(1)), List.of());

    assertThat(outcome(driver, txn)).isEqualTo("written");
    assertThat(read(driver, keys.get(0))).isEqualTo("found:two");
    assertThat(read(driver, keys.get(1))).isEqualTo("missing");
    if (tellsCreateFromUpdate) {
      var more =
          new Request.Txn(
              List.of(Request.create(keys.get(2), utf8("x"))), List.of(keys.get(1)), List.of());
      assertThat(outcome(driver, more)).isEqualTo("missing");
      assertThat(read(driver, keys.get(2))).isEqualTo("missing");
    }
  }

  @Test
  void a_transaction_returns_what_it_reads_or_is_refused() {
    if (!database.capabilities().can(Operation.TXN)) {
      return;
    }
    Connection driver = open();
    List<byte[]> keys = freshKeys(3);
    assertThat(outcome(driver, Request.create(keys.get(1), utf8("one")))).isEqualTo("written");
    assertThat(outcome(driver, Request.create(keys.get(2), new byte[0]))).isEqualTo("written");
    var txn =
        new Request.Txn(
            List.of(Request.create(keys.get(0), utf8("two"))),
            List.of(),
            List.of(keys.get(1), keys.get(2)));

    if (!database.capabilities().readsInTxn()) {
      assertThatThrownBy(() -> driver.submit(txn, new RecordedCompletion()))
          .isInstanceOf(IllegalArgumentException.class);
      return;
    }
    Answer.Results results = (Answer.Results) answer(driver, txn);
    assertThat(results.reads())
        .map(each -> text(((Answer.Found) each).value()))
        .containsExactly("one", "");
    assertThat(read(driver, keys.get(0))).isEqualTo("found:two");
  }

  @Test
  void a_transaction_that_is_too_long_writes_nothing() {
    if (!database.capabilities().can(Operation.TXN)) {
      return;
    }
    if (tellsCreateFromUpdate) {
      return;
    }
    int most = database.capabilities().mostPutsOfTxn();
    Connection driver = open();
    List<byte[]> keys = freshKeys(most);
    assertThat(outcome(driver, txn(keys, key -> Request.create(key, utf8("one")))))
        .isEqualTo("written");

    List<byte[]> more = freshKeys(most + 1);
    assertThat(outcome(driver, txn(more, key -> Request.create(key, utf8("one")))))
        .isEqualTo("failed:REJECTED");
    assertThat(read(driver, more.get(0))).isEqualTo("missing");
    assertThat(read(driver, more.get(PUTS))).isEqualTo("missing");
  }

  @Test
  void what_the_store_cannot_do_is_refused_with_the_reason() {
    Connection driver = open();
    Capabilities capabilities = database.capabilities();
    Stream<Request> impossible =
        everyOtherRequest().stream().filter(request -> !capabilities.can(request.operation()));
    Stream<Request> limited =
        Stream.of(
            new Request.Range(freshKey(), 3, ReturnedValue.ENTRIES, ReadConsistency.DEFAULT),
            new Request.Range(freshKey(), 0, ReturnedValue.COUNT, ReadConsistency.DEFAULT),
            new Request.Range(freshKey(), 0, ReturnedValue.ENTRIES, ReadConsistency.DEFAULT)
                .behind(freshKey(), 0));
    if (capabilities.range().isLimited()) {
      limited = Stream.empty();
    }
    Stream.concat(impossible, limited)
        .forEach(
            request -> {
              var done = new RecordedCompletion();
              String reason = capabilities.reasons().get(request.operation());
              assertThat(reason).isNotBlank();
              assertThatThrownBy(() -> driver.submit(request, done))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessage("cannot do this " + request.operation().id() + ": " + reason);
              assertThat(done.timesTold()).isZero();
            });
  }

  @Test
  void after_close_every_other_request_fails_with_CONNECTION_too() {
    Connection driver = open();
    driver.close();

    assertThat(everyOtherRequest())
        .filteredOn(request -> database.capabilities().can(request.operation()))
        .allMatch(request -> outcome(driver, request).equals("failed:CONNECTION"));
  }

  /** One request of each operation next to put, get and delete. */
  static List<Request> everyOtherRequest() {
    return List.of(
        new Request.Range(freshKey(), 0, ReturnedValue.KEYS, ReadConsistency.LINEARIZABLE),
        new Request.Exists(freshKey(), ReadConsistency.LINEARIZABLE),
        new Request.CompareAndSet(freshKey(), utf8("v"), 1),
        new Request.Txn(List.of(Request.create(freshKey(), utf8("v")))),
        new Request.Compact(1),
        new Request.OptimisticPut(freshKey(), utf8("v"), 0, Optional.empty()),
        new Request.OptimisticPut(freshKey(), utf8("v"), 1, Optional.empty()),
        new Request.OptimisticDelete(freshKey(), 1),
        new Request.Revision(freshKey(), ReadConsistency.LINEARIZABLE));
  }

  private static List<byte[]> freshKeys(int count) {
    return new ArrayList<>(Stream.generate(StoreContract::freshKey).limit(count).toList());
  }

  private static Request.Txn txn(List<byte[]> keys, Function<byte[], Request.Put> put) {
    return new Request.Txn(keys.stream().map(put).toList());
  }

  private static long revisionWritten(Connection driver, Request.Put put) {
    return ((Answer.Written) answer(driver, put)).revision();
  }

  private static long revisionOf(Connection driver, byte[] key) {
    return ((Answer.Found) answer(driver, new Request.Get(key, ReadConsistency.LINEARIZABLE)))
        .revision();
  }
}
