// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quorate.results.DatabaseDirectory;
import java.awt.Font;
import java.awt.font.GlyphVector;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlotFontTest {
  @Test
  void a_process_that_is_killed_while_it_draws_leaves_no_temporary_file() throws IOException {
    Font font = PlotFont.load().size(20);
    assertThat(openTemporaryFiles()).isEmpty();
    for (String text : List.of("W", "1", "%", "é", "µ")) {
      GlyphVector glyphs = font.createGlyphVector(LineStyle.TEXT_RENDERING, text);
      assertThat(glyphs.getOutline().getBounds2D().isEmpty()).as(text).isFalse();
    }
  }

  @Test
  void the_bundled_font_stays_when_java_looks_for_the_fonts_of_the_system() throws IOException {
    Font font = PlotFont.load().size(12);

    new Font("a font that no system has", Font.PLAIN, 12).getFontName();

    Rectangle2D drawn =
        font.createGlyphVector(LineStyle.TEXT_RENDERING, "ms").getOutline().getBounds2D();
    assertThat(drawn.getWidth()).isEqualTo(14.76, within(0.01));
    assertThat(drawn.getHeight()).isEqualTo(6.58, within(0.01));
  }

  /** Returns the names of the temporary files of fonts that this process has opened. */
  private static List<Path> openTemporaryFiles() {
    return DatabaseDirectory.entries(Path.of("/proc/self/fd")).stream()
        .filter(Files::exists)
        .map(PlotFontTest::target)
        .filter(file -> file.startsWith(System.getProperty("java.io.tmpdir")))
        .filter(file -> file.getFileName().toString().matches("(\\+~JF|quorate-font).*"))
        .filter(Files::exists)
        .toList();
  }

  private static Path target(Path link) {
    try {
      return Files.readSymbolicLink(link);
    } catch (IOException closedMeanwhile) {
      return link;
    }
  }
}
