// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.study;

import io.quorate.report.page.ReadmeText;
import io.quorate.results.manifest.Manifest;
import java.util.List;

/**
 * What the page of a matrix says, for people who read it in a repository.
 *
 * @param runs manifests of all runs
 * @param tables sentences and tables, as text
 */
record MatrixReadme(MatrixPage page, List<Manifest> runs, String tables) {
  String text() {
    ReadmeText text = new ReadmeText(page.title(), page.incomparable(), page.description());
    text.environment(runs);
    text.heading("Results");
    text.code(tables);
    text.markdown("\n");
    text.items(page.notes());
    text.heading("Reproduce");
    text.markdown(
        """
        In a checkout of Quorate with [scenario.yaml](scenario.yaml) of this directory, and with the same versions of the databases:

        """);
    text.code(String.join("\n", page.commands()) + "\n");
    text.markdown(
        """

        [cells.tar.xz](cells.tar.xz) contains the manifests, all latencies and the other recorded values of each run. `./quorate report`
        with this directory renders page, README.md, matrix.csv and matrix-result.json again.
        """);
    if (!page.plots().isEmpty()) {
      text.plots("", page.plots());
    }
    return text.text();
  }
}
