// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.figures.Ranking.Value;
import io.quorate.report.judge.Sample.Kind;
import io.quorate.store.ReadGuarantee;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which values compare, and which of them can be called the best. */
class ReservationTest {
  private static final Basis PUTS = basis(Optional.empty(), 1000, 0, 0);

  @Test
  void values_alike_in_all_that_counts_have_a_best() {
    assertThat(best(PUTS, PUTS)).contains("etcd");
    assertThat(Reservation.about(Map.of("etcd", PUTS, "consul", PUTS))).isEmpty();
  }

  @Test
  void reads_of_other_guarantees_have_no_best() {
    Basis linearizable = basis(Optional.of(ReadGuarantee.LINEARIZABLE), 1000, 0, 0);
    Basis stale = basis(Optional.of(ReadGuarantee.STALE), 1000, 0, 0);

    assertThat(best(linearizable, stale)).isEmpty();
    assertThat(best(stale, stale)).contains("etcd");
    assertThat(texts(linearizable, stale))
        .containsExactly("reads have different guarantees: etcd linearizable, consul stale");
  }

  @Test
  void a_rate_that_was_given_or_follows_from_the_mix_has_no_best() {
    assertThat(best(PUTS.with(Reservation.GIVEN_RATE), PUTS)).isEmpty();
    assertThat(best(PUTS, PUTS.with(Reservation.SHARE_OF_MIX))).isEmpty();
  }

  @Test
  void who_failed_or_dropped_requests_is_not_the_best_and_others_say_so() {
    assertThat(best(basis(Optional.empty(), 1000, 5, 0), PUTS)).isEmpty();
    assertThat(best(basis(Optional.empty(), 1000, 0, 5), PUTS)).isEmpty();
    assertThat(best(PUTS, basis(Optional.empty(), 1000, 5, 2))).contains("etcd");
    assertThat(texts(PUTS, basis(Optional.empty(), 1000, 5, 2)))
        .containsExactly("of 1,000 requests of consul 5 failed and 2 were dropped");
  }

  @Test
  void other_numbers_of_requests_have_no_best() {
    assertThat(best(PUTS, basis(Optional.empty(), 100, 0, 0))).isEmpty();
    assertThat(texts(PUTS, basis(Optional.empty(), 100, 0, 0)))
        .containsExactly("the numbers of requests differ: etcd 1,000, consul 100");
  }

  private static Optional<String> best(Basis etcd, Basis consul) {
    return ranking().best(name -> name, name -> name.equals("etcd") ? etcd : consul);
  }

  private static List<String> texts(Basis etcd, Basis consul) {
    return ranking()
        .reservations(name -> name, name -> name.equals("etcd") ? etcd : consul)
        .stream()
        .map(Reservation.Stated::text)
        .toList();
  }

  private static Ranking<String> ranking() {
    return new Ranking<>(Kind.RATE, List.of(new Value<>("etcd", 2.0), new Value<>("consul", 1.0)));
  }

  private static Basis basis(
      Optional<ReadGuarantee> reads, long planned, long failed, long dropped) {
    return new Basis(
        reads,
        OptionalLong.of(planned),
        planned,
        failed,
        dropped,
        Basis.UNKNOWN.generator(),
        false,
        Set.of(),
        "");
  }
}
