// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import java.awt.Font;
import java.awt.FontFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * The bundled font of the plots, which look the same on all machines, even without installed fonts.
 * Liberation Sans is as wide as Arial and Helvetica, which a browser may use instead.
 */
public record PlotFont(Font font) {
  /** Font families in the SVG files, for a browser. */
  static final String FAMILY = "Liberation Sans, Arimo, Arial, Helvetica, sans-serif";

  private static final String FONT = "LiberationSans-Regular.ttf";

  /**
   * System property with a list of fonts: without it Java asks fontconfig, and fails if that finds
   * no font.
   */
  private static final String FONT_LIST = "sun.awt.fontconfig";

  /** The font, after it was loaded. Java would close an earlier copy when it opens many. */
  private static @Nullable PlotFont loaded;

  /**
   * Returns the font, which is loaded once in a process.
   *
   * @throws IOException if this Java cannot draw text; it may also be a {@link LinkageError} or an
   *     {@link InternalError}
   */
  public static synchronized PlotFont load() throws IOException {
    PlotFont known = loaded == null ? read() : loaded;
    loaded = known;
    return known;
  }

  /**
   * Loads the font and checks that text can be measured, without a display. Java reads the font
   * from a file that it keeps open. The file is removed at once, so that it does not remain if this
   * process is killed; Java's own copy would.
   *
   * @throws IOException if this Java cannot draw text; it may also be a {@link LinkageError} or an
   *     {@link InternalError}
   */
  private static PlotFont read() throws IOException {
    System.setProperty("java.awt.headless", "true");
    try {
      Path list = Files.createTempFile("quorate-fonts", ".properties");
      Path file = Files.createTempFile("quorate-font", ".ttf");
      try (InputStream bundled = PlotFont.class.getResourceAsStream(FONT)) {
        Files.copy(bundled, file, StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(list, "version=1\nsequence.allfonts=default\n");
        if (System.getProperty(FONT_LIST) == null) {
          System.setProperty(FONT_LIST, list.toString());
        }
        openFontsOfSystem();
        PlotFont read = new PlotFont(Font.createFont(Font.TRUETYPE_FONT, file.toFile()));
        read.size(10).getStringBounds("0", LineStyle.TEXT_RENDERING);
        return read;
      } finally {
        if (list.toString().equals(System.getProperty(FONT_LIST))) {
          System.clearProperty(FONT_LIST);
        }
        Files.delete(list);
        Files.delete(file);
      }
    } catch (FontFormatException unable) {
      throw new IOException(unable);
    }
  }

  /**
   * Makes Java open the fonts of the system, which it does once. It keeps few files of fonts open
   * and closes those that it opened first: opened later, they would replace the bundled font, whose
   * file is gone, by one of theirs in the middle of a drawing.
   */
  private static void openFontsOfSystem() {
    new Font("none", Font.PLAIN, 1).getFontName();
  }

  Font size(float points) {
    return font.deriveFont(points);
  }
}
