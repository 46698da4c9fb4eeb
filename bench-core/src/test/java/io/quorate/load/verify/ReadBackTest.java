// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.load.TamperedLoad;
import io.quorate.measure.Verification;
import io.quorate.measure.Verification.Fault;
import io.quorate.store.StoreClient;
import io.quorate.store.memory.MemoryStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what is read back from the in-memory map after all kinds of writes. */
class ReadBackTest {
  private final StoreClient memory = MemoryStore.STORE.clients().get(0).start();

  @AfterEach
  void close() {
    memory.close();
  }

  @Test
  void keys_that_were_created_are_all_as_written() throws Exception {
    try (TamperedLoad load = TamperedLoad.made(TamperedLoad.CREATES, memory)) {
      Verification found = load.verify();
      assertThat(found.failed()).isFalse();
      assertThat(found.text())
          .startsWith(
              "1,000 acknowledged keys verified, all correct, the database counts 1,000 keys, ");
    }
  }

  @Test
  void a_key_that_is_gone_and_values_that_were_changed_are_named() throws Exception {
    try (TamperedLoad load = TamperedLoad.made(TamperedLoad.CREATES, memory)) {
      load.remove(17);
      byte[] flipped = load.read(42);
      flipped[63] ^= 1;
      load.write(42, flipped);
      load.write(43, load.read(44));
      load.write(999, new byte[0]);

      Verification found = load.verify();
      assertThat(found.failed()).isTrue();
      assertThat(found.missingKeys()).isEqualTo(1);
      assertThat(found.wrongKeys()).isEqualTo(3);
      assertThat(found.firstFaults())
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
              "of 1,000 acknowledged keys verified, 1 is missing and 3 wrong; "
                  + "0000000000000017: it is missing; 0000000000000042: the value that was read "
                  + "differs from the one that was written; 0000000000000043: the value that was "
                  + "read is one that was written to another key; the database counts 999 keys, 1 "
                  + "fewer than it acknowledged");
    }
  }

  @Test
  void ten_keys_are_named_at_most_the_first_ones() throws Exception {
    try (TamperedLoad load = TamperedLoad.made(TamperedLoad.CREATES, memory)) {
      for (int key = 999; key >= 100; key--) {
        load.remove(key);
      }
      Verification found = load.verify();
      assertThat(found.missingKeys()).isEqualTo(900);
      assertThat(found.firstFaults()).hasSize(10);
      assertThat(found.firstFaults().get(9).key()).isEqualTo("0000000000000109");
    }
  }

  @Test
  void keys_that_were_written_often_may_hold_any_of_the_latest_values() throws Exception {
    try (TamperedLoad load = TamperedLoad.made(TamperedLoad.UPDATES, memory)) {
      Verification found = load.verify();
      assertThat(found.firstFaults()).isEmpty();
      assertThat(found.readKeys()).isEqualTo(10);
      assertThat(found.valuesCompared()).isTrue();
    }
  }

  @Test
  void values_that_are_too_short_to_tell_are_looked_at_for_their_form_alone() throws Exception {
    try (TamperedLoad load =
        TamperedLoad.made(TamperedLoad.UPDATES.replace("{size: 64}", "{size: 1}"), memory)) {
      load.write(3, new byte[] {'!'});
      Verification found = load.verify();
      assertThat(found.valuesCompared()).isFalse();
      assertThat(found.firstFaults()).extracting(Fault::key).containsExactly("0000000000000003");
    }
  }

  @Test
  void short_values_of_keys_that_are_written_once_are_compared() throws Exception {
    try (TamperedLoad load =
        TamperedLoad.made(TamperedLoad.CREATES.replace("{size: 64}", "{size: 1}"), memory)) {
      byte[] value = load.read(3);
      load.write(3, new byte[] {(byte) (value[0] == 'a' ? 'b' : 'a')});
      Verification found = load.verify();
      assertThat(found.valuesCompared()).isTrue();
      assertThat(found.firstFaults()).extracting(Fault::key).containsExactly("0000000000000003");
    }
  }

  @Test
  void a_removed_key_that_is_there_again_is_wrong() throws Exception {
    String removes = TamperedLoad.CREATES.replace("operation: put", "operation: delete");
    try (TamperedLoad load = TamperedLoad.made(removes, memory)) {
      load.create(5, new byte[64]);
      Verification found = load.verify();
      assertThat(found.readKeys()).isEqualTo(1_000);
      assertThat(found.firstFaults())
          .containsExactly(
              new Fault("0000000000000005", "it exists, although its removal was acknowledged"));
      assertThat(found.keyCount()).hasValue(1);
      assertThat(found.uncounted()).isZero();
    }
  }

  @Test
  void each_key_of_a_transaction_is_read_back() throws Exception {
    String transactions =
        TamperedLoad.CREATES
            .replace("operation: put", "operation: txn\ntxn: {puts: 3}")
            .replace("1000", "100");
    try (TamperedLoad load = TamperedLoad.made(transactions, memory)) {
      load.remove(299);
      Verification found = load.verify();
      assertThat(found.acknowledgedKeys()).isEqualTo(300);
      assertThat(found.firstFaults())
          .containsExactly(new Fault("0000000000000299", "it is missing"));
    }
  }

  @Test
  void of_a_mix_the_keys_that_were_written_are_read_back() throws Exception {
    String mix =
        TamperedLoad.UPDATES
            .replace("operation: put", "mix: {get: 50, put: 20, compare-and-set: 20, txn: 10}")
            .replace("20000", "2000")
            .replace("count: 10", "count: 5000");
    try (TamperedLoad load = TamperedLoad.made(mix, memory)) {
      Verification found = load.verify();
      assertThat(found.firstFaults()).isEmpty();
      assertThat(found.acknowledgedKeys()).isBetween(1_000L, 5_000L).isEqualTo(found.readKeys());
    }
  }

  @Test
  void requests_that_only_read_leave_nothing_to_verify() throws Exception {
    String reads =
        TamperedLoad.CREATES
            .replace("operation: put", "operation: get")
            .replace("distribution: random", "count: 10");
    try (TamperedLoad load = TamperedLoad.made(reads, memory)) {
      assertThat(load.writtenKeys()).isEmpty();
    }
  }

  @Test
  void nothing_is_read_back_where_that_is_not_wanted() throws Exception {
    try (TamperedLoad load = TamperedLoad.made(TamperedLoad.CREATES + "verify: none\n", memory)) {
      assertThat(load.writtenKeys()).isEmpty();
    }
  }
}
