// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.load.TamperedLoad;
import io.quorate.measure.Verification.Fault;
import io.quorate.scenario.ValueSizes;
import io.quorate.store.StoreClient;
import io.quorate.store.memory.MemoryStore;
import java.util.BitSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WrittenKeysTest {
  private final StoreClient memory = MemoryStore.STORE.clients().get(0).start();

  @AfterEach
  void close() {
    memory.close();
  }

  @Test
  void a_value_that_was_replaced_for_certain_is_wrong() throws Exception {
    try (TamperedLoad load = TamperedLoad.made(TamperedLoad.UPDATES, memory)) {
      ValueSource values = new ValueSource(ValueSizes.fixed(64), 10 + 20 + 20_000, 1);
      load.write(3, values.at(3)); // prepared
      load.write(4, values.at(10 + 4)); // of the warm-up
      load.write(5, values.at(10 + 20 + 5)); // of the sixth request
      load.write(6, values.at(10 + 20 + 7)); // that of the next key

      String older = "the value that was read is an older one, which was replaced";
      assertThat(load.verify().firstFaults())
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
}
