// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import static io.quorate.capacity.ScriptedSearch.BEYOND;
import static io.quorate.capacity.ScriptedSearch.WITHIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.capacity.Trial.Stage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests which loads a search tries. */
class CapacitySearchTest {
  /** As a quick one, but with all the time that its trials may take. */
  private static final SearchPlan QUICK_AND_PATIENT = new SearchPlan(1.06, 2, 5, 10, 2, 3, 15, 600);

  @Test
  void triesTheMedianOfTheLikelihoodThenALoadBelowItAndOneAboveItInTurn() {
    ScriptedSearch found =
        ScriptedSearch.full(500, trial -> trial.load() <= 1_500 ? WITHIN : BEYOND);

    assertThat(found.loads())
        .containsExactly(
            500L, 1_070L, 2_320L, 1_600L, 1_310L, 1_360L, 1_420L, 1_460L, 1_710L, 1_490L, 1_520L,
            1_560L, 1_490L, 1_560L);
    assertThat(found.trials.subList(2, 6))
        .extracting(Trial::stage)
        .containsExactly(Stage.BRACKET, Stage.NARROW, Stage.NARROW, Stage.CONFIRM);
    assertThat(found.conclusion)
        .isEqualTo(
            new SearchResult(
                Outcome.FOUND,
                Optional.of(new Bound(1_490, 2, 2)),
                Optional.of(new Bound(1_520, 0, 1)),
                14));
  }

  /** Ten times as many violate the limit with each 100/s more, as many as may at 930/s. */
  private static TrialResult growing(Trial trial) {
    return ScriptedSearch.using(Math.pow(10, (trial.load() - 930) / 100.0));
  }

  @Test
  void comesCloserFasterAfterTrialsThatUsedAPartOfTheLimit() {
    ScriptedSearch found = ScriptedSearch.full(450, CapacitySearchTest::growing);

    assertThat(found.loads())
        .containsExactly(450L, 926L, 1_300L, 945L, 900L, 919L, 956L, 919L, 956L);
    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.FOUND);
    assertThat(found.conclusion.holds()).contains(new Bound(919, 2, 2));
    assertThat(found.conclusion.fails()).contains(new Bound(956, 0, 2));
  }

  @Test
  void measuresForTwentySecondsUpToFortyAndTheLastOnesForSixty() {
    List<Trial> trials =
        ScriptedSearch.full(500, trial -> trial.load() <= 1_500 ? WITHIN : BEYOND).trials;

    assertThat(trials.get(0)).isEqualTo(new Trial(1, 500, Stage.BRACKET, 5, 20, 40));
    assertThat(trials.get(9)).isEqualTo(new Trial(10, 1_490, Stage.CONFIRM, 5, 60, 60));
  }

  @Test
  void lowersTheLoadUntilOnePasses() {
    ScriptedSearch found = ScriptedSearch.full(500, trial -> trial.load() <= 70 ? WITHIN : BEYOND);

    assertThat(found.loads()).startsWith(500L, 222L, 98L, 43L, 62L);
    assertThat(found.conclusion.holds()).contains(new Bound(70, 2, 2));
    assertThat(found.conclusion.fails()).contains(new Bound(72, 0, 2));
  }

  @Test
  void givesTheSameTrialAgainUntilItIsToldHowItEnded() {
    CapacitySearch search = new CapacitySearch(SearchPlan.FULL, 1, 1_000_000, 500);

    assertThat(search.next()).isEqualTo(search.next()).isPresent();
    assertThatThrownBy(search::conclusion).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void repeatsATrialThatTheLoadGeneratorSpoiled() {
    ScriptedSearch found =
        ScriptedSearch.full(
            500,
            trial -> {
              boolean spoiled = trial.number() == 2 || trial.number() == 3;
              return spoiled ? ScriptedSearch.SPOILED : trial.load() <= 1_500 ? WITHIN : BEYOND;
            });

    assertThat(found.loads()).startsWith(500L, 1_070L, 1_070L, 1_070L, 2_320L);
    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.FOUND);
    assertThat(found.conclusion.trials()).isEqualTo(15);
  }

  @Test
  void goesDownWhereLongerTrialsFail() {
    ScriptedSearch found =
        ScriptedSearch.full(
            500,
            trial ->
                trial.load() <= (trial.stage() == Stage.CONFIRM ? 1_450 : 1_500) ? WITHIN : BEYOND);

    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.FOUND);
    assertThat(found.conclusion.holds().orElseThrow().load()).isBetween(1_400L, 1_450L);
    assertThat(found.conclusion.fails().orElseThrow().load()).isBetween(1_450L, 1_500L);
  }

  @Test
  void goesUpWhereLongerTrialsPass() {
    ScriptedSearch found =
        ScriptedSearch.full(
            500,
            trial ->
                trial.load() <= (trial.stage() == Stage.CONFIRM ? 1_600 : 1_500)
                    ? WITHIN
                    : ScriptedSearch.using(2));

    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.FOUND);
    assertThat(found.conclusion.holds().orElseThrow().load()).isBetween(1_540L, 1_600L);
    assertThat(found.conclusion.fails().orElseThrow().load()).isBetween(1_600L, 1_900L);
  }

  @Test
  void twoOfThreeTrialsDecideAboutALoad() {
    int[] confirmed = new int[1];
    ScriptedSearch found =
        ScriptedSearch.full(
            450,
            trial -> {
              boolean second =
                  trial.stage() == Stage.CONFIRM && trial.load() == 919 && ++confirmed[0] == 2;
              return second ? ScriptedSearch.using(1.1) : growing(trial);
            });

    assertThat(found.conclusion.holds()).contains(new Bound(919, 2, 3));
    assertThat(found.conclusion.fails()).contains(new Bound(940, 0, 2));
  }

  @Test
  void oneUndecidedTrialIsNoUpperBound() {
    boolean[] undecided = new boolean[1];
    ScriptedSearch found =
        new ScriptedSearch(
            QUICK_AND_PATIENT,
            588,
            trial -> {
              if (trial.stage() == Stage.CONFIRM && !undecided[0]) {
                undecided[0] = true;
                return new TrialResult(TrialVerdict.UNDECIDED, 1.3, 0.013);
              }
              return trial.load() <= 420 ? WITHIN : BEYOND;
            });

    assertThat(found.conclusion.outcome()).as("%s", found.loads()).isEqualTo(Outcome.FOUND);
    assertThat(found.conclusion.holds().orElseThrow().load()).isBetween(390L, 420L);
    assertThat(found.conclusion.fails().orElseThrow().load()).isGreaterThan(420);
  }

  /** The trials of a search on an etcd, where each load held in the end. */
  @Test
  void doesNotEndBeforeALoadAboveTheOneThatHoldsHasFailed() {
    double[] used = {2.53, 0.36, 1.44, 3.69, 1.77, 0.24, 0.35, 0.01, 0.3, 0.01, 0.01, 0.01};
    ScriptedSearch found =
        new ScriptedSearch(
            QUICK_AND_PATIENT,
            2_580,
            trial ->
                ScriptedSearch.using(trial.number() <= used.length ? used[trial.number() - 1] : 3));

    assertThat(found.conclusion.outcome()).as("%s", found.loads()).isEqualTo(Outcome.UNSTABLE);
  }

  /** As on an etcd whose first trial had a stall: the capacity is far above it. */
  @Test
  void goesUpAgainWhereTheFirstTrialWasMisleading() {
    ScriptedSearch found =
        new ScriptedSearch(
            QUICK_AND_PATIENT,
            2_810,
            trial ->
                ScriptedSearch.using(
                    trial.number() == 1 ? 1.3 : Math.pow(trial.load() / 4_600.0, 10)));

    assertThat(found.conclusion.outcome()).as("%s", found.loads()).isEqualTo(Outcome.FOUND);
    assertThat(found.conclusion.holds().orElseThrow().load()).isBetween(4_140L, 4_600L);
    assertThat(found.conclusion.fails().orElseThrow().load()).isGreaterThan(4_600L);
  }

  @Test
  void searchesSmallNumbersOfClientsToTheLastOne() {
    ScriptedSearch found = ScriptedSearch.full(4, trial -> trial.load() <= 6 ? WITHIN : BEYOND);

    assertThat(found.loads()).containsExactly(4L, 8L, 5L, 6L, 7L, 6L, 7L, 6L, 7L);
    assertThat(found.conclusion.holds()).contains(new Bound(6, 2, 2));
  }
}
