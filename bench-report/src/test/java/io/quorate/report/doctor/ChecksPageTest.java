// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.store.server.CheckRule;
import io.quorate.store.server.StallCause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The reference page of the checks is generated: the new text is in target/checks.md. */
class ChecksPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("quorate.home"), "src/site/markdown/reference/checks.md");

  @Test
  void the_page_lists_all_checks() throws IOException {
    String made =
        """
        # Checks of the doctor

        `./quorate doctor` and the page of a run check members and machines against these limits. A value that the store or
        the system does not report is *unknown*. `./quorate doctor --explain ID` prints one of them.
        [Find out why it was slow](../how-to/doctor.md) describes the command.

        """
            + Check.rules().stream().map(ChecksPageTest::row).collect(Collectors.joining())
            + """

            ## Causes of stalls

            If several causes overlap the same stalls, the first of this list is named.

            """
            + Arrays.stream(StallCause.values())
                .map(each -> "- %s: %s\n".formatted(each.words(), each.action()))
                .collect(Collectors.joining());
    Files.createDirectories(Path.of("target"));
    Files.writeString(Path.of("target", "checks.md"), made);

    assertThat(Files.readString(PAGE)).isEqualTo(made);
  }

  private static String row(CheckRule check) {
    return "- `%s`: %s\n  - Limit: %s\n  - Source: %s\n  - %s\n"
        .formatted(check.id(), check.title(), check.limit(), check.source(), check.action());
  }
}
