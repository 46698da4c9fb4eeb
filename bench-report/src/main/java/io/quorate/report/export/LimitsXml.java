package io.quorate.report.export;

import io.quorate.VisibleText;
import io.quorate.report.figures.DatabaseFigures;
import io.quorate.report.figures.LimitResult;
import io.quorate.report.figures.RunFigures;
import java.io.StringWriter;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes the limits of a run as JUnit's XML, in which a limit of a database is a test case. */
public record LimitsXml(XMLStreamWriter xml) {

  public static String text(RunFigures run) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter writer = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
      new LimitsXml(writer).write(run);
      writer.close();
    } catch (XMLStreamException impossible) {
      throw new IllegalStateException(impossible); // everything is written to memory
    }
    return text + "\n";
  }

  private void write(RunFigures run) throws XMLStreamException {
    List<LimitResult> all =
        run.databases().stream().flatMap(each -> each.limits().stream()).toList();
    long failures = all.stream().filter(each -> !each.isKept()).count();
    String name = run.run().databases().get(0).manifest().scenario().name();
    xml.writeStartDocument("UTF-8", "1.0");
    xml.writeCharacters("\n");
    xml.writeStartElement("testsuite");
    attribute("name", "limits of " + name);
    attribute("tests", Integer.toString(all.size()));
    attribute("failures", Long.toString(failures));
    attribute("errors", "0");
    attribute("skipped", "0");
    for (DatabaseFigures database : run.databases()) {
      for (LimitResult each : database.limits()) {
        write(name + "." + database.run().manifest().store().tag(), each);
      }
    }
    xml.writeCharacters("\n");
    xml.writeEndElement();
    xml.writeEndDocument();
  }

  private void write(String className, LimitResult each) throws XMLStreamException {
    xml.writeCharacters("\n  ");
    xml.writeStartElement("testcase");
    attribute("classname", className);
    attribute("name", each.limit().toString());
    if (!each.isKept()) {
      xml.writeStartElement("failure");
      attribute("type", "limit");
      attribute("message", each.reason());
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  private void attribute(String name, String value) throws XMLStreamException {
    xml.writeAttribute(name, VisibleText.of(value));
  }
}
