package io.quorate.run;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Formats JSON for the files of a run: a line for each value, LF line ends, no exponents. */
public final class JsonText {
  private JsonText() {}

  /** Returns the text, with a line break at its end. */
  public static String of(JsonNode node) {
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentObjectsWith(lines);
    printer.indentArraysWith(lines);
    try {
      return JsonMapper.builder()
              .enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
              .build()
              .writer(printer)
              .writeValueAsString(node)
          + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
