// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import io.quorate.stores.Stores;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.font.FontRenderContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The style of a database's lines, the same in every plot of every run. Each kind of database has
 * the color of its store. Further columns of the same kind are darker, then lighter, and dashed.
 *
 * @param dash the lengths of dashes and gaps; empty for a solid line
 */
public record LineStyle(Color color, List<Float> dash) {
  static final Color TEXT = new Color(0x222222);
  public static final Color FAINT = new Color(0x666666);
  static final Color GRID = new Color(0xe2e2e2);
  static final Color PAPER = Color.WHITE;
  static final FontRenderContext TEXT_RENDERING = new FontRenderContext(null, true, true);

  private static final List<List<Float>> DASHES =
      List.of(List.of(), List.of(6f, 2f), List.of(2f, 2f), List.of(8f, 2f, 2f, 2f));

  /** Returns one ink for each database, in their order. */
  public static List<LineStyle> of(List<String> ids) {
    List<LineStyle> inks = new ArrayList<>();
    List<String> kinds = ids.stream().map(LineStyle::kind).toList();
    for (int i = 0; i < kinds.size(); i++) {
      String kind = kinds.get(i);
      long before = kinds.subList(0, i).stream().filter(kind::equals).count();
      Color color = new Color(Stores.knowledge(kind).color());
      inks.add(new LineStyle(shade(color, before), DASHES.get((int) before % DASHES.size())));
    }
    return inks;
  }

  /**
   * Returns the kind of a database: {@code etcd} for {@code etcd@3.5.35}, and for {@code
   * etcd__v3_2} of the reference.
   */
  private static String kind(String id) {
    return id.replaceFirst("(__|@).*", "");
  }

  private static Color shade(Color color, long number) {
    return switch ((int) number % 3) {
      case 1 -> mixed(color, Color.BLACK, 0.4);
      case 2 -> mixed(color, Color.WHITE, 0.35);
      default -> color;
    };
  }

  static Color mixed(Color color, Color other, double part) {
    return new Color(
        (int) Math.round(color.getRed() * (1 - part) + other.getRed() * part),
        (int) Math.round(color.getGreen() * (1 - part) + other.getGreen() * part),
        (int) Math.round(color.getBlue() * (1 - part) + other.getBlue() * part));
  }

  /** Returns {@code #0072b2}. */
  public String hex() {
    return "#%06x".formatted(color.getRGB() & 0xffffff);
  }

  BasicStroke stroke(float width) {
    float[] lengths = new float[dash.size()];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = dash.get(i);
    }
    return new BasicStroke(
        width,
        BasicStroke.CAP_BUTT,
        BasicStroke.JOIN_ROUND,
        1,
        lengths.length == 0 ? null : lengths,
        0);
  }

  public LineStyle lighter(double part) {
    return new LineStyle(mixed(color, Color.WHITE, part), dash);
  }

  public LineStyle darker(double part) {
    return new LineStyle(mixed(color, Color.BLACK, part), dash);
  }

  public LineStyle dashed(Float... lengths) {
    return new LineStyle(color, List.of(lengths));
  }
}
