// SPDX-License-Identifier: Apache-2.0
package io.quorate.load.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.LoadModel;
import io.quorate.scenario.Shard;
import io.quorate.scenario.Step;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ScenarioNumbersTest {
  private static List<Step> steps(List<Integer> requests) {
    return requests.stream()
        .map(
            each ->
                new Step(new LoadModel.Closed(1, OptionalLong.empty()), 1, each, Optional.empty()))
        .toList();
  }

  private static LongStream numbers(Shard shard, List<Step> steps) {
    Shard.RequestNumbers numbers = Shard.RequestNumbers.of(shard, steps);
    long own = steps.stream().mapToLong(step -> shard.share(step.requests())).sum();
    return LongStream.range(0, own).map(numbers::of);
  }

  @Test
  void a_shard_makes_every_so_many_th_request_of_each_step() {
    assertThat(numbers(new Shard(1, 3), steps(List.of(7, 4)))).containsExactly(0L, 3L, 6L, 7L, 10L);
    assertThat(numbers(new Shard(2, 3), steps(List.of(7, 4)))).containsExactly(1L, 4L, 8L);
    assertThat(numbers(new Shard(3, 3), steps(List.of(7, 4)))).containsExactly(2L, 5L, 9L);
  }

  @Property(seed = "1")
  void all_shards_make_each_request_once(
      @ForAll @IntRange(min = 1, max = 9) int count,
      @ForAll @Size(min = 1, max = 5) List<@IntRange(min = 9, max = 99) Integer> requests) {
    LongStream all = LongStream.empty();
    for (int number = 1; number <= count; number++) {
      all = LongStream.concat(all, numbers(new Shard(number, count), steps(requests)));
    }
    long total = requests.stream().mapToLong(each -> each).sum();
    assertThat(all.sorted().toArray()).isEqualTo(LongStream.range(0, total).toArray());
  }
}
