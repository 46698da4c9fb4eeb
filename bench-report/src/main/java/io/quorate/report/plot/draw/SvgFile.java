// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.plot.draw;

import java.awt.Dimension;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
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
import org.w3c.dom.NodeList;

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

  /** Matches text that is the same with and without {@code xml:space}. */
  private static final Pattern SINGLE_BLANKS = Pattern.compile("\\S+(?: \\S+)*+");

  private SvgFile() {}

  public static String text(String name, PlotSpec sketch, PlotLayout sheet) {
    try {
      Document document =
          DocumentBuilderFactory.newDefaultNSInstance()
              .newDocumentBuilder()
              .getDOMImplementation()
              .createDocument(NAMESPACE, "svg", null);
      SVGGraphics2D canvas = new SVGGraphics2D(context(document, name), false);
      canvas.setSVGCanvasSize(new Dimension(PlotLayout.WIDTH, PlotLayout.HEIGHT));
      sheet.draw(canvas);
      Element root = canvas.getRoot();
      clean(root);
      removeClips(root, PlotLayout.WIDTH, PlotLayout.HEIGHT);
      describe(document, root, name, sketch);
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

  private static void describe(Document document, Element root, String name, PlotSpec sketch) {
    DEFAULTS.forEach(
        (attribute, value) -> {
          if (root.getAttribute(attribute).equals(value)) {
            root.removeAttribute(attribute);
          }
        });
    root.removeAttribute("width");
    root.removeAttribute("height");
    root.setAttribute("viewBox", "0 0 " + PlotLayout.WIDTH + " " + PlotLayout.HEIGHT);
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
    if (element.getLocalName().equals("text")
        && SINGLE_BLANKS.matcher(element.getTextContent()).matches()) {
      element.removeAttribute("xml:space");
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

  /** Removes clips to the whole picture, which JFreeChart sets for everything it draws. */
  private static void removeClips(Element root, int width, int height) {
    String corners =
        String.join(" L", "M0 0", width + " 0", width + " " + height, "0 " + height, "0 0 Z");
    String picture = SvgPath.shortened(corners);
    Set<String> clips = new HashSet<>();
    for (Element clip : elements(root, "clipPath")) {
      if (clip.getFirstChild() instanceof Element path && path.getAttribute("d").equals(picture)) {
        clips.add("url(#" + clip.getAttribute("id") + ")");
        clip.getParentNode().removeChild(clip);
      }
    }
    for (Element each : elements(root, "*")) {
      if (clips.contains(each.getAttribute("clip-path"))) {
        each.removeAttribute("clip-path");
      }
    }
  }

  /** Returns all elements of a name, whatever happens to the document afterwards. */
  private static List<Element> elements(Element root, String name) {
    NodeList live = root.getElementsByTagNameNS(NAMESPACE, name);
    return IntStream.range(0, live.getLength()).mapToObj(i -> (Element) live.item(i)).toList();
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
   * Shortens the data of a path: points relative to the previous one, in tenths, without
   * superfluous blanks; straight lines along an axis with one number. The points stay the same.
   */
  static final class SvgPath {
    /** Matches a segment as Batik writes it, such as {@code L3 4}, {@code Q1 2 3.5 4} or Z. */
    private static final Pattern SEGMENT =
        Pattern.compile("\\G\\s*(?:Z|([MLQC])((?:\\s?-?\\d{1,9}(?:\\.\\d)?){2,6}))");

    private final StringBuilder text = new StringBuilder();
    private long x;
    private long y;
    private long startX;
    private long startY;
    private char last;
    private boolean fraction;

    private SvgPath() {}

    /** Returns the same path, shortened; unchanged if it has other segments. */
    static String shortened(String data) {
      SvgPath path = new SvgPath();
      Matcher segment = SEGMENT.matcher(data);
      int end = 0;
      while (segment.find()) {
        end = segment.end();
        String command = segment.group(1);
        if (command == null) {
          path.close();
          continue;
        }
        long[] tenths =
            Arrays.stream(segment.group(2).strip().split("\\s"))
                .mapToLong(each -> Math.round(Double.parseDouble(each) * 10))
                .toArray();
        if (tenths.length != numbers(command)) {
          return data;
        }
        path.segment(command.charAt(0), tenths);
      }
      return data.substring(end).isBlank() ? path.text.toString() : data;
    }

    private static int numbers(String command) {
      return switch (command) {
        case "C" -> 6;
        case "Q" -> 4;
        default -> 2;
      };
    }

    private void close() {
      text.append('z');
      x = startX;
      y = startY;
      last = 'z';
    }

    private void segment(char command, long[] points) {
      long toX = points[points.length - 2];
      long toY = points[points.length - 1];
      if (command == 'M') {
        command(text.isEmpty() ? 'M' : 'm', true, toX - x, toY - y);
        startX = toX;
        startY = toY;
      } else if (command == 'L' && toY == y) {
        command('h', false, toX - x);
      } else if (command == 'L' && toX == x) {
        command('v', false, toY - y);
      } else {
        long[] relative = new long[points.length];
        for (int i = 0; i < points.length; i += 2) {
          relative[i] = points[i] - x;
          relative[i + 1] = points[i + 1] - y;
        }
        command(Character.toLowerCase(command), false, relative);
      }
      x = toX;
      y = toY;
    }

    private void command(char command, boolean always, long... numbers) {
      boolean named = always || command != last;
      if (named) {
        text.append(command);
        last = command;
      }
      for (int i = 0; i < numbers.length; i++) {
        number(numbers[i], named && i == 0);
      }
    }

    /** Appends a number. No blank is needed before a sign, nor between two fractions. */
    private void number(long tenths, boolean first) {
      long size = Math.abs(tenths);
      boolean point = size < 10 && size > 0;
      if (!first && tenths >= 0 && !(point && fraction)) {
        text.append(' ');
      }
      if (tenths < 0) {
        text.append('-');
      }
      if (!point) {
        text.append(size / 10);
      }
      fraction = size % 10 != 0;
      if (fraction) {
        text.append('.').append(size % 10);
      }
    }
  }
}
