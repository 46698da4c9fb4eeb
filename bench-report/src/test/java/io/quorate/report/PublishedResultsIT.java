// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The runs that are committed below results/&lt;machine&gt;/&lt;date&gt;. */
class PublishedResultsIT {
  private static final Path RESULTS = Path.of("..", "results");

  @TestFactory
  Stream<DynamicTest> published_results_are_complete_and_their_report_is_that_of_their_files() {
    assertThat(RESULTS.resolve("README.md")).exists();
    return PublishedRuns.below(RESULTS).stream()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.path().toString(), () -> assertThat(each.problems()).isEmpty()));
  }
}
