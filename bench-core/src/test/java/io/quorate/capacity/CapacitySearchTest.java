package io.quorate.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.capacity.Trial.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class CapacitySearchTest {
  private static final SearchPlan FULL = SearchPlan.FULL;

  /** As a quick one, but with all the time that its trials may take. */
  private static final SearchPlan QUICK_AND_PATIENT =
      new SearchPlan(1.06, 2, 5, 10, 2, 3, 1, 1_000_000, 12, 15, 600);

  /** So that they tell nothing of how far the limit is. */
  private static final TrialResult WITHIN = new TrialResult(TrialVerdict.PASS, 0.04, 0.0004);

  private static final TrialResult BEYOND = new TrialResult(TrialVerdict.FAIL, 40, 0.4);
  private static final TrialResult FAR_BEYOND = new TrialResult(TrialVerdict.FAIL, 90, 0.9);
  private static final TrialResult FAR_WITHIN = new TrialResult(TrialVerdict.PASS, 0, 0);

  /** Searches with results that follow from the trial. */
  private static final class Scripted {
    final List<Trial> trials = new ArrayList<>();
    final Conclusion conclusion;

    Scripted(SearchPlan plan, long start, Function<Trial, TrialResult> results) {
      CapacitySearch search = new CapacitySearch(plan, start);
      while (search.next().isPresent()) {
        Trial trial = search.next().get();
        trials.add(trial);
        search.add(results.apply(trial), trial.settleSeconds() + trial.measureSeconds());
      }
      conclusion = search.conclusion();
    }

    List<Long> loads() {
      return trials.stream().map(Trial::load).toList();
    }
  }

  private static Scripted search(long start, Function<Trial, TrialResult> results) {
    return new Scripted(FULL, start, results);
  }

  @Test
  void doublesUntilALoadFailsThenTriesTheGeometricMeanThenBothBoundsInTurn() {
    Scripted found = search(500, trial -> trial.load() <= 1_500 ? WITHIN : BEYOND);

    assertThat(found.loads())
        .containsExactly(
            500L, 1_000L, 2_000L, 1_410L, 1_680L, 1_540L, 1_470L, 1_510L, 1_470L, 1_510L, 1_470L,
            1_510L);
    assertThat(found.trials)
        .extracting(Trial::stage)
        .containsExactly(
            Stage.BRACKET,
            Stage.BRACKET,
            Stage.BRACKET,
            Stage.NARROW,
            Stage.NARROW,
            Stage.NARROW,
            Stage.NARROW,
            Stage.NARROW,
            Stage.CONFIRM,
            Stage.CONFIRM,
            Stage.CONFIRM,
            Stage.CONFIRM);
    assertThat(found.conclusion)
        .isEqualTo(
            new Conclusion(
                Outcome.FOUND,
                Optional.of(new Bound(1_470, 2, 2)),
                Optional.of(new Bound(1_510, 0, 2)),
                12));
  }

  /** Ten times as many violate the limit with each 100/s more, as many as may at 930/s. */
  private static TrialResult growing(Trial trial) {
    double used = Math.pow(10, (trial.load() - 930) / 100.0);
    return used <= 1
        ? new TrialResult(TrialVerdict.PASS, used, 0.01 * used)
        : new TrialResult(TrialVerdict.FAIL, used, Math.min(1, 0.01 * used));
  }

  @Test
  void triesWhereTheLimitShouldBeAfterWhatTrialsUsedOfItThenBoundsAroundThat() {
    Scripted found = search(450, CapacitySearchTest::growing);

    assertThat(found.loads())
        .containsExactly(450L, 900L, 1_260L, 1_070L, 981L, 914L, 947L, 914L, 947L);
    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.FOUND);
    assertThat(found.conclusion.holds()).contains(new Bound(914, 2, 2));
    assertThat(found.conclusion.fails()).contains(new Bound(947, 0, 2));
  }

  @Test
  void measuresForTwentySecondsUpToFortyAndTheLastOnesForSixty() {
    List<Trial> trials = search(500, trial -> trial.load() <= 1_500 ? WITHIN : BEYOND).trials;

    assertThat(trials.get(0)).isEqualTo(new Trial(1, 500, Stage.BRACKET, 5, 20, 40));
    assertThat(trials.get(11)).isEqualTo(new Trial(12, 1_510, Stage.CONFIRM, 5, 60, 60));
  }

  @Test
  void halvesUntilALoadPasses() {
    assertThat(search(500, trial -> trial.load() <= 70 ? WITHIN : BEYOND).loads())
        .containsExactly(500L, 250L, 125L, 62L, 88L, 74L, 68L, 71L, 69L, 69L, 71L, 69L, 71L);
  }

  @Test
  void givesTheSameTrialAgainUntilItIsToldHowItEnded() {
    CapacitySearch search = new CapacitySearch(FULL, 500);

    assertThat(search.next()).isEqualTo(search.next()).isPresent();
    assertThatThrownBy(search::conclusion).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void findsACliffWhereTheLowerBoundIsFarWithinAndTheUpperOneFarBeyond() {
    Scripted found = search(500, trial -> trial.load() <= 1_500 ? FAR_WITHIN : FAR_BEYOND);

    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.CLIFF);
    assertThat(found.conclusion.holds()).contains(new Bound(1_470, 2, 2));
    assertThat(found.conclusion.fails()).contains(new Bound(1_510, 0, 2));
  }

  @Test
  void saysThatNonePassesWhenTheLowestLoadFailsTwice() {
    Scripted found = new Scripted(FULL.between(100, 10_000), 500, trial -> BEYOND);

    assertThat(found.loads()).containsExactly(500L, 250L, 125L, 100L, 100L, 100L);
    assertThat(found.conclusion)
        .isEqualTo(
            new Conclusion(
                Outcome.NONE_PASSES, Optional.empty(), Optional.of(new Bound(100, 0, 2)), 6));
  }

  @Test
  void saysThatNoneFailsWhenTheHighestLoadPassesTwice() {
    Scripted found = new Scripted(FULL.between(1, 1_500), 500, trial -> WITHIN);

    assertThat(found.loads()).containsExactly(500L, 1_000L, 1_500L, 1_500L, 1_500L);
    assertThat(found.conclusion)
        .isEqualTo(
            new Conclusion(
                Outcome.NONE_FAILS, Optional.of(new Bound(1_500, 2, 2)), Optional.empty(), 5));
  }

  @Test
  void repeatsATrialThatTheLoadGeneratorSpoiled() {
    Scripted found =
        search(
            500,
            trial -> {
              boolean spoiled = trial.number() == 2 || trial.number() == 3;
              return spoiled ? TrialResult.spoiled() : trial.load() <= 1_500 ? WITHIN : BEYOND;
            });

    assertThat(found.loads()).startsWith(500L, 1_000L, 1_000L, 1_000L, 2_000L);
    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.FOUND);
    assertThat(found.conclusion.trials()).isEqualTo(14);
  }

  @Test
  void isLimitedByTheLoadGeneratorWhereThatSpoilsThreeTrialsOfALoad() {
    Scripted found = search(500, trial -> trial.load() <= 900 ? WITHIN : TrialResult.spoiled());

    assertThat(found.loads()).startsWith(500L, 1_000L, 1_000L, 1_000L, 707L);
    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.LIMITED_BY_LOAD_GENERATOR);
    assertThat(found.conclusion.holds().orElseThrow().load()).isBetween(870L, 900L);
    assertThat(found.conclusion.holds().orElseThrow().passed()).isEqualTo(2);
  }

  @Test
  void holdsNothingWhereTheLoadGeneratorSpoilsEveryTrial() {
    Scripted found = new Scripted(FULL.between(100, 10_000), 200, trial -> TrialResult.spoiled());

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
  void takesALowerLoadThatFailsLaterForTheUpperBound() {
    Scripted found =
        search(
            500,
            trial ->
                trial.load() <= (trial.stage() == Stage.CONFIRM ? 1_450 : 1_500) ? WITHIN : BEYOND);

    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.FOUND);
    assertThat(found.conclusion.holds()).contains(new Bound(1_440, 2, 2));
    assertThat(found.conclusion.fails()).contains(new Bound(1_470, 0, 2));
  }

  @Test
  void goesUpWhereTheUpperBoundPassesLater() {
    Scripted found =
        search(
            500,
            trial ->
                trial.load() <= (trial.stage() == Stage.CONFIRM ? 1_600 : 1_500) ? WITHIN : BEYOND);

    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.FOUND);
    assertThat(found.conclusion.holds().orElseThrow().load()).isBetween(1_540L, 1_600L);
    assertThat(found.conclusion.fails().orElseThrow().load()).isBetween(1_560L, 1_680L);
  }

  @Test
  void twoOfThreeTrialsDecideAboutABound() {
    int[] confirmed = new int[1];
    Scripted found =
        search(
            500,
            trial -> {
              boolean first =
                  trial.stage() == Stage.CONFIRM && trial.load() == 1_470 && confirmed[0]++ == 0;
              return trial.load() <= 1_500 && !first ? WITHIN : BEYOND;
            });

    assertThat(found.conclusion.holds()).contains(new Bound(1_470, 2, 3));
    assertThat(found.conclusion.trials()).isEqualTo(13);
  }

  @Test
  void isUnstableWhereBoundsTurnOutWrongAgainAndAgain() {
    Scripted found =
        search(
            500,
            trial -> {
              boolean within = trial.load() <= 1_500;
              return within == (trial.stage() != Stage.CONFIRM) ? WITHIN : BEYOND;
            });

    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.UNSTABLE);
  }

  @Test
  void endsAfterFifteenTrialsWithTheBoundsThatItKnows() {
    Scripted found = search(1, trial -> trial.load() <= 1_500 ? WITHIN : BEYOND);

    assertThat(found.loads())
        .containsExactly(
            1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 512L, 1_020L, 2_040L, 1_440L, 1_710L,
            1_570L);
    assertThat(found.conclusion)
        .isEqualTo(
            new Conclusion(
                Outcome.FOUND,
                Optional.of(new Bound(1_440, 1, 1)),
                Optional.of(new Bound(1_570, 0, 1)),
                15));
  }

  @Test
  void decidesAboutWiderBoundsRatherThanGoingOnForMoreThanFifteenTrials() {
    Scripted found = search(15, trial -> trial.load() <= 1_500 ? WITHIN : BEYOND);

    assertThat(found.loads())
        .containsExactly(
            15L, 30L, 60L, 120L, 240L, 480L, 960L, 1_920L, 1_360L, 1_620L, 1_480L, 1_550L, 1_480L,
            1_550L, 1_480L);
    assertThat(found.conclusion.holds()).contains(new Bound(1_480, 2, 2));
    assertThat(found.conclusion.fails()).contains(new Bound(1_550, 0, 1));
  }

  /** The trials of a search on an etcd, where each load held in the end. */
  @Test
  void doesNotEndBeforeALoadAboveTheOneThatHoldsHasFailed() {
    double[] used = {2.53, 0.36, 1.44, 3.69, 1.77, 0.24, 0.35, 0.01, 0.3, 0.01, 0.01, 0.01};
    Scripted found =
        new Scripted(
            QUICK_AND_PATIENT,
            2_580,
            trial -> {
              double part = trial.number() <= used.length ? used[trial.number() - 1] : 3;
              TrialVerdict verdict = part <= 1 ? TrialVerdict.PASS : TrialVerdict.FAIL;
              return new TrialResult(verdict, part, 0.01 * part);
            });

    Bound fails = found.conclusion.fails().orElseThrow();
    assertThat(fails.passed()).as("%s of %s", fails, found.loads()).isLessThan(fails.trials());
  }

  /** As on an etcd whose first trial had a standstill: the capacity is far above it. */
  @Test
  void goesUpInGrowingStepsWhereTheFirstBoundsWereFarTooLow() {
    Scripted found =
        new Scripted(
            QUICK_AND_PATIENT,
            2_810,
            trial -> {
              double used = trial.number() == 1 ? 1.3 : Math.pow(trial.load() / 4_600.0, 10);
              TrialVerdict verdict = used <= 1 ? TrialVerdict.PASS : TrialVerdict.FAIL;
              return new TrialResult(verdict, used, Math.min(1, 0.01 * used));
            });

    assertThat(found.conclusion.outcome()).as("%s", found.loads()).isEqualTo(Outcome.FOUND);
    assertThat(found.conclusion.holds().orElseThrow().load()).isBetween(4_140L, 4_600L);
    assertThat(found.conclusion.fails().orElseThrow().load()).isGreaterThan(4_600L);
  }

  @Test
  void endsAfterTwelveMinutesWithTheBoundsThatItKnows() {
    CapacitySearch search = new CapacitySearch(FULL, 500);
    while (search.next().isPresent()) {
      search.add(search.next().get().load() <= 1_500 ? WITHIN : BEYOND, 160);
    }

    assertThat(search.conclusion())
        .isEqualTo(
            new Conclusion(
                Outcome.FOUND,
                Optional.of(new Bound(1_410, 1, 1)),
                Optional.of(new Bound(1_680, 0, 1)),
                5));
  }

  @Test
  void saysThatNoneFailsWhereFifteenTrialsDidNotComeToALoadThatDoes() {
    Scripted found = search(1, trial -> WITHIN);

    assertThat(found.conclusion)
        .isEqualTo(
            new Conclusion(
                Outcome.NONE_FAILS, Optional.of(new Bound(16_300, 1, 1)), Optional.empty(), 15));
  }

  @Test
  void saysThatNonePassesWhereFifteenTrialsDidNotComeToALoadThatDoes() {
    Scripted found = search(1_000_000, trial -> BEYOND);

    assertThat(found.conclusion)
        .isEqualTo(
            new Conclusion(
                Outcome.NONE_PASSES, Optional.empty(), Optional.of(new Bound(61, 0, 1)), 15));
  }

  @Test
  void searchesSmallNumbersOfClientsToTheLastOne() {
    Scripted found = search(4, trial -> trial.load() <= 6 ? WITHIN : BEYOND);

    assertThat(found.loads()).containsExactly(4L, 8L, 6L, 7L, 6L, 7L, 6L, 7L);
    assertThat(found.conclusion.holds()).contains(new Bound(6, 2, 2));
  }
}
