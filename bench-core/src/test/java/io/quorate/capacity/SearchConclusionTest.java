// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import static io.quorate.capacity.ScriptedSearch.BEYOND;
import static io.quorate.capacity.ScriptedSearch.WITHIN;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.capacity.Trial.Stage;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests when and how a search ends. */
class SearchConclusionTest {
  private static final TrialResult FAR_BEYOND = new TrialResult(TrialVerdict.FAIL, 90, 0.9);
  private static final TrialResult FAR_WITHIN = new TrialResult(TrialVerdict.PASS, 0, 0);

  @Test
  void findsACliffWhereTheLowerBoundIsFarWithinAndTheUpperOneFarBeyond() {
    ScriptedSearch found =
        ScriptedSearch.full(500, trial -> trial.load() <= 1_500 ? FAR_WITHIN : FAR_BEYOND);

    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.CLIFF);
    assertThat(found.conclusion.holds()).contains(new Bound(1_470, 2, 2));
    assertThat(found.conclusion.fails()).contains(new Bound(1_550, 0, 1));
  }

  @Test
  void saysThatNonePassesWhenTheLowestLoadFailsTwice() {
    ScriptedSearch found = new ScriptedSearch(SearchPlan.FULL, 100, 10_000, 500, trial -> BEYOND);

    assertThat(found.loads()).containsExactly(500L, 222L, 100L, 100L, 100L);
    assertThat(found.conclusion)
        .isEqualTo(
            new SearchResult(
                Outcome.NONE_PASSES, Optional.empty(), Optional.of(new Bound(100, 0, 2)), 5));
  }

  @Test
  void saysThatNoneFailsWhenTheHighestLoadPassesTwice() {
    ScriptedSearch found = new ScriptedSearch(SearchPlan.FULL, 1, 1_500, 500, trial -> WITHIN);

    assertThat(found.loads()).containsExactly(500L, 1_070L, 1_500L, 1_500L);
    assertThat(found.conclusion)
        .isEqualTo(
            new SearchResult(
                Outcome.NONE_FAILS, Optional.of(new Bound(1_500, 2, 2)), Optional.empty(), 4));
  }

  @Test
  void isLimitedByTheLoadGeneratorWhereThatSpoilsThreeTrialsOfALoad() {
    ScriptedSearch found =
        ScriptedSearch.full(500, trial -> trial.load() <= 900 ? WITHIN : ScriptedSearch.SPOILED);

    assertThat(found.loads()).startsWith(500L, 1_070L, 1_070L, 1_070L, 727L);
    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.LIMITED_BY_LOAD_GENERATOR);
    assertThat(found.conclusion.holds().orElseThrow().load()).isBetween(870L, 900L);
    assertThat(found.conclusion.holds().orElseThrow().passed()).isEqualTo(2);
  }

  @Test
  void triesNoLoadAboveOneThatTheLoadGeneratorCannotMake() {
    ScriptedSearch found =
        new ScriptedSearch(
            SearchPlan.QUICK,
            720,
            trial -> trial.load() <= 1_500 ? ScriptedSearch.using(0.001) : ScriptedSearch.SPOILED);

    assertThat(found.loads()).startsWith(720L, 1_480L, 3_130L, 3_130L, 3_130L);
    assertThat(found.loads()).allMatch(load -> load <= 3_130);
    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.LIMITED_BY_LOAD_GENERATOR);
  }

  @Test
  void holdsNothingWhereTheLoadGeneratorSpoilsEveryTrial() {
    ScriptedSearch found =
        new ScriptedSearch(SearchPlan.FULL, 100, 10_000, 200, trial -> ScriptedSearch.SPOILED);

    assertThat(found.loads()).containsExactly(200L, 200L, 200L, 100L, 100L, 100L);
    assertThat(found.conclusion)
        .isEqualTo(
            new SearchResult(
                Outcome.LIMITED_BY_LOAD_GENERATOR,
                Optional.empty(),
                Optional.of(new Bound(100, 0, 0)),
                6));
  }

  @Test
  void isUnstableWhereLongerTrialsContradictTheShorterOnes() {
    ScriptedSearch found =
        ScriptedSearch.full(
            500,
            trial -> {
              boolean within = trial.load() <= 1_500;
              return within == (trial.stage() != Stage.CONFIRM) ? WITHIN : BEYOND;
            });

    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.UNSTABLE);
  }

  @Test
  void findsNothingInFifteenTrialsOfWhichTooFewHaveTheFinalLength() {
    ScriptedSearch found = ScriptedSearch.full(1, trial -> trial.load() <= 1_500 ? WITHIN : BEYOND);

    assertThat(found.loads())
        .containsExactly(
            1L, 2L, 4L, 8L, 17L, 36L, 77L, 164L, 350L, 748L, 1_600L, 974L, 1_110L, 1_210L, 1_300L);
    assertThat(found.conclusion)
        .isEqualTo(
            new SearchResult(
                Outcome.UNSTABLE, Optional.of(new Bound(1_300, 1, 1)), Optional.empty(), 15));
  }

  @Test
  void findsNothingInTwelveMinutesOfTooFewTrialsOfTheFinalLength() {
    CapacitySearch search = new CapacitySearch(SearchPlan.FULL, 1, 1_000_000, 500);
    while (search.next().isPresent()) {
      search.add(search.next().get().load() <= 1_500 ? WITHIN : BEYOND, 200);
    }

    assertThat(search.conclusion().outcome()).isEqualTo(Outcome.UNSTABLE);
    assertThat(search.conclusion().trials()).isEqualTo(4);
  }

  @Test
  void saysThatNoneFailsWhereFifteenTrialsDidNotComeToALoadThatDoes() {
    ScriptedSearch found = ScriptedSearch.full(1, trial -> WITHIN);

    long highest = found.loads().get(14);
    assertThat(found.loads()).allMatch(load -> load <= highest);
    assertThat(found.conclusion)
        .isEqualTo(
            new SearchResult(
                Outcome.NONE_FAILS, Optional.of(new Bound(highest, 1, 1)), Optional.empty(), 15));
  }

  @Test
  void saysThatNonePassesWhereFifteenTrialsDidNotComeToALoadThatDoes() {
    ScriptedSearch found = ScriptedSearch.full(1_000_000, trial -> BEYOND);

    long lowest = found.loads().get(14);
    assertThat(found.loads()).allMatch(load -> load >= lowest);
    assertThat(found.conclusion)
        .isEqualTo(
            new SearchResult(
                Outcome.NONE_PASSES, Optional.empty(), Optional.of(new Bound(lowest, 0, 1)), 15));
  }

  /** A last load that is likely to hold would be one client again, or none. */
  @Test
  void saysThatNonePassesWhereOneClientPassedOnlyAtFirst() {
    for (int trials = 4; trials <= 15; trials++) {
      ScriptedSearch found =
          new ScriptedSearch(
              new SearchPlan(1.03, 5, 20, 60, 2, 3, trials, 3_000),
              1,
              1_000,
              4,
              trial -> trial.load() == 1 && trial.stage() != Trial.Stage.CONFIRM ? WITHIN : BEYOND);

      assertThat(found.loads()).as("of %d trials", trials).allMatch(load -> load >= 1);
      assertThat(found.conclusion.outcome()).isIn(Outcome.NONE_PASSES, Outcome.UNSTABLE);
    }
  }
}
