// SPDX-License-Identifier: Apache-2.0
package io.quorate.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.capacity.Trial.Stage;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests what follows from the trials of a quick search. */
class SearchResultTest {
  private static final TrialResult NEARLY_FAILED =
      new TrialResult(TrialVerdict.UNDECIDED, 1.3, 0.013);

  private static final TrialResult SPOILED = new TrialResult(TrialVerdict.SPOILED, 0, 0);

  private final LoadPoints tried = new LoadPoints();
  private int trials;

  private void tried(Stage stage, long load, TrialResult result) {
    int seconds = stage == Stage.CONFIRM ? 10 : 5;
    tried.add(result, new Trial(++trials, load, stage, 2, seconds, seconds));
  }

  private SearchResult conclusion() {
    return SearchResult.of(tried, SearchPlan.QUICK, trials);
  }

  /** The trials of a search behind a proxy that let through 400 requests/s, up to the last load. */
  private void passAbove() {
    tried(Stage.BRACKET, 588, ScriptedSearch.BEYOND);
    tried(Stage.BRACKET, 294, ScriptedSearch.WITHIN);
    tried(Stage.NARROW, 185, ScriptedSearch.WITHIN);
    tried(Stage.NARROW, 147, ScriptedSearch.WITHIN);
    tried(Stage.CONFIRM, 104, ScriptedSearch.WITHIN);
    tried(Stage.CONFIRM, 104, ScriptedSearch.WITHIN);
  }

  @Test
  void anUndecidedTrialIsNoUpperBound() {
    passAbove();
    tried(Stage.CONFIRM, 134, NEARLY_FAILED);

    assertThat(conclusion().outcome()).isEqualTo(Outcome.UNSTABLE);
    assertThat(conclusion().isKnown()).isFalse();
    assertThat(conclusion().fails()).isEmpty();
  }

  @Test
  void aLoadWhoseTrialsMostlyExceededTheLimitsAndOncePassedIsNoBound() {
    tried(Stage.BRACKET, 588, ScriptedSearch.BEYOND);
    tried(Stage.BRACKET, 200, ScriptedSearch.WITHIN);
    tried(Stage.CONFIRM, 300, ScriptedSearch.using(0.9));
    tried(Stage.CONFIRM, 300, NEARLY_FAILED);
    tried(Stage.CONFIRM, 300, NEARLY_FAILED);

    assertThat(conclusion().holds()).isEmpty();
    assertThat(conclusion().fails()).isEmpty();
  }

  /** The likelihood takes 3,100 for too much, and 5,880 failed. */
  @Test
  void oneUndecidedTrialDoesNotMakeALoadFail() {
    tried(Stage.BRACKET, 5_880, ScriptedSearch.BEYOND);
    tried(Stage.CONFIRM, 3_000, ScriptedSearch.using(0.7));
    tried(Stage.CONFIRM, 3_000, ScriptedSearch.using(0.7));
    tried(Stage.CONFIRM, 3_100, new TrialResult(TrialVerdict.UNDECIDED, 6, 0.06));

    assertThat(tried.likelihood().isAtLeast(3_100)).isFalse();
    assertThat(conclusion())
        .isEqualTo(
            new SearchResult(
                Outcome.UNSTABLE, Optional.of(new Bound(3_000, 2, 2)), Optional.empty(), 4));
  }

  @Test
  void passesAboveALoadThatFailedContradictIt() {
    passAbove();
    tried(Stage.CONFIRM, 110, ScriptedSearch.BEYOND);

    assertThat(conclusion().outcome()).isEqualTo(Outcome.UNSTABLE);
    assertThat(conclusion().isKnown()).isFalse();
    assertThat(conclusion().holds()).isEmpty();
  }

  /** Quick searches promise 10%; up to 60%, the range of a slow store is a result. */
  @Test
  void boundsFurtherApartThanPromisedAreNotPreciseAndNotFoundIfTooFarApart() {
    tried(Stage.BRACKET, 9_000, ScriptedSearch.BEYOND);
    tried(Stage.CONFIRM, 4_000, ScriptedSearch.using(0.1));
    tried(Stage.CONFIRM, 4_000, ScriptedSearch.using(0.1));
    tried(Stage.CONFIRM, 6_500, ScriptedSearch.using(30));
    tried(Stage.CONFIRM, 6_500, ScriptedSearch.using(30));
    assertThat(conclusion().outcome()).isEqualTo(Outcome.UNSTABLE);

    tried(Stage.CONFIRM, 4_800, ScriptedSearch.using(6));
    tried(Stage.CONFIRM, 4_800, ScriptedSearch.using(6));
    assertThat(conclusion().outcome()).isEqualTo(Outcome.FOUND);
    assertThat(conclusion().isPrecise(SearchPlan.QUICK)).isFalse();

    tried(Stage.CONFIRM, 4_400, ScriptedSearch.using(3));
    tried(Stage.CONFIRM, 4_400, ScriptedSearch.using(3));
    assertThat(conclusion().outcome()).isEqualTo(Outcome.FOUND);
    assertThat(conclusion().isPrecise(SearchPlan.QUICK)).isTrue();
  }

  /** The pause is within the limit over all trials, but would not be if it came twice. */
  @Test
  void aStoreThatPausedForTooLongHasNoCapacity() {
    tried(Stage.BRACKET, 5_880, ScriptedSearch.BEYOND);
    tried(Stage.CONFIRM, 4_000, ScriptedSearch.WITHIN);
    tried(Stage.CONFIRM, 4_000, ScriptedSearch.WITHIN);
    tried(Stage.CONFIRM, 4_300, ScriptedSearch.BEYOND);
    tried(Stage.CONFIRM, 4_300, ScriptedSearch.BEYOND);
    assertThat(conclusion().holds()).contains(new Bound(4_000, 2, 2));

    tried(Stage.NARROW, 3_500, ScriptedSearch.using(4));
    assertThat(conclusion().holds()).isEmpty();
    assertThat(conclusion().isKnown()).isFalse();
  }

  @Test
  void shortTrialsDecideNothing() {
    tried(Stage.NARROW, 400, ScriptedSearch.WITHIN);
    tried(Stage.NARROW, 410, ScriptedSearch.BEYOND);

    assertThat(conclusion())
        .isEqualTo(new SearchResult(Outcome.UNSTABLE, Optional.empty(), Optional.empty(), 2));
  }

  @Test
  void undecidedTrialsAloneFindNothing() {
    ScriptedSearch found =
        new ScriptedSearch(
            SearchPlan.QUICK,
            300,
            trial ->
                new TrialResult(TrialVerdict.UNDECIDED, trial.load() > 400 ? 1.3 : 0.7, 0.013));

    assertThat(found.conclusion.outcome()).isEqualTo(Outcome.UNSTABLE);
  }

  @Test
  void aLoadThatFailedBelowBoundsTheOnesThatHold() {
    tried(Stage.BRACKET, 13_000, ScriptedSearch.BEYOND);
    tried(Stage.CONFIRM, 9_900, ScriptedSearch.WITHIN);
    tried(Stage.CONFIRM, 10_400, ScriptedSearch.BEYOND);
    tried(Stage.CONFIRM, 10_400, ScriptedSearch.BEYOND);
    tried(Stage.CONFIRM, 10_500, ScriptedSearch.WITHIN);

    assertThat(conclusion().holds()).contains(new Bound(9_900, 1, 1));
    assertThat(conclusion().fails()).contains(new Bound(10_400, 0, 2));
  }

  @Test
  void aLoadThatWasMadeIsNotOneThatTheLoadGeneratorCannotMake() {
    tried(Stage.BRACKET, 900, ScriptedSearch.BEYOND);
    tried(Stage.CONFIRM, 768, ScriptedSearch.WITHIN);
    tried(Stage.CONFIRM, 791, SPOILED);
    tried(Stage.CONFIRM, 791, SPOILED);
    tried(Stage.CONFIRM, 791, ScriptedSearch.using(0.68));
    tried(Stage.CONFIRM, 791, SPOILED);

    assertThat(tried.at(791).isUnmakeable()).isFalse();
    assertThat(conclusion().outcome()).isNotEqualTo(Outcome.LIMITED_BY_LOAD_GENERATOR);
  }

  @Test
  void aHigherLoadOfWhichEveryTrialWasSpoiledWasTried() {
    tried(Stage.CONFIRM, 436, ScriptedSearch.WITHIN);
    tried(Stage.CONFIRM, 436, ScriptedSearch.WITHIN);
    assertThat(conclusion().outcome()).isEqualTo(Outcome.NONE_FAILS);

    tried(Stage.BRACKET, 610, SPOILED);
    tried(Stage.BRACKET, 610, SPOILED);
    assertThat(conclusion().outcome()).isEqualTo(Outcome.UNSTABLE);
    assertThat(conclusion().isKnown()).isFalse();
  }

  @Test
  void undecidedTrialsWithinTheLimitsContradictThatNonePasses() {
    tried(Stage.BRACKET, 400, ScriptedSearch.BEYOND);
    tried(Stage.CONFIRM, 300, NEARLY_FAILED);
    tried(Stage.CONFIRM, 310, ScriptedSearch.using(3));
    tried(Stage.CONFIRM, 310, ScriptedSearch.using(3));
    assertThat(conclusion().outcome()).isEqualTo(Outcome.NONE_PASSES);

    tried(Stage.CONFIRM, 290, new TrialResult(TrialVerdict.UNDECIDED, 0.9, 0.009));
    assertThat(conclusion().holds()).isEmpty();
    assertThat(conclusion().outcome()).isEqualTo(Outcome.UNSTABLE);
  }

  @Test
  void trialsThatAreAllUndecidedShowNoCapacity() {
    tried(Stage.BRACKET, 400, NEARLY_FAILED);
    tried(Stage.CONFIRM, 300, new TrialResult(TrialVerdict.UNDECIDED, 0.9, 0.009));
    tried(Stage.CONFIRM, 300, new TrialResult(TrialVerdict.UNDECIDED, 0.9, 0.009));

    assertThat(conclusion().outcome()).isEqualTo(Outcome.UNSTABLE);
  }
}
