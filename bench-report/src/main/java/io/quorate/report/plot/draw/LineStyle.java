// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import io.quorate.stores.Stores;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.font.FontRenderContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The style of a database's lines, the same in every plot of every run. Each kind of database has
 * the color of its store. Further columns of the same kind have other colors that people with any
 * kind of color vision can tell apart, as long as there are some, and are dashed.
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

  /** The colors of Okabe and Ito for further columns of a kind. */
  private static final List<Color> FURTHER =
      List.of(
          new Color(0xd55e00),
          new Color(0x009e73),
          new Color(0xcc79a7),
          new Color(0xe69f00),
          new Color(0x56b4e9));

  /** Returns one ink for each database, in their order. */
  public static List<LineStyle> of(List<String> ids) {
    List<LineStyle> inks = new ArrayList<>();
    List<String> kinds = ids.stream().map(LineStyle::kind).toList();
    for (int i = 0; i < kinds.size(); i++) {
      String kind = kinds.get(i);
      long before = kinds.subList(0, i).stream().filter(kind::equals).count();
      Color color = color(kind);
      Set<Color> taken = inks.stream().map(LineStyle::color).collect(Collectors.toSet());
      kinds.forEach(each -> taken.add(color(each)));
      Color shown =
          before == 0
              ? color
              : FURTHER.stream()
                  .filter(each -> !taken.contains(each))
                  .findFirst()
                  .orElse(mixed(color, Color.BLACK, 0.4));
      inks.add(new LineStyle(shown, DASHES.get((int) before % DASHES.size())));
    }
    return inks;
  }

  private static Color color(String kind) {
    return new Color(Stores.knowledge(kind).color());
  }

  /**
   * Returns the kind of a database: {@code etcd} for {@code etcd@3.5.35}, and for {@code
   * etcd__v3_2} of the reference.
   */
  private static String kind(String id) {
    return id.replaceFirst("(__|@).*", "");
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
