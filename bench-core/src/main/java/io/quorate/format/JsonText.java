package io.quorate.format;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.quorate.scenario.KeySpace;
import io.quorate.scenario.Limit;
import io.quorate.scenario.LoadModel;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;

/**
 * Formats records as JSON for the files of a run: the components of a record in their order,
 * without optional ones that are empty; LF line ends, no exponents.
 */
public final class JsonText {
  private static final JsonInclude.Value PRESENT =
      JsonInclude.Value.construct(JsonInclude.Include.NON_ABSENT, JsonInclude.Include.NON_ABSENT);
  private static final JsonMapper MAPPER = mapper();
  private static final ObjectWriter WRITER = MAPPER.writer(lines());

  private JsonText() {}

  /** Writes constants in lower case, with hyphens between words. */
  private static final class ConstantSerializer extends StdSerializer<Enum<?>> {
    private static final long serialVersionUID = 1;

    ConstantSerializer() {
      super(Enum.class, false);
    }

    @Override
    public void serialize(Enum<?> constant, JsonGenerator to, SerializerProvider provider)
        throws IOException {
      to.writeString(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
  }

  /** The fields of a closed loop: whether each request has a connection only if it has. */
  private abstract static class ClosedLoopFields {
    @JsonProperty("connectionPerRequest")
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    private boolean oneShot;
  }

  /** The fields of a key space: its prefix is written with the servers. */
  private abstract static class KeySpaceFields {
    @JsonIgnore private String prefix;
  }

  private static JsonMapper mapper() {
    SimpleModule texts = new SimpleModule();
    texts.addSerializer(new ConstantSerializer());
    texts.addSerializer(Instant.class, ToStringSerializer.instance);
    texts.addSerializer(Limit.class, ToStringSerializer.instance);
    return JsonMapper.builder()
        .addModule(new Jdk8Module())
        .addModule(texts)
        .visibility(PropertyAccessor.ALL, Visibility.NONE)
        .visibility(PropertyAccessor.FIELD, Visibility.ANY)
        .defaultPropertyInclusion(PRESENT)
        .addMixIn(LoadModel.Closed.class, ClosedLoopFields.class)
        .addMixIn(KeySpace.class, KeySpaceFields.class)
        .enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
        .build();
  }

  private static DefaultPrettyPrinter lines() {
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentObjectsWith(lines);
    printer.indentArraysWith(lines);
    return printer;
  }

  /** Returns the text with a line for each value, and a line break at its end. */
  public static String of(Object record) {
    return text(WRITER, record);
  }

  /** Returns the text in one line, with a line break at its end. */
  public static String line(Object record) {
    return text(MAPPER.writer(), record);
  }

  private static String text(ObjectWriter writer, Object record) {
    try {
      return writer.writeValueAsString(record) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
