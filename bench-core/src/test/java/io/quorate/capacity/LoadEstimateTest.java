package io.quorate.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.capacity.Trial.Stage;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadEstimateTest {
  private static TriedLoad tried(long load, double used, int seconds) {
    TriedLoad tried = new TriedLoad(load);
    TrialVerdict verdict = used > 1 ? TrialVerdict.FAIL : TrialVerdict.PASS;
    tried.add(
        new TrialResult(verdict, used, used / 100),
        new Trial(1, load, Stage.NARROW, 10, seconds, seconds));
    return tried;
  }

  @Test
  void isWhereALineThroughTheLogarithmsCrossesWhatIsAllowed() {
    assertThat(LoadEstimate.of(List.of(tried(900, 0.1, 20), tried(1_000, 10, 20))).orElseThrow())
        .isCloseTo(950, within(1e-6));
    assertThat(LoadEstimate.of(List.of(tried(900, 0.1, 20), tried(1_100, 1, 20))).orElseThrow())
        .isCloseTo(1_100, within(1e-6));
  }

  @Test
  void isNearerToTrialsThatAreLongerOrNearTheLimit() {
    double alike =
        LoadEstimate.of(List.of(tried(900, 0.5, 20), tried(950, 1, 20), tried(1_000, 1, 20)))
            .orElseThrow();
    double longer =
        LoadEstimate.of(List.of(tried(900, 0.5, 20), tried(950, 1, 60), tried(1_000, 1, 20)))
            .orElseThrow();

    assertThat(alike).isCloseTo(983.3, within(0.1));
    assertThat(longer).isCloseTo(970.0, within(0.1));
  }

  @Test
  void isUnknownWhereTrialsSayNothingOfASlope() {
    assertThat(LoadEstimate.of(List.of())).isEmpty();
    assertThat(LoadEstimate.of(List.of(tried(900, 0.5, 20)))).isEmpty();
    assertThat(LoadEstimate.of(List.of(tried(900, 0, 20), tried(1_000, 3, 20)))).isEmpty();
    assertThat(LoadEstimate.of(List.of(tried(900, 0.5, 20), tried(1_000, 90, 20)))).isEmpty();
    assertThat(LoadEstimate.of(List.of(tried(900, 0.5, 20), tried(905, 3, 20)))).isEmpty();
  }

  @Test
  void isUnknownWhereMoreLoadUsedLess() {
    assertThat(LoadEstimate.of(List.of(tried(900, 3, 20), tried(1_000, 0.5, 20)))).isEmpty();
  }
}
