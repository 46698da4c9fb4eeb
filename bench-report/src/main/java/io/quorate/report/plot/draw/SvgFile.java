// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import java.awt.Dimension;
import java.io.StringWriter;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGIDGenerator;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Writes a plot as a self-contained SVG that can be in one page with others. It has no style
 * attributes, scripts, references or raster images, ids that begin with its name, and a description
 * for readers who cannot see it.
 */
public final class SvgFile {
  private static final String NAMESPACE = "http://www.w3.org/2000/svg";
  private static final int DECIMALS = 1;

  /** Attributes that Batik writes for every drawing, although they have the default values. */
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("stroke-dasharray", "none"),
          Map.entry("stroke-dashoffset", "0"),
          Map.entry("stroke-linecap", "butt"),
          Map.entry("stroke-linejoin", "miter"),
          Map.entry("stroke-miterlimit", "4"),
          Map.entry("stroke-opacity", "1"),
          Map.entry("fill-opacity", "1"),
          Map.entry("stroke-width", "1"),
          Map.entry("font-style", "normal"),
          Map.entry("font-weight", "normal"),
          Map.entry("color-rendering", "auto"),
          Map.entry("color-interpolation", "auto"),
          Map.entry("image-rendering", "auto"),
          Map.entry("text-rendering", "auto"),
          Map.entry("shape-rendering", "auto"));

  private SvgFile() {}

  public static String text(String name, PlotSpec sketch, PlotLayout sheet) {
    try {
      Document document =
          DocumentBuilderFactory.newDefaultNSInstance()
              .newDocumentBuilder()
              .getDOMImplementation()
              .createDocument(NAMESPACE, "svg", null);
      SVGGraphics2D canvas = new SVGGraphics2D(context(document, name), false);
      canvas.setSVGCanvasSize(new Dimension(PlotLayout.WIDTH, sheet.height()));
      sheet.draw(canvas);
      Element root = canvas.getRoot();
      clean(root);
      describe(document, root, name, sketch, sheet);
      return text(root);
    } catch (ParserConfigurationException | TransformerException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static SVGGeneratorContext context(Document document, String name) {
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
    context.setPrecision(DECIMALS);
    context.setComment(null);
    context.setIDGenerator(
        new SVGIDGenerator() {
          private int number;

          @Override
          public String generateID(String kind) {
            return name + "-" + kind + ++number;
          }
        });
    return context;
  }

  private static void describe(
      Document document, Element root, String name, PlotSpec sketch, PlotLayout sheet) {
    DEFAULTS.forEach(
        (attribute, value) -> {
          if (root.getAttribute(attribute).equals(value)) {
            root.removeAttribute(attribute);
          }
        });
    root.removeAttribute("width");
    root.removeAttribute("height");
    root.setAttribute("viewBox", "0 0 " + PlotLayout.WIDTH + " " + sheet.height());
    root.setAttribute("role", "img");
    root.setAttribute("aria-labelledby", name + "-title " + name + "-desc");
    root.setAttribute("font-family", PlotFont.FAMILY);
    Node first = root.getFirstChild();
    root.insertBefore(words(document, "title", name, sketch.title()), first);
    root.insertBefore(words(document, "desc", name, sketch.description()), first);
  }

  private static Element words(Document document, String kind, String name, String text) {
    Element element = document.createElementNS(NAMESPACE, kind);
    element.setAttribute("id", name + "-" + kind);
    element.appendChild(document.createTextNode(text));
    return element;
  }

  /** Removes attributes and elements that have no effect. */
  private static void clean(Element element) {
    element.removeAttribute("font-family");
    if (element.hasAttribute("d")) {
      element.setAttribute("d", SvgPath.shortened(element.getAttribute("d")));
    }
    for (Node child = element.getFirstChild(); child != null; ) {
      Node next = child.getNextSibling();
      if (child instanceof Element inner) {
        clean(inner);
        if (inner.getLocalName().matches("g|defs|style") && !inner.hasChildNodes()) {
          element.removeChild(inner);
        }
      } else if (child.getNodeType() == Node.COMMENT_NODE) {
        element.removeChild(child);
      }
      child = next;
    }
  }

  private static String text(Element root) throws TransformerException {
    Transformer transformer = TransformerFactory.newDefaultInstance().newTransformer();
    transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
    transformer.setOutputProperty(OutputKeys.ENCODING, "UTF-8");
    StringWriter text = new StringWriter();
    transformer.transform(new DOMSource(root), new StreamResult(text));
    return text.append('\n').toString();
  }

  /**
   * Shortens the data of a path of straight lines: every point relative to the previous one, in
   * tenths, without superfluous blanks. The points stay the same.
   */
  static final class SvgPath {
    /** Matches points as Batik writes them: {@code M1 2.5 L3 4 Z}. */
    private static final Pattern COMMAND = Pattern.compile("[ML]-?\\d{1,9}(\\.\\d)?");

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}(\\.\\d)?");

    private final StringBuilder text = new StringBuilder();
    private long x;
    private long y;
    private long startX;
    private long startY;
    private char last;

    private SvgPath() {}

    /** Returns the same path, shortened; unchanged if it has other elements than straight lines. */
    static String shortened(String data) {
      SvgPath path = new SvgPath();
      String[] words = data.strip().split(" ");
      for (int i = 0; i < words.length; ) {
        if (words[i].equals("Z")) {
          path.close();
          i++;
        } else if (i + 1 < words.length
            && COMMAND.matcher(words[i]).matches()
            && NUMBER.matcher(words[i + 1]).matches()) {
          path.point(words[i].charAt(0), tenths(words[i].substring(1)), tenths(words[i + 1]));
          i += 2;
        } else {
          return data;
        }
      }
      return path.text.toString();
    }

    private static long tenths(String number) {
      return Math.round(Double.parseDouble(number) * 10);
    }

    private void close() {
      text.append('z');
      x = startX;
      y = startY;
      last = 'z';
    }

    private void point(char command, long toX, long toY) {
      if (command == 'M') {
        text.append(text.isEmpty() ? 'M' : 'm');
        startX = toX;
        startY = toY;
      } else if (last != 'L') {
        text.append('l');
      }
      boolean first = command == 'M' || last != 'L';
      number(toX - x, first);
      number(toY - y, false);
      x = toX;
      y = toY;
      last = command;
    }

    private void number(long tenths, boolean first) {
      if (!first && tenths >= 0) {
        text.append(' ');
      }
      if (tenths < 0) {
        text.append('-');
      }
      long size = Math.abs(tenths);
      if (size >= 10 || size == 0) {
        text.append(size / 10);
      }
      if (size % 10 != 0) {
        text.append('.').append(size % 10);
      }
    }
  }
}
