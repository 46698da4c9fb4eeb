// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Nightly;
import io.quorate.NightlyRun;
import io.quorate.results.OpenRuns;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The runs that are committed below results/&lt;machine&gt;/&lt;date&gt;: the one with the smallest
 * page, at night all.
 */
class PublishedResultsIT {
  private static final Path RESULTS = Path.of("..", "results");

  @TestFactory
  Stream<DynamicTest> a_published_run_is_complete_and_its_report_is_that_of_its_files() {
    assertThat(RESULTS.resolve("README.md")).exists();
    List<Path> all =
        PublishedRuns.below(RESULTS).stream().flatMap(each -> each.directories().stream()).toList();
    return all.stream()
        .sorted(Comparator.comparingLong(each -> each.resolve("index.html").toFile().length()))
        .limit(NightlyRun.isOn() ? all.size() : 1)
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.toString(),
                    () ->
                        assertThat(problems(runs -> new PublishedCheck(each, runs).problems()))
                            .isEmpty()));
  }

  @Test
  @Nightly // the smaller one checks a run without its index
  void each_index_is_that_of_its_runs() {
    assertThat(PublishedRuns.below(RESULTS))
        .isNotEmpty()
        .allSatisfy(
            each -> assertThat(problems(runs -> each.problems(runs, Optional.empty()))).isEmpty());
  }

  private static List<String> problems(Function<OpenRuns, List<String>> check) {
    return OpenRuns.with(check);
  }
}
