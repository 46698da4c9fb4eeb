package io.quorate.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.QuorateException;
import io.quorate.measure.Verification;
import io.quorate.measure.Verification.Fault;
import io.quorate.store.Answer;
import io.quorate.store.Completion;
import io.quorate.store.Connection;
import io.quorate.store.DriverSettings;
import io.quorate.store.Endpoint;
import io.quorate.store.ErrorKind;
import io.quorate.store.Request;
import io.quorate.store.StoreClient;
import io.quorate.store.memory.MemoryStore;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what is read back from the map in memory after all kinds of writes. */
class ReadBackTest {
  private static final String CREATES =
      """
      title: Creates
      operation: put
      requests: 1000
      warm-up: 20
      keys: {size: 16, order: random}
      values: {size: 64}
      load: {steps: [1, 4]}
      databases: [memory]
      """;

  private static final String UPDATES =
      CREATES
          .replace("requests: 1000", "requests: 20000")
          .replace("order: random", "count: 10")
          .replace("steps: [1, 4]", "clients: 4");

  private final StoreClient memory = MemoryStore.STORE.clients().get(0).start();
  private final Endpoint endpoint = new Endpoint("127.0.0.1", 1);

  @AfterEach
  void close() {
    memory.close();
  }

  private VerifiedLoad load(String scenario) throws Exception {
    return new VerifiedLoad(scenario, memory, endpoint);
  }

  @Test
  void keys_that_were_created_are_all_as_written() throws Exception {
    try (VerifiedLoad load = load(CREATES)) {
      Verification found = load.verify();
      assertThat(found.failed()).isFalse();
      assertThat(found.text())
          .startsWith(
              "1,000 acknowledged keys read back, all as written, the store counts 1,000 keys, ");
    }
  }

  @Test
  void a_key_that_is_gone_and_values_that_were_changed_are_named() throws Exception {
    try (VerifiedLoad load = load(CREATES)) {
      load.remove(17);
      byte[] flipped = load.read(42);
      flipped[63] ^= 1;
      load.write(42, flipped);
      load.write(43, load.read(44));
      load.write(999, new byte[0]);

      Verification found = load.verify();
      assertThat(found.failed()).isTrue();
      assertThat(found.missing()).isEqualTo(1);
      assertThat(found.wrong()).isEqualTo(3);
      assertThat(found.first())
          .containsExactly(
              new Fault("0000000000000017", "it is missing"),
              new Fault(
                  "0000000000000042",
                  "the value that was read differs from the one that was written"),
              new Fault(
                  "0000000000000043",
                  "the value that was read is one that was written to another key"),
              new Fault("0000000000000999", "the value that was read is empty"));
      assertThat(found.reason())
          .isEqualTo(
              "of 1,000 acknowledged keys read back, 1 is missing and 3 wrong;"
                  + " 0000000000000017: it is missing;"
                  + " 0000000000000042: the value that was read differs from the one that was"
                  + " written; 0000000000000043: the value that was read is one that was written"
                  + " to another key; the store counts 999 keys, 1 fewer than it acknowledged");
    }
  }

  @Test
  void ten_keys_are_named_at_most_the_first_ones() throws Exception {
    try (VerifiedLoad load = load(CREATES)) {
      for (int key = 999; key >= 100; key--) {
        load.remove(key);
      }
      Verification found = load.verify();
      assertThat(found.missing()).isEqualTo(900);
      assertThat(found.first()).hasSize(10);
      assertThat(found.first().get(9).key()).isEqualTo("0000000000000109");
    }
  }

  @Test
  void keys_that_were_written_often_may_hold_any_of_the_latest_values() throws Exception {
    try (VerifiedLoad load = load(UPDATES)) {
      Verification found = load.verify();
      assertThat(found.first()).isEmpty();
      assertThat(found.read()).isEqualTo(10);
      assertThat(found.valuesCompared()).isTrue();
    }
  }

  @Test
  void a_value_that_was_replaced_for_certain_is_wrong() throws Exception {
    try (VerifiedLoad load = load(UPDATES)) {
      ValueSource values = new ValueSource(64, 10 + 20 + 20_000, 1);
      load.write(3, values.at(3)); // prepared
      load.write(4, values.at(10 + 4)); // of the warm-up
      load.write(5, values.at(10 + 20 + 5)); // of the sixth request
      load.write(6, values.at(10 + 20 + 7)); // that of the next key

      String older = "the value that was read is an older one, which was replaced";
      assertThat(load.verify().first())
          .containsExactly(
              new Fault("0000000000000003", older),
              new Fault("0000000000000004", older),
              new Fault("0000000000000005", older),
              new Fault(
                  "0000000000000006",
                  "the value that was read is one that was written to another key"));
    }
  }

  @Test
  void values_that_are_too_short_to_tell_are_looked_at_for_their_form_alone() throws Exception {
    try (VerifiedLoad load = load(UPDATES.replace("{size: 64}", "{size: 1}"))) {
      load.write(3, new byte[] {'!'});
      Verification found = load.verify();
      assertThat(found.valuesCompared()).isFalse();
      assertThat(found.first()).extracting(Fault::key).containsExactly("0000000000000003");
    }
  }

  @Test
  void short_values_of_keys_that_are_written_once_are_compared() throws Exception {
    try (VerifiedLoad load = load(CREATES.replace("{size: 64}", "{size: 1}"))) {
      byte[] value = load.read(3);
      load.write(3, new byte[] {(byte) (value[0] == 'a' ? 'b' : 'a')});
      Verification found = load.verify();
      assertThat(found.valuesCompared()).isTrue();
      assertThat(found.first()).extracting(Fault::key).containsExactly("0000000000000003");
    }
  }

  @Test
  void a_removed_key_that_is_there_again_is_wrong() throws Exception {
    String removes = CREATES.replace("operation: put", "operation: delete");
    try (VerifiedLoad load = load(removes)) {
      load.create(5, new byte[64]);
      Verification found = load.verify();
      assertThat(found.read()).isEqualTo(1_000);
      assertThat(found.first())
          .containsExactly(
              new Fault("0000000000000005", "it is there, though its removal was acknowledged"));
      assertThat(found.counted()).hasValue(1);
      assertThat(found.uncounted()).isZero();
    }
  }

  @Test
  void each_key_of_a_transaction_is_read_back() throws Exception {
    String transactions =
        CREATES.replace("operation: put", "operation: txn\ntxn: {puts: 3}").replace("1000", "100");
    try (VerifiedLoad load = load(transactions)) {
      load.remove(299);
      Verification found = load.verify();
      assertThat(found.acknowledged()).isEqualTo(300);
      assertThat(found.first()).containsExactly(new Fault("0000000000000299", "it is missing"));
    }
  }

  @Test
  void of_a_mix_the_keys_that_were_written_are_read_back() throws Exception {
    String mix =
        UPDATES
            .replace("operation: put", "mix: {get: 50, put: 20, compare-and-set: 20, txn: 10}")
            .replace("20000", "2000")
            .replace("count: 10", "count: 5000");
    try (VerifiedLoad load = load(mix)) {
      Verification found = load.verify();
      assertThat(found.first()).isEmpty();
      assertThat(found.acknowledged()).isBetween(1_000L, 5_000L).isEqualTo(found.read());
    }
  }

  /** Carries out one of three compare-and-sets and answers as if it had not. */
  @Test
  void a_value_that_the_store_said_it_did_not_write_is_wrong() throws Exception {
    String few =
        UPDATES
            .replace("operation: put", "operation: compare-and-set")
            .replace("20000", "20")
            .replace("warm-up: 20", "warm-up: 0")
            .replace("clients: 4", "clients: 1");
    try (VerifiedLoad load = new VerifiedLoad(few, new Contrary(memory), endpoint)) {
      assertThat(load.load().steps().get(0).recorder().errorCount()).isEqualTo(7);
      Verification found = load.verify();
      assertThat(found.first())
          .extracting(Fault::key)
          .containsExactly("0000000000000002", "0000000000000005", "0000000000000008");
      assertThat(found.first().get(0).found())
          .isEqualTo("the value that was read is that of a write which was not carried out");
    }
  }

  private record Contrary(StoreClient client, AtomicInteger sets) implements StoreClient {
    Contrary(StoreClient client) {
      this(client, new AtomicInteger());
    }

    @Override
    public Connection open(DriverSettings settings) {
      Connection driver = client.open(settings);
      return new Connection() {
        @Override
        public void submit(Request request, Completion completion) {
          boolean lies =
              request instanceof Request.CompareAndSet && sets.getAndIncrement() % 3 == 0;
          driver.submit(request, lies ? new Denied(completion) : completion);
        }

        @Override
        public void close() {
          driver.close();
        }
      };
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private record Denied(Completion completion) implements Completion {
    @Override
    public void answered(Answer answer) {
      completion.answered(Answer.CONFLICT);
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      completion.failed(kind, message);
    }
  }

  @Test
  void requests_that_only_read_leave_nothing_to_verify() throws Exception {
    String reads =
        CREATES.replace("operation: put", "operation: get").replace("order: random", "count: 10");
    try (VerifiedLoad load = load(reads)) {
      assertThat(load.load().verify(VerificationLimits.PATIENT, (read, all) -> {})).isEmpty();
    }
  }

  @Test
  void nothing_is_read_back_where_that_is_not_wanted() throws Exception {
    try (VerifiedLoad load = load(CREATES + "verify: none\n")) {
      assertThat(load.load().verify(VerificationLimits.PATIENT, (read, all) -> {})).isEmpty();
    }
  }

  @Test
  void a_sample_has_the_size_that_was_asked_for_and_is_the_same_for_the_same_seed() {
    BitSet all = new BitSet();
    for (int key = 0; key < 5_000; key += 2) {
      all.set(key);
    }
    assertThat(WrittenKeys.sample(all, 5_000, 1)).isEqualTo(all);
    BitSet sample = WrittenKeys.sample(all, 100, 1);
    assertThat(sample.cardinality()).isEqualTo(100);
    assertThat(WrittenKeys.sample(all, 100, 1)).isEqualTo(sample);
    assertThat(WrittenKeys.sample(all, 100, 2)).isNotEqualTo(sample);
    sample.andNot(all);
    assertThat(sample.isEmpty()).isTrue();
  }

  /** Of three puts answers one, carries out another without an answer, and drops the third. */
  @Test
  void writes_of_which_nobody_knows_may_be_there_or_not() throws Exception {
    try (VerifiedLoad load =
        new VerifiedLoad(
            CREATES.replace("warm-up: 20", "warm-up: 0"), new Deaf(memory), endpoint)) {
      Verification found = load.verify();
      assertThat(load.load().steps().get(0).recorder().errorCount()).isPositive();
      assertThat(found.acknowledged()).isEqualTo(334);
      assertThat(found.failed()).isFalse();
      assertThat(found.counted()).hasValue(667);
    }
  }

  private record Deaf(StoreClient client, AtomicInteger puts) implements StoreClient {
    Deaf(StoreClient client) {
      this(client, new AtomicInteger());
    }

    @Override
    public Connection open(DriverSettings settings) {
      Connection driver = client.open(settings);
      return new Connection() {
        @Override
        public void submit(Request request, Completion completion) {
          int turn = request instanceof Request.Put ? puts.getAndIncrement() % 3 : 0;
          if (turn == 1) {
            completion.failed(ErrorKind.TIMEOUT, "not carried out");
          } else if (turn == 2) {
            driver.submit(request, new Silenced(completion));
          } else {
            driver.submit(request, completion);
          }
        }

        @Override
        public void close() {
          driver.close();
        }
      };
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private record Silenced(Completion completion) implements Completion {
    @Override
    public void answered(Answer answer) {
      completion.failed(ErrorKind.TIMEOUT, "carried out");
    }

    @Override
    public void failed(ErrorKind kind, String message) {
      completion.failed(kind, message);
    }
  }

  @Test
  void servers_that_cannot_be_reached_are_said_to_be_so() throws Exception {
    try (VerifiedLoad load =
        new VerifiedLoad(CREATES, new Unreachable(memory, new AtomicInteger()), endpoint)) {
      Verification found = load.verify();
      assertThat(found.failed()).isFalse();
      assertThat(found.text())
          .startsWith(
              "0 of 1,000 acknowledged keys read back, 1,000 could not be read: connection: gone");
    }
  }

  /** Answers no read of the verification, whose requests have a deadline of their own. */
  private record Unreachable(StoreClient client, AtomicInteger reads) implements StoreClient {
    @Override
    public Connection open(DriverSettings settings) {
      if (settings.requestTimeout().toSeconds() == 5) {
        throw new QuorateException("connection: gone");
      }
      return client.open(settings);
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
