package io.quorate.report.plot.draw;

import java.awt.Font;
import java.awt.FontFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

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

  /**
   * Loads the font and checks that text can be measured, without a display.
   *
   * @throws IOException if this Java cannot draw text; it may also be a {@link LinkageError} or an
   *     {@link InternalError}
   */
  public static PlotFont load() throws IOException {
    System.setProperty("java.awt.headless", "true");
    try {
      Path list = Files.createTempFile("quorate-fonts", ".properties");
      try (InputStream file = PlotFont.class.getResourceAsStream(FONT)) {
        Files.writeString(list, "version=1\nsequence.allfonts=default\n");
        if (System.getProperty(FONT_LIST) == null) {
          System.setProperty(FONT_LIST, list.toString());
        }
        PlotFont loaded = new PlotFont(Font.createFont(Font.TRUETYPE_FONT, file));
        loaded.size(10).getStringBounds("0", LineStyle.TEXT_RENDERING);
        return loaded;
      } finally {
        if (list.toString().equals(System.getProperty(FONT_LIST))) {
          System.clearProperty(FONT_LIST);
        }
        Files.delete(list);
      }
    } catch (FontFormatException unable) {
      throw new IOException(unable);
    }
  }

  Font size(float points) {
    return font.deriveFont(points);
  }
}
