// SPDX-License-Identifier: Apache-2.0
package io.quorate.bisect;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.bisect.Bisection.Result;
import io.quorate.bisect.Bisection.Step;
import io.quorate.report.judge.Gate.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class BisectionTest {
  private static final List<String> TEN = IntStream.range(0, 11).mapToObj(i -> "v" + i).toList();

  private static Result find(Set<String> bad, Set<String> doubtful) {
    return new Bisection(
            TEN,
            (good, other, step) -> {
              assertThat(good).isEqualTo("v0");
              return doubtful.contains(other)
                  ? Outcome.INCONCLUSIVE
                  : bad.contains(other) ? Outcome.FAILED : Outcome.PASSED;
            })
        .find();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 9, 10})
  void the_first_bad_version_is_found_by_halving(int first) {
    Result result = find(Set.copyOf(TEN.subList(first, TEN.size())), Set.of());
    assertThat(result.guilty().orElseThrow().version()).isEqualTo("v" + first);
    assertThat(result.lastGood()).isEqualTo("v" + (first - 1));
    assertThat(result.isDecided()).isTrue();
    assertThat(result.steps()).hasSizeLessThanOrEqualTo(5);
  }

  @Test
  void a_version_that_a_later_one_repaired_is_found() {
    Result result = find(Set.of("v3", "v4"), Set.of());
    assertThat(result.guilty().orElseThrow().version()).isEqualTo("v3");
    assertThat(result.isDecided()).isTrue();
  }

  @Test
  void without_a_change_all_versions_are_good() {
    Result result = find(Set.of(), Set.of());
    assertThat(result.guilty()).isEmpty();
    assertThat(result.isDecided()).isTrue();
    assertThat(result.steps()).hasSize(10);
  }

  @Test
  void a_doubtful_step_is_repeated_once_and_then_ends_it() {
    Result result = find(Set.of("v7", "v8", "v9", "v10"), Set.of("v5"));
    assertThat(result.steps()).extracting(Step::version).containsExactly("v10", "v5", "v5");
    assertThat(result.isDecided()).isFalse();
    assertThat(result.guilty().orElseThrow().version()).isEqualTo("v10");
    assertThat(result.lastGood()).isEqualTo("v0");
    assertThat(find(Set.of(), Set.of("v10")).isDecided()).isFalse();
    assertThat(find(Set.of(), Set.of("v2")).isDecided()).isFalse();
  }

  @Test
  void a_doubtful_version_is_not_the_last_good_one() {
    Result result = find(Set.of("v4"), Set.of("v3"));
    assertThat(result.guilty().orElseThrow().version()).isEqualTo("v4");
    assertThat(result.lastGood()).isEqualTo("v2");
    assertThat(result.isDecided()).isFalse();
  }

  @Test
  void a_signal_ends_it_with_what_is_known() {
    Result result =
        new Bisection(
                TEN,
                (good, other, step) -> {
                  if (step == 3) {
                    throw new Bisection.EndedException(130);
                  }
                  return other.equals("v10") ? Outcome.FAILED : Outcome.PASSED;
                })
            .find();
    assertThat(result.steps()).extracting(Step::version).containsExactly("v10", "v5");
    assertThat(result.guilty().orElseThrow().version()).isEqualTo("v10");
    assertThat(result.lastGood()).isEqualTo("v5");
    assertThat(result.isDecided()).isFalse();
  }

  @Test
  void a_wrong_rule_is_refused_before_anything_is_installed_or_run() {
    StringWriter err = new StringWriter();
    BisectCommand command =
        new BisectCommand(
            arguments -> {
              throw new AssertionError("ran " + List.of(arguments));
            });
    int exitCode =
        new CommandLine(command)
            .setErr(new PrintWriter(err))
            .execute("put", "--good=3.5.15", "--bad=mine=none", "--fail-on=p99 <= +5%,p99 < 2");
    assertThat(exitCode).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("--fail-on: found the rule 'p99 < 2', expected");
  }
}
