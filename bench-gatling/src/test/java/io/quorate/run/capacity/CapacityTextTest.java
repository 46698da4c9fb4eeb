package io.quorate.run.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.capacity.Bound;
import io.quorate.capacity.Outcome;
import io.quorate.capacity.SearchResult;
import io.quorate.capacity.Trial;
import io.quorate.capacity.TrialVerdict;
import io.quorate.results.capacity.OverloadRecovery;
import io.quorate.results.capacity.ServerActivity;
import io.quorate.results.capacity.TrialLatencies;
import io.quorate.results.capacity.TrialRow;
import io.quorate.scenario.CapacityGoal;
import io.quorate.scenario.ServiceLevel;
import io.quorate.scenario.SloLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CapacityTextTest {
  private static final Optional<Bound> HOLDS = Optional.of(new Bound(8_200, 2, 2));
  private static final Optional<Bound> FAILS = Optional.of(new Bound(8_600, 1, 3));

  private final List<String> said = new ArrayList<>();
  private final CapacityText text = text(CapacityGoal.Load.RATE);

  private CapacityText text(CapacityGoal.Load load) {
    List<ServiceLevel> limits =
        Stream.of("p99 <= 20 ms", "errors = 0")
            .map(each -> ServiceLevel.of(SloLimit.parse(each).orElseThrow()).orElseThrow())
            .toList();
    return new CapacityText(new CapacityGoal(limits, false, load, List.of()), said::add);
  }

  private String concluded(Outcome outcome, Optional<Bound> holds, Optional<Bound> fails) {
    said.clear();
    text.concluded(new SearchResult(outcome, holds, fails, 14), 660);
    return said.get(0);
  }

  @Test
  void saysWhatHoldsAndWhatFailed() {
    assertThat(concluded(Outcome.FOUND, HOLDS, FAILS))
        .isEqualTo(
            "capacity: 8,200/s within p99 <= 20 ms and errors = 0 (held 2 of 2; 8,600/s failed 2 of"
                + " 3); 14 trials, 11.0 min");
    assertThat(concluded(Outcome.CLIFF, HOLDS, FAILS))
        .endsWith(
            "; latency rises steeply here, so a different limit would barely change "
                + "the result; 14 trials, 11.0 min");
  }

  @Test
  void saysWhyThereIsNoCapacity() {
    Optional<Bound> none = Optional.empty();

    assertThat(concluded(Outcome.NONE_PASSES, none, FAILS))
        .startsWith("capacity: none found: even 8,600/s is beyond p99 <= 20 ms and errors = 0;");
    assertThat(concluded(Outcome.NONE_FAILS, HOLDS, none))
        .startsWith(
            "capacity: at least 8,200/s within p99 <= 20 ms and errors = 0 (held 2 of 2); no higher"
                + " load failed;");
    assertThat(
            concluded(
                Outcome.LIMITED_BY_LOAD_GENERATOR, HOLDS, Optional.of(new Bound(8_600, 0, 0))))
        .startsWith(
            "limited by the load generator, which could not generate 8,600/s: at least "
                + "8,200/s within");
    assertThat(concluded(Outcome.LIMITED_BY_LOAD_GENERATOR, none, FAILS))
        .startsWith(
            "limited by the load generator, which could not generate 8,600/s; no load is "
                + "known to hold;");
    assertThat(concluded(Outcome.UNSTABLE, HOLDS, FAILS))
        .startsWith("inconclusive: trials disagree or decide too little around 8,200/s;");
    assertThat(concluded(Outcome.UNSTABLE, none, none))
        .startsWith("inconclusive: trials disagree or decide too little;");
    assertThat(concluded(Outcome.FOUND, Optional.of(new Bound(8_200, 0, 0)), FAILS))
        .contains("(likely, its trials were undecided; 8,600/s failed 2 of 3)");
  }

  @Test
  void namesClientsWhereThoseAreSearched() {
    text(CapacityGoal.Load.CLIENTS)
        .concluded(new SearchResult(Outcome.FOUND, HOLDS, FAILS, 14), 660);

    assertThat(said.get(0))
        .startsWith("capacity: 8,200 clients within")
        .contains("; 8,600 clients failed 2 of 3)");
  }

  @Test
  void saysWhenAStoreHasRecovered() {
    text.recovered(new OverloadRecovery(1_500, 5, 800, 9, OptionalInt.of(4)));
    text.recovered(new OverloadRecovery(1_500, 5, 800, 30, OptionalInt.empty()));

    assertThat(said)
        .containsExactly(
            "after 5 s at 1,500/s, at 800/s: within the limits after 4 s",
            "after 5 s at 1,500/s, at 800/s: not within the limits for 30 s");
  }

  @Test
  void tellsEachTrialInALine() {
    text.ended(
        new TrialRow(
            3,
            Trial.Stage.NARROW,
            8_200,
            30.1,
            20,
            TrialVerdict.PASS,
            Optional.empty(),
            OptionalDouble.of(0.25),
            0.0025,
            8_200,
            8_200,
            new TrialLatencies(
                OptionalLong.of(1_234_000),
                OptionalLong.of(12_345_678),
                Optional.empty(),
                OptionalLong.of(20_000_000)),
            0,
            0,
            OptionalLong.empty(),
            0.4,
            OptionalDouble.of(1.1),
            OptionalDouble.of(0.75),
            ServerActivity.UNKNOWN,
            OptionalInt.of(4)));

    assertThat(said)
        .containsExactly(
            "trial 3  narrow   8,200/s for 20 s: pass, p50 1.23 ms, p99 12.35 ms, 0.25% "
                + "violate a limit; CPU cores: load generator 0.40, servers 1.10; host 75% busy");
  }
}
