// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardTest {
  @Test
  void shares_differ_by_one_at_most_and_the_first_ones_are_larger() {
    assertThat(IntStream.rangeClosed(1, 3).map(i -> new Shard(i, 3).share(8)))
        .containsExactly(3, 3, 2);
    assertThat(IntStream.rangeClosed(1, 3).mapToLong(i -> new Shard(i, 3).before(8)))
        .containsExactly(0L, 3L, 6L);
    assertThat(new Shard(2, 3).share(1)).isZero();
  }

  @Property(seed = "1")
  void shares_add_up_to_the_total_and_follow_each_other_without_gaps(
      @ForAll @LongRange(min = 0, max = 1_000_000_000_000_000_000L) long total,
      @ForAll @IntRange(min = 1, max = Shard.MOST) int count) {
    long sum = 0;
    for (int number = 1; number <= count; number++) {
      Shard shard = new Shard(number, count);
      assertThat(shard.before(total)).isEqualTo(sum);
      assertThat(shard.share(total)).isBetween(total / count, total / count + 1);
      sum += shard.share(total);
    }
    assertThat(sum).isEqualTo(total);
  }

  @Property(seed = "1")
  void a_larger_total_never_gives_a_smaller_share(
      @ForAll @IntRange(min = 0, max = 5000) int total,
      @ForAll @IntRange(min = 0, max = 5000) int more,
      @ForAll @IntRange(min = 1, max = 20) int count) {
    for (int number = 1; number <= count; number++) {
      Shard shard = new Shard(number, count);
      assertThat(shard.share(total + more)).isGreaterThanOrEqualTo(shard.share(total));
    }
  }

  @Test
  void what_is_written_is_read() {
    assertThat(Shard.parse("3/8")).isEqualTo(new Shard(3, 8));
    assertThat(Shard.parse(" 1/1 ").isWhole()).isTrue();
    assertThat(new Shard(3, 8).asOption()).isEqualTo("3/8");
    assertThat(new Shard(3, 8)).hasToString("shard 3 of 8");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "3", "0/8", "9/8", "3/0", "-1/8", "1/1001", "1/8/2", "a/b", "99999/99999"})
  void anything_else_is_refused(String text) {
    assertThatThrownBy(() -> Shard.parse(text))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "shard: found '"
                + text
                + "', expected the number of this load generator and how many there are, at most"
                + " 1000: 1/8 to 8/8");
  }
}
