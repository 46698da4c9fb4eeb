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
  void aLoadWhoseTrialsMostlyExceededTheLimitsDoesNotHold() {
    tried(Stage.BRACKET, 588, ScriptedSearch.BEYOND);
    tried(Stage.BRACKET, 200, ScriptedSearch.WITHIN);
    tried(Stage.CONFIRM, 300, ScriptedSearch.using(0.9));
    tried(Stage.CONFIRM, 300, NEARLY_FAILED);
    tried(Stage.CONFIRM, 300, NEARLY_FAILED);

    assertThat(conclusion().holds()).isEmpty();
    assertThat(conclusion().fails()).contains(new Bound(300, 1, 1));
  }

  /** The likelihood takes 310 for too much, and 588 failed. */
  @Test
  void oneUndecidedTrialDoesNotMakeALoadFail() {
    tried(Stage.BRACKET, 588, ScriptedSearch.BEYOND);
    tried(Stage.CONFIRM, 300, ScriptedSearch.using(0.9));
    tried(Stage.CONFIRM, 300, ScriptedSearch.using(0.9));
    tried(Stage.CONFIRM, 310, new TrialResult(TrialVerdict.UNDECIDED, 3, 0.03));

    assertThat(tried.likelihood().isAtLeast(310)).isFalse();
    assertThat(conclusion())
        .isEqualTo(
            new SearchResult(
                Outcome.UNSTABLE, Optional.of(new Bound(300, 2, 2)), Optional.empty(), 4));
  }

  @Test
  void passesAboveALoadThatFailedContradictIt() {
    passAbove();
    tried(Stage.CONFIRM, 110, ScriptedSearch.BEYOND);

    assertThat(conclusion().outcome()).isEqualTo(Outcome.UNSTABLE);
    assertThat(conclusion().isKnown()).isFalse();
    assertThat(conclusion().holds()).contains(new Bound(104, 2, 2));
    assertThat(conclusion().fails()).contains(new Bound(110, 0, 1));
  }

  @Test
  void boundsFurtherApartThanPromisedAreNotFound() {
    tried(Stage.BRACKET, 588, ScriptedSearch.BEYOND);
    tried(Stage.CONFIRM, 400, ScriptedSearch.WITHIN);
    tried(Stage.CONFIRM, 450, ScriptedSearch.BEYOND);
    assertThat(conclusion().outcome()).isEqualTo(Outcome.UNSTABLE);

    tried(Stage.CONFIRM, 440, ScriptedSearch.BEYOND);
    assertThat(conclusion().outcome()).isEqualTo(Outcome.FOUND);
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
    tried(Stage.BRACKET, 588, ScriptedSearch.BEYOND);
    tried(Stage.CONFIRM, 990, ScriptedSearch.WITHIN);
    tried(Stage.CONFIRM, 1040, ScriptedSearch.BEYOND);
    tried(Stage.CONFIRM, 1040, ScriptedSearch.BEYOND);
    tried(Stage.CONFIRM, 1050, ScriptedSearch.WITHIN);

    assertThat(conclusion().holds()).contains(new Bound(990, 1, 1));
    assertThat(conclusion().fails()).contains(new Bound(1040, 0, 2));
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
  void trialsThatAreAllUndecidedShowNoCapacity() {
    tried(Stage.BRACKET, 400, NEARLY_FAILED);
    tried(Stage.CONFIRM, 300, new TrialResult(TrialVerdict.UNDECIDED, 0.9, 0.009));
    tried(Stage.CONFIRM, 300, new TrialResult(TrialVerdict.UNDECIDED, 0.9, 0.009));

    assertThat(conclusion().outcome()).isEqualTo(Outcome.UNSTABLE);
  }
}
