package io.quorate.report.page;

import io.quorate.QuorateException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;

/**
 * Inlines an SVG file in an HTML page that has several: its ids become its own, styles become
 * attributes, which a content security policy does not forbid, and active or external content is
 * removed. It has a size, and a {@code viewBox}, so that it can be made smaller.
 */
final class InlineSvg {
  private static final String SVG = "http://www.w3.org/2000/svg";
  private static final String XLINK = "http://www.w3.org/1999/xlink";

  /** Elements that are kept; others are left out with their content. */
  private static final Set<String> ELEMENTS =
      Set.of(
          "svg",
          "g",
          "defs",
          "title",
          "desc",
          "path",
          "rect",
          "circle",
          "ellipse",
          "line",
          "polyline",
          "polygon",
          "text",
          "tspan",
          "clipPath",
          "linearGradient",
          "radialGradient",
          "stop",
          "use",
          "symbol",
          "image",
          "pattern",
          "mask",
          "marker");

  /** Attributes that concern only the file's own viewer, or are set here. */
  private static final Set<String> DROPPED =
      Set.of("style", "class", "role", "version", "base", "space", "aria-labelledby", "tabindex");

  private static final Set<String> OF_THE_ROOT =
      Set.of("viewBox", "width", "height", "aria-label", "id");

  private static final Pattern REFERENCE =
      Pattern.compile("url\\(\\s*['\"]?#([^)'\"]*)['\"]?\\s*\\)");
  private static final Pattern FOREIGN = Pattern.compile("url\\((?!#)", Pattern.CASE_INSENSITIVE);
  private static final Pattern DATA_IMAGE =
      Pattern.compile("data:image/(png|jpeg);base64,[\\w+/=\\s]*");
  private static final Pattern LENGTH = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(?:px)?");
  private static final Pattern PROPERTY = Pattern.compile("[a-z-]+");

  private final String id;
  private final String label;

  /**
   * @param id unique in the page; its own ids begin with it
   * @param label what it is, for those who cannot see it
   */
  InlineSvg(String id, String label) {
    this.id = id;
    this.label = label;
  }

  /**
   * Returns the element.
   *
   * @throws QuorateException if the text is no SVG
   */
  String text(String svg) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    StringWriter text = new StringWriter();
    try {
      XMLStreamReader from = factory.createXMLStreamReader(new StringReader(svg));
      XMLStreamWriter to = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
      copy(from, to);
      to.close();
    } catch (XMLStreamException damaged) {
      throw new QuorateException(
          label + ": found no readable SVG: " + damaged.getMessage(), damaged);
    }
    if (text.getBuffer().isEmpty()) {
      throw new QuorateException(label + ": found no readable SVG: no element svg");
    }
    return text.toString();
  }

  private void copy(XMLStreamReader from, XMLStreamWriter to) throws XMLStreamException {
    int depth = 0;
    int skipped = 0;
    while (from.hasNext()) {
      int event = from.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        boolean drawn =
            SVG.equals(from.getNamespaceURI()) && ELEMENTS.contains(from.getLocalName());
        if (skipped > 0 || !drawn || depth == 0 != from.getLocalName().equals("svg")) {
          skipped++;
        } else {
          start(from, to, depth == 0);
          depth++;
        }
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        if (skipped > 0) {
          skipped--;
        } else {
          to.writeEndElement();
          depth--;
        }
      } else if (event == XMLStreamConstants.CHARACTERS && skipped == 0 && depth > 0) {
        to.writeCharacters(from.getText());
      }
    }
  }

  private void start(XMLStreamReader from, XMLStreamWriter to, boolean root)
      throws XMLStreamException {
    to.writeStartElement(from.getLocalName());
    if (root) {
      to.writeAttribute("role", "img");
      to.writeAttribute("aria-label", label);
      size(from, to);
    }
    Map<String, String> styles = styles(from.getAttributeValue(null, "style"));
    for (int i = 0; i < from.getAttributeCount(); i++) {
      String name = from.getAttributeLocalName(i);
      String namespace = from.getAttributeNamespace(i);
      boolean plain = namespace == null || namespace.isEmpty();
      if (name.equals("href") && (plain || XLINK.equals(namespace))) {
        reference(from.getAttributeValue(i), to);
      } else if (plain && !(root && OF_THE_ROOT.contains(name)) && !styles.containsKey(name)) {
        attribute(name, from.getAttributeValue(i), to);
      }
    }
    for (Map.Entry<String, String> style : styles.entrySet()) {
      attribute(style.getKey(), style.getValue(), to);
    }
  }

  private void attribute(String name, String value, XMLStreamWriter to) throws XMLStreamException {
    boolean acts = name.toLowerCase(Locale.ROOT).startsWith("on");
    String own = name.equals("id") ? own(value) : owned(value);
    if (!acts && !DROPPED.contains(name) && !FOREIGN.matcher(own).find()) {
      to.writeAttribute(name, own);
    }
  }

  /** Writes a reference, of elements within the file only, or of a picture that is in it. */
  private void reference(String value, XMLStreamWriter to) throws XMLStreamException {
    if (value.startsWith("#")) {
      to.writeAttribute("href", "#" + own(value.substring(1)));
    } else if (DATA_IMAGE.matcher(value).matches()) {
      to.writeAttribute("href", value);
    }
  }

  /** Returns the properties of an element; they win over attributes of the same names. */
  private static Map<String, String> styles(String style) {
    Map<String, String> styles = new LinkedHashMap<>();
    for (String declaration : style == null ? new String[0] : style.split(";")) {
      int colon = declaration.indexOf(':');
      String name = colon < 0 ? "" : declaration.substring(0, colon).strip();
      if (PROPERTY.matcher(name).matches() && !name.equals("id")) {
        styles.put(name, declaration.substring(colon + 1).strip());
      }
    }
    return styles;
  }

  /** Writes both a {@code viewBox} and a size, each made from the other if it is missing. */
  private static void size(XMLStreamReader from, XMLStreamWriter to) throws XMLStreamException {
    String box = Objects.requireNonNullElse(from.getAttributeValue(null, "viewBox"), "");
    String[] numbers = box.strip().split("[\\s,]+");
    boolean boxed = numbers.length == 4;
    String width = length(from.getAttributeValue(null, "width"));
    String height = length(from.getAttributeValue(null, "height"));
    if (width.isEmpty() || height.isEmpty()) {
      width = boxed ? length(numbers[2]) : "";
      height = boxed ? length(numbers[3]) : "";
    }
    if (!width.isEmpty() && !height.isEmpty()) {
      to.writeAttribute("viewBox", boxed ? box : "0 0 " + width + " " + height);
      to.writeAttribute("width", width);
      to.writeAttribute("height", height);
    }
  }

  private static String length(String value) {
    var length = LENGTH.matcher(value == null ? "" : value.strip());
    return length.matches() ? length.group(1) : "";
  }

  private String owned(String value) {
    return REFERENCE.matcher(value).replaceAll(found -> "url(#" + own(found.group(1)) + ")");
  }

  private String own(String name) {
    return id + "-" + name.replaceAll("[^A-Za-z0-9_.-]", "-");
  }
}
