// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.load.SentRequests;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.OperationMix;
import io.quorate.scenario.OperationMix.Share;
import io.quorate.store.Answer;
import io.quorate.store.Connection;
import io.quorate.store.ErrorKind;
import io.quorate.store.Operation;
import io.quorate.store.ReadConsistency;
import io.quorate.store.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MixSourceTest extends SentRequests {
  private static final OperationMix MOSTLY_READS =
      new OperationMix(
          List.of(new Share(Operation.GET, 95), new Share(Operation.PUT, 5)),
          OperationMix.ONE_KEY,
          1,
          0,
          OperationMix.USUAL_LEASES);

  @Test
  void operations_come_as_often_as_their_weights_say_and_the_same_ones_each_time() {
    RequestSource requests = requests(MOSTLY_READS, KeySpace.Order.ZIPFIAN, 16);
    int[] operations = LongStream.range(0, REQUESTS).mapToInt(requests::operation).toArray();
    assertThat(LongStream.range(0, REQUESTS).mapToInt(requests::operation).toArray())
        .isEqualTo(operations);
    double puts = 0;
    for (int operation : operations) {
      puts += operation;
    }
    assertThat(puts / REQUESTS).isCloseTo(0.05, within(0.005));
  }

  @Test
  void a_value_passes_for_the_key_to_which_it_was_written_and_for_no_other() {
    RequestSource requests = requests(MOSTLY_READS, KeySpace.Order.UNIFORM, 16);
    Map<String, byte[]> last = new HashMap<>();
    Connection connection =
        answering(
            (request, completion) -> {
              if (request instanceof Request.Put put) {
                assertThat(put.creates()).isFalse();
                last.put(text(put.key()), put.value());
              }
            });
    int reads = 0;
    for (long index = 0; index < REQUESTS; index++) {
      requests.send(connection, index, outcome);
      if (sent.get((int) index) instanceof Request.Get get) {
        assertThat(get.consistency()).isEqualTo(ReadConsistency.SERIALIZABLE);
        byte[] value = last.get(text(get.key()));
        if (value != null) {
          reads++;
          assertThat(requests.check(index, found(value))).isEqualTo(ValueCheck.INTACT);
          byte[] others = ofAnotherKey(last, text(get.key()));
          assertThat(requests.check(index, found(others))).isEqualTo(ValueCheck.OF_ANOTHER_KEY);
          byte[] altered = value.clone();
          altered[15] ^= 1;
          assertThat(requests.check(index, found(altered))).isEqualTo(ValueCheck.ALTERED);
        }
      }
    }
    assertThat(reads).isGreaterThan(REQUESTS / 2);
  }

  private static Answer.Found found(byte[] value) {
    return new Answer.Found(value, 1);
  }

  private static byte[] ofAnotherKey(Map<String, byte[]> last, String key) {
    return last.entrySet().stream()
        .filter(entry -> !entry.getKey().equals(key))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(new byte[16]);
  }

  @Test
  void latest_reads_mostly_keys_that_were_written_not_long_ago() {
    RequestSource requests =
        requests(
            new OperationMix(
                List.of(new Share(Operation.GET, 9), new Share(Operation.PUT, 1)),
                OperationMix.ONE_KEY,
                1,
                0,
                OperationMix.USUAL_LEASES),
            KeySpace.Order.LATEST,
            16);
    Connection connection = answering((request, completion) -> {});
    List<String> written = new ArrayList<>();
    int reads = 0;
    int recent = 0;
    for (long index = 0; index < REQUESTS; index++) {
      requests.send(connection, index, outcome);
      if (sent.get((int) index) instanceof Request.Put put) {
        written.add(text(put.key()));
      } else if (index > REQUESTS / 2) {
        reads++;
        String key = text(((Request.Get) sent.get((int) index)).key());
        recent += written.subList(written.size() - 100, written.size()).contains(key) ? 1 : 0;
      }
    }
    // a fifth of the keys; half of the reads would go to the first thirteen ranks of 500
    assertThat(recent / (double) reads).isGreaterThan(0.4);
  }

  @Test
  void the_puts_of_a_transaction_have_different_keys_and_values_and_so_have_all() {
    RequestSource requests =
        requests(
            new OperationMix(
                List.of(new Share(Operation.TXN, 1)),
                OperationMix.ONE_KEY,
                10,
                0,
                OperationMix.USUAL_LEASES),
            KeySpace.Order.RANDOM,
            16);
    Connection connection = answering((request, completion) -> {});
    for (long index = 0; index < KEYS / 10; index++) {
      requests.send(connection, index, outcome);
    }
    Set<String> keys = new HashSet<>();
    Set<String> values = new HashSet<>();
    for (Request request : sent) {
      assertThat(((Request.Txn) request).puts()).hasSize(10);
      for (Request.Put put : ((Request.Txn) request).puts()) {
        keys.add(text(put.key()));
        values.add(text(put.value()));
      }
    }
    assertThat(keys).hasSize(KEYS);
    assertThat(values).hasSize(KEYS);
  }

  @Test
  void a_compare_and_set_writes_back_with_the_revision_that_it_read() {
    RequestSource requests =
        requests(OperationMix.of(Operation.COMPARE_AND_SET), KeySpace.Order.SEQUENTIAL, 16);
    RequestSource prepared = prepared();
    List<byte[]> values = new ArrayList<>();
    Connection writer =
        answering((request, completion) -> values.add(((Request.Put) request).value()));
    prepared.send(writer, 3, outcome);
    sent.clear();

    Connection connection =
        answering(
            (request, completion) ->
                completion.answered(
                    request instanceof Request.Get
                        ? new Answer.Found(values.get(0), 41)
                        : Answer.CONFLICT));
    requests.send(connection, 3, outcome);
    requests.send(connection, 4, outcome);

    Request.CompareAndSet write = (Request.CompareAndSet) sent.get(1);
    assertThat(text(write.key())).isEqualTo("000003");
    assertThat(write.revision()).isEqualTo(41);
    assertThat(sent).hasSize(3);
    assertThat(outcomes)
        .containsExactly(
            "Conflict", "CORRUPT: the value that was read is one that was written to another key");
  }

  @Test
  void an_optimistic_update_compares_with_the_last_known_revision() {
    RequestSource requests =
        requests(OperationMix.of(Operation.OPTIMISTIC_UPDATE), KeySpace.Order.SEQUENTIAL, 16);
    List<byte[]> values = new ArrayList<>();
    prepared()
        .send(
            answering((request, completion) -> values.add(((Request.Put) request).value())),
            3,
            outcome);
    sent.clear();

    Answer.Found other = new Answer.Found(values.get(0), 43);
    List<Answer> answers =
        new ArrayList<>(
            List.of(
                new Answer.Found(values.get(0), 41),
                new Answer.Written(42),
                new Answer.Conflict(Optional.of(other)),
                new Answer.Written(47),
                Answer.MISSING));
    Connection connection =
        answering((request, completion) -> completion.answered(answers.remove(0)));
    for (int round = 0; round < 3; round++) {
      requests.send(connection, 3 + round * (long) KEYS, outcome);
    }

    assertThat(sent.get(0)).isInstanceOf(Request.Get.class);
    assertThat(sent.subList(1, sent.size()))
        .allMatch(each -> text(((Request.OptimisticPut) each).key()).equals("000003"))
        .extracting(each -> ((Request.OptimisticPut) each).revision())
        .containsExactly(41L, 42L, 43L, 47L);
    assertThat(outcomes).containsExactly("Written", "Written", "Missing");
  }

  @Test
  void an_optimistic_update_checks_the_current_value() {
    RequestSource requests =
        requests(OperationMix.of(Operation.OPTIMISTIC_UPDATE), KeySpace.Order.SEQUENTIAL, 16);
    requests.send(
        answering(
            (request, completion) ->
                completion.answered(new Answer.Found("0123456789abcdef".getBytes(US_ASCII), 41))),
        3,
        outcome);

    assertThat(sent).hasSize(1);
    assertThat(outcomes.get(0)).startsWith("CORRUPT: ");
  }

  @Test
  void objects_have_keys_that_no_other_request_has_and_the_oldest_is_removed_first() {
    RequestSource requests =
        requests(
            new OperationMix(
                List.of(
                    new Share(Operation.OPTIMISTIC_CREATE, 1),
                    new Share(Operation.OPTIMISTIC_DELETE, 1)),
                OperationMix.ONE_KEY,
                1,
                0,
                OperationMix.USUAL_LEASES,
                Optional.of(new OperationMix.Objects(0, false, 0, 0)),
                Optional.empty(),
                Optional.empty()),
            KeySpace.Order.SEQUENTIAL,
            16);
    List<Long> creating = indexes(requests, 0);
    List<Long> removing = indexes(requests, 1);
    long[] revision = {100};
    Connection connection =
        answering(
            (request, completion) -> {
              if (revision[0] == 101) {
                completion.failed(ErrorKind.TIMEOUT, "late");
                revision[0]++;
              } else {
                completion.answered(new Answer.Written(revision[0]++));
              }
            });

    requests.send(connection, removing.get(0), outcome); // there is none, so it creates one
    for (int i = 0; i < 4; i++) {
      requests.send(connection, creating.get(i), outcome);
    }
    for (int i = 1; i < 6; i++) {
      requests.send(connection, removing.get(i), outcome);
    }

    List<Request> creations = new ArrayList<>(sent.subList(0, 5));
    creations.add(sent.get(9));
    assertThat(creations)
        .extracting(each -> text(((Request.OptimisticPut) each).key()))
        .containsExactly("o00000", "o00001", "o00002", "o00003", "o00004", "o00005");
    assertThat(creations).allMatch(each -> ((Request.OptimisticPut) each).creates());
    assertThat(sent.subList(5, 9))
        .extracting(each -> (Request.OptimisticDelete) each)
        .extracting(each -> text(each.key()) + " at " + each.revision())
        .containsExactly("o00000 at 100", "o00002 at 102", "o00003 at 103", "o00004 at 104");
    assertThat(outcomes)
        .hasSize(10)
        .containsSubsequence("Written", "TIMEOUT: late", "Written")
        .doesNotContain("Missing");
  }

  @Test
  void ephemeral_objects_are_removed_first_and_only_by_their_connection() {
    RequestSource requests =
        requests(
            ofObjects(
                List.of(new Share(Operation.CREATE, 1), new Share(Operation.REMOVE, 1)), 50, 0),
            KeySpace.Order.SEQUENTIAL,
            16);
    List<Long> creating = indexes(requests, 0);
    List<Long> removing = indexes(requests, 1);
    Connection creator = answering((request, completion) -> completion.answered(Answer.WRITTEN));
    Connection other = answering((request, completion) -> completion.answered(Answer.WRITTEN));

    creating.forEach(index -> requests.send(creator, index, outcome));
    List<String> ephemeral = keysOf(Request.CreateEphemeral.class);
    List<String> others = keysOf(Request.Put.class);
    assertThat(ephemeral.size()).isBetween(creating.size() / 4, creating.size() * 3 / 4);
    sent.clear();
    requests.send(other, removing.get(0), outcome);
    ephemeral.forEach(each -> requests.send(creator, removing.get(1), outcome));
    requests.send(creator, removing.get(1), outcome);

    List<String> expected = new ArrayList<>(List.of(others.get(0)));
    expected.addAll(ephemeral);
    expected.add(others.get(1));
    assertThat(keysOf(Request.Delete.class)).isEqualTo(expected);
    assertThat(outcomes).containsOnly("Written");
  }

  @Test
  void transactions_create_objects_and_remove_those_that_others_have_created() {
    RequestSource requests =
        requests(
            ofObjects(List.of(new Share(Operation.TXN, 1)), 0, 20), KeySpace.Order.SEQUENTIAL, 16);
    Set<String> left = new HashSet<>();
    int[] parts = new int[21];
    boolean[] fails = {false};
    Connection connection =
        answering(
            (request, completion) -> {
              Request.Txn txn = (Request.Txn) request;
              parts[Math.min(20, txn.puts().size() + txn.deletes().size())]++;
              if (fails[0]) {
                completion.failed(ErrorKind.TIMEOUT, "late");
                return;
              }
              txn.puts().forEach(put -> assertThat(left.add(text(put.key()))).isTrue());
              txn.deletes().forEach(key -> assertThat(left.remove(text(key))).isTrue());
              completion.answered(Answer.WRITTEN);
            });
    for (long index = 0; index < 1_000; index++) {
      fails[0] = index % 100 == 99;
      requests.send(connection, index, outcome);
    }

    assertThat(parts[0]).isZero();
    assertThat(parts[2]).isBetween(250, 450);
    assertThat(parts[4]).isBetween(80, 220).isLessThan(parts[2]);
    assertThat(sent)
        .extracting(each -> ((Request.Txn) each).puts())
        .allMatch(puts -> !puts.isEmpty() && puts.stream().allMatch(Request.Put::creates));
    assertThat(left).isNotEmpty();
  }

  private static OperationMix ofObjects(List<Share> shares, int ephemeral, int ofTxn) {
    return new OperationMix(
        shares,
        OperationMix.ONE_KEY,
        0,
        0,
        OperationMix.USUAL_LEASES,
        Optional.of(new OperationMix.Objects(0, false, 0, ephemeral)),
        Optional.empty(),
        Optional.of(new OperationMix.TxnParts(0, 0, ofTxn)));
  }

  /** Returns the keys of the sent requests of a kind. */
  private List<String> keysOf(Class<? extends Request> kind) {
    return sent.stream()
        .filter(kind::isInstance)
        .map(
            each ->
                each instanceof Request.CreateEphemeral create
                    ? create.key()
                    : each instanceof Request.Put put ? put.key() : ((Request.Delete) each).key())
        .map(SentRequests::text)
        .toList();
  }

  private static List<Long> indexes(RequestSource requests, int operation) {
    return LongStream.range(0, 100)
        .filter(index -> requests.operation(index) == operation)
        .boxed()
        .toList();
  }

  @Test
  void an_stm_reads_and_writes_again_until_nobody_else_came_between() {
    RequestSource requests =
        requests(OperationMix.of(Operation.STM), KeySpace.Order.SEQUENTIAL, 16);
    List<byte[]> values = new ArrayList<>();
    Connection writer =
        answering((request, completion) -> values.add(((Request.Put) request).value()));
    prepared().send(writer, 3, outcome);
    sent.clear();

    List<Answer> answers =
        new ArrayList<>(
            List.of(
                new Answer.Found(values.get(0), 41),
                Answer.CONFLICT,
                new Answer.Found(values.get(0), 43),
                Answer.CONFLICT,
                new Answer.Found(values.get(0), 47),
                Answer.WRITTEN));
    requests.send(
        answering((request, completion) -> completion.answered(answers.remove(0))), 3, outcome);

    assertThat(outcomes).containsExactly("Written");
    assertThat(sent).hasSize(6);
    assertThat(List.of(sent.get(1), sent.get(3), sent.get(5)))
        .extracting(request -> ((Request.CompareAndSet) request).revision())
        .containsExactly(41L, 43L, 47L);
    assertThat(List.of(sent.get(0), sent.get(2), sent.get(4)))
        .allMatch(request -> text(((Request.Get) request).key()).equals("000003"));
  }

  @Test
  void an_stm_ends_with_an_error_of_any_other_kind() {
    RequestSource requests =
        requests(OperationMix.of(Operation.STM), KeySpace.Order.SEQUENTIAL, 16);

    requests.send(
        answering((request, completion) -> completion.failed(ErrorKind.TIMEOUT, "late")),
        3,
        outcome);
    requests.send(
        answering((request, completion) -> completion.answered(Answer.MISSING)), 3, outcome);

    assertThat(outcomes).containsExactly("TIMEOUT: late", "Missing");
  }

  @Test
  void a_compaction_is_a_write_and_then_forgets_what_is_older_than_the_kept_revisions() {
    RequestSource requests =
        requests(
            new OperationMix(
                List.of(new Share(Operation.COMPACT, 1)),
                OperationMix.ONE_KEY,
                1,
                1_000,
                OperationMix.USUAL_LEASES),
            KeySpace.Order.SEQUENTIAL,
            16);
    requests.send(
        answering((request, completion) -> completion.answered(new Answer.Written(1_000))),
        3,
        outcome);
    requests.send(
        answering((request, completion) -> completion.answered(new Answer.Written(1_001))),
        4,
        outcome);
    requests.send(
        answering((request, completion) -> completion.answered(Answer.MISSING)), 5, outcome);

    assertThat(outcomes).containsExactly("Written", "Written", "Missing");
    assertThat(sent).hasSize(4);
    assertThat(text(((Request.Put) sent.get(0)).key())).isEqualTo("000003");
    assertThat(sent.get(2)).isEqualTo(new Request.Compact(1));
  }
}
