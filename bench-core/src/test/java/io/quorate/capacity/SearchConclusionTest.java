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
    assertThat(found.conclusion.fails()).contains(new Bound(1_510, 0, 2));
  }

  @Test
  void saysThatNonePassesWhenTheLowestLoadFailsTwice() {
    ScriptedSearch found =
        new ScriptedSearch(SearchPlan.FULL.between(100, 10_000), 500, trial -> BEYOND);

    assertThat(found.loads()).containsExactly(500L, 250L, 125L, 100L, 100L, 100L);
    assertThat(found.conclusion)
        .isEqualTo(
            new Conclusion(
                Outcome.NONE_PASSES, Optional.empty(), Optional.of(new Bound(100, 0, 2)), 6));
  }

  @Test
  void saysThatNoneFailsWhenTheHighestLoadPassesTwice() {
    ScriptedSearch found =
        new ScriptedSearch(SearchPlan.FULL.between(1, 1_500), 500, trial -> WITHIN);

    assertThat(found.loads()).containsExactly(500L, 1_000L, 1_500L, 1_500L, 1_500L);
    assertThat(found.conclusion)
        .isEqualTo(
            new Conclusion(
                Outcome.NONE_FAILS, Optional.of(new Bound(1_500, 2, 2)), Optional.empty(), 5));
  }

  @Test
  void isLimitedByTheLoadGeneratorWhereThatSpoilsThreeTrialsOfALoad() {
    ScriptedSearch found =
        ScriptedSearch.full(500, trial -> trial.load() <= 900 ? WITHIN : TrialResult.spoiled());

    assertThat(found.loads()).startsWith(500L, 1_000L, 1_000L, 1_000L, 707L);
    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.LIMITED_BY_LOAD_GENERATOR);
    assertThat(found.conclusion.holds().orElseThrow().load()).isBetween(870L, 900L);
    assertThat(found.conclusion.holds().orElseThrow().passed()).isEqualTo(2);
  }

  @Test
  void holdsNothingWhereTheLoadGeneratorSpoilsEveryTrial() {
    ScriptedSearch found =
        new ScriptedSearch(
            SearchPlan.FULL.between(100, 10_000), 200, trial -> TrialResult.spoiled());

    assertThat(found.loads()).containsExactly(200L, 200L, 200L, 100L, 100L, 100L);
    assertThat(found.conclusion)
        .isEqualTo(
            new Conclusion(
                Outcome.LIMITED_BY_LOAD_GENERATOR,
                Optional.empty(),
                Optional.of(new Bound(100, 0, 0)),
                6));
  }

  @Test
  void isUnstableWhereBoundsTurnOutWrongAgainAndAgain() {
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
            1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 512L, 1_020L, 2_040L, 1_440L, 1_650L);
    assertThat(found.conclusion)
        .isEqualTo(
            new Conclusion(
                Outcome.UNSTABLE, Optional.empty(), Optional.of(new Bound(1_650, 0, 1)), 14));
  }

  @Test
  void decidesAboutWiderBoundsRatherThanGoingOnForMoreThanFifteenTrials() {
    ScriptedSearch found =
        ScriptedSearch.full(15, trial -> trial.load() <= 1_500 ? WITHIN : BEYOND);

    assertThat(found.loads())
        .containsExactly(
            15L, 30L, 60L, 120L, 240L, 480L, 960L, 1_920L, 1_360L, 1_620L, 1_480L, 1_550L, 1_480L,
            1_550L, 1_480L);
    assertThat(found.conclusion.holds()).contains(new Bound(1_480, 2, 2));
    assertThat(found.conclusion.fails()).contains(new Bound(1_550, 0, 1));
  }

  @Test
  void findsNothingInTwelveMinutesOfTooFewTrialsOfTheFinalLength() {
    CapacitySearch search = new CapacitySearch(SearchPlan.FULL, 500);
    while (search.next().isPresent()) {
      search.add(search.next().get().load() <= 1_500 ? WITHIN : BEYOND, 160);
    }

    assertThat(search.conclusion())
        .isEqualTo(
            new Conclusion(
                Outcome.UNSTABLE, Optional.empty(), Optional.of(new Bound(1_530, 0, 1)), 5));
  }

  @Test
  void saysThatNoneFailsWhereFifteenTrialsDidNotComeToALoadThatDoes() {
    ScriptedSearch found = ScriptedSearch.full(1, trial -> WITHIN);

    assertThat(found.conclusion)
        .isEqualTo(
            new Conclusion(
                Outcome.NONE_FAILS, Optional.of(new Bound(4_080, 2, 2)), Optional.empty(), 15));
  }

  @Test
  void saysThatNonePassesWhereFifteenTrialsDidNotComeToALoadThatDoes() {
    ScriptedSearch found = ScriptedSearch.full(1_000_000, trial -> BEYOND);

    assertThat(found.conclusion)
        .isEqualTo(
            new Conclusion(
                Outcome.NONE_PASSES, Optional.empty(), Optional.of(new Bound(244, 0, 2)), 15));
  }

  /** The trials of a search on an etcd, whose first one had a standstill. */
  @Test
  void holdsTheHighestLoadThatPassedWhereNoneFailedAboveTheOneThatWasDecidedAbout() {
    double[] used = {1.72, 0.01, 0.01, 0.53, 0.28, 0.01, 0.01, 0.36, 0.07, 0.01, 0.78};
    ScriptedSearch found =
        new ScriptedSearch(
            new SearchPlan(1.06, 2, 5, 10, 2, 3, 1, 1_000_000, 8, used.length, 600),
            2_540,
            trial -> ScriptedSearch.using(used[trial.number() - 1]));

    long highest = found.loads().stream().mapToLong(load -> load).max().orElseThrow();
    assertThat(highest).as("%s", found.loads()).isGreaterThan(2_540);
    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.NONE_FAILS);
    assertThat(found.conclusion.holds()).contains(new Bound(highest, 2, 2));
  }

  /** A last load that is likely to hold would be one client again, or none. */
  @Test
  void saysThatNonePassesWhereOneClientPassedOnlyAtFirst() {
    for (int trials = 4; trials <= 15; trials++) {
      ScriptedSearch found =
          new ScriptedSearch(
              new SearchPlan(1.03, 5, 20, 60, 2, 3, 1, 1_000, trials, trials, 3_000),
              4,
              trial -> trial.load() == 1 && trial.stage() != Trial.Stage.CONFIRM ? WITHIN : BEYOND);

      assertThat(found.loads()).as("of %d trials", trials).allMatch(load -> load >= 1);
      assertThat(found.conclusion.outcome()).isIn(Outcome.NONE_PASSES, Outcome.UNSTABLE);
    }
  }
}
