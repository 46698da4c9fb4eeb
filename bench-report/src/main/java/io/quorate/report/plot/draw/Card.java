// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A picture of a run to share, in the size of previews of links.
 *
 * @param subtitle what was measured where
 * @param results results of the databases, the first three of which are shown
 * @param sentence conclusion; may be empty
 * @param footer date and versions
 */
public record Card(
    String title, String subtitle, List<Result> results, String sentence, String footer) {
  /** Name of its file in the directory of a run or matrix. */
  public static final String FILE = "card.png";

  private static final int WIDTH = 1200;
  private static final int HEIGHT = 630;
  private static final int MARGIN = 60;
  private static final int MOST = 3;
  private static final int SQUARE = 26;
  private static final double LINE = 1.3;

  /** A result in the color of its database. */
  public record Result(LineStyle ink, String text) {}

  /** Returns the picture as PNG. This Java has to be able to draw text. */
  public byte[] png() {
    BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D canvas = image.createGraphics();
    canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    canvas.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    canvas.setColor(LineStyle.PAPER);
    canvas.fillRect(0, 0, WIDTH, HEIGHT);
    try {
      draw(canvas, PlotFont.load());
    } catch (IOException unable) {
      throw new UncheckedIOException(unable);
    }
    canvas.dispose();
    return PngFile.of(image);
  }

  private void draw(Graphics2D canvas, PlotFont font) {
    double y = MARGIN;
    y = text(canvas, title, font.size(42), LineStyle.TEXT, MARGIN, y, 1);
    y = text(canvas, subtitle, font.size(22), LineStyle.FAINT, MARGIN, y + 4, 2) + 22;
    List<Result> shown = results.subList(0, Math.min(MOST, results.size()));
    boolean isShort = shown.stream().allMatch(each -> each.text.length() < 64);
    for (Result each : shown) {
      canvas.setColor(each.ink.color());
      canvas.fillRect(MARGIN, (int) y + 6, SQUARE, SQUARE);
      Font size = font.size(isShort ? 34 : 25);
      y = text(canvas, each.text, size, LineStyle.TEXT, MARGIN + 44, y, isShort ? 1 : 3) + 10;
    }
    text(canvas, sentence, font.size(26), LineStyle.TEXT, MARGIN, y + 14, isShort ? 4 : 1);
    double bottom = HEIGHT - MARGIN - 20;
    text(canvas, footer, font.size(20), LineStyle.FAINT, MARGIN, bottom + 8, 1);
    canvas.setFont(font.size(30));
    int left = WIDTH - MARGIN - canvas.getFontMetrics().stringWidth("Quorate");
    canvas.setColor(LineStyle.PAPER);
    canvas.fillRect(left - 20, (int) bottom, WIDTH, HEIGHT);
    canvas.setColor(LineStyle.TEXT);
    canvas.drawString("Quorate", left, (float) bottom + 28);
  }

  /** Draws text in at most that many lines, and returns where the next text begins. */
  private static double text(
      Graphics2D canvas, String text, Font font, Color color, int x, double y, int most) {
    canvas.setFont(font);
    canvas.setColor(color);
    double next = y;
    for (String line : lines(canvas, text, WIDTH - MARGIN - x, most)) {
      canvas.drawString(line, x, (float) (next + font.getSize2D()));
      next += font.getSize2D() * LINE;
    }
    return next;
  }

  private static List<String> lines(Graphics2D canvas, String text, int width, int most) {
    List<String> lines = new ArrayList<>();
    String line = "";
    for (String word : text.isBlank() ? new String[0] : text.split(" ")) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (canvas.getFontMetrics().stringWidth(longer + "\u2026") <= width) {
        line = longer;
      } else if (lines.size() + 1 == most) {
        lines.add(line + "\u2026");
        return lines;
      } else {
        lines.add(line);
        line = word;
      }
    }
    if (!line.isEmpty()) {
      lines.add(line);
    }
    return lines;
  }
}
