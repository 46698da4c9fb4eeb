// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class StepSplitTest {

  @ParameterizedTest
  @CsvFileSource(resources = "assign-request.csv", numLinesToSkip = 1)
  void requests_are_shared_out_as_dbtester_does(String clients, long total, String assigned) {
    List<Long> expected = Stream.of(assigned.split(" ")).map(Long::valueOf).toList();

    assertThat(LoadSpec.split(total, clients.split(" ").length)).isEqualTo(expected);
  }

  @Property(seed = "1")
  void no_request_is_lost_and_no_step_is_empty(
      @ForAll @IntRange(min = 1, max = 100) int steps,
      @ForAll @LongRange(min = 100, max = 1_000_000_000) long total) {
    List<Long> shares = LoadSpec.split(total, steps);

    assertThat(shares).hasSize(steps).allMatch(share -> share >= 1);
    assertThat(shares.stream().mapToLong(Long::longValue).sum()).isEqualTo(total);
  }

  @Property(seed = "1")
  void all_steps_but_the_last_get_the_same_and_the_last_gets_no_less(
      @ForAll @IntRange(min = 2, max = 100) int steps,
      @ForAll @LongRange(min = 100, max = 1_000_000_000) long total) {
    List<Long> shares = LoadSpec.split(total, steps);

    assertThat(shares.subList(0, steps - 1).stream().distinct()).hasSize(1);
    assertThat(shares.get(steps - 1)).isGreaterThanOrEqualTo(shares.get(0));
  }

  @Property(seed = "1")
  void enough_is_enough_for_every_client_and_so_is_more(
      @ForAll @Size(min = 1, max = 20) List<@LongRange(min = 1, max = 100_000) Long> clients,
      @ForAll @LongRange(min = 0, max = 10_000_000) long more) {
    long total = LoadSpec.enoughFor(clients) + more;
    List<Long> shares = LoadSpec.split(total, clients.size());

    for (int i = 0; i < clients.size(); i++) {
      assertThat(shares.get(i)).isGreaterThanOrEqualTo(clients.get(i));
    }
  }
}
