// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.annotation.JsonAppend;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.cfg.MutableConfigOverride;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.quorate.DiskSpace;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes records as JSON and reads them back. The fields of an object are the components of the
 * record, in their order. Constants are in lower case, with hyphens; times and durations are texts
 * of ISO 8601. An empty optional component is left out; all other components are required.
 *
 * <p>A reader refuses unknown and duplicate fields, nulls, and values of another type. A record
 * whose constructor throws an {@link IllegalArgumentException} is refused with its message.
 */
public final class StrictJson {
  private static final String FORMAT_VERSION = "formatVersion";
  private static final int MAX_BYTES = 4 << 20;
  private static final int MAX_BYTES_OF_LINES = 64 << 20;

  /** Last second since 1970 whose nanoseconds fit a long. */
  private static final long LAST_SECOND = Long.MAX_VALUE / 1_000_000_000;

  private static final JsonMapper MAPPER = mapper();
  private static final ObjectWriter LINES = MAPPER.writer(lines());

  private StrictJson() {}

  /** The version of a file: its first field, {@code formatVersion}. Other versions are refused. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.TYPE)
  @JacksonAnnotationsInside
  @JsonIgnoreProperties(value = FORMAT_VERSION, allowGetters = true)
  @JsonAppend(prepend = true, attrs = @JsonAppend.Attr(FORMAT_VERSION))
  public @interface FormatVersion {
    int value();
  }

  /** Names constants, and requires all components that are not optional. */
  private static final class Components extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public String[] findEnumValues(
        MapperConfig<?> config, AnnotatedClass type, Enum<?>[] constants, String[] names) {
      return Arrays.stream(constants)
          .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
          .toArray(String[]::new);
    }

    @Override
    public Boolean hasRequiredMarker(AnnotatedMember member) {
      return !member.getType().isReferenceType() && !member.hasAnnotation(JsonInclude.class);
    }
  }

  /** A value that is written as text. */
  private static final class TextDeserializer<T> extends FromStringDeserializer<T> {
    private static final long serialVersionUID = 1;

    private final transient Function<String, T> parser;

    TextDeserializer(Class<T> type, Function<String, T> parser) {
      super(type);
      this.parser = parser;
    }

    @Override
    protected T _deserialize(String text, DeserializationContext context) throws IOException {
      try {
        return parser.apply(text);
      } catch (DateTimeException wrong) {
        throw context.weirdStringException(text, handledType(), wrong.getMessage());
      }
    }
  }

  private static JsonMapper mapper() {
    SimpleModule texts = new SimpleModule();
    texts.addSerializer(Instant.class, ToStringSerializer.instance);
    texts.addDeserializer(
        Instant.class, new TextDeserializer<>(Instant.class, StrictJson::parseInstant));
    texts.addSerializer(Duration.class, ToStringSerializer.instance);
    texts.addDeserializer(
        Duration.class, new TextDeserializer<>(Duration.class, StrictJson::parseDuration));
    return JsonMapper.builder()
        .annotationIntrospector(new Components())
        .addModule(new Jdk8Module())
        .addModule(texts)
        .visibility(PropertyAccessor.GETTER, Visibility.NONE)
        .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
        .visibility(PropertyAccessor.FIELD, Visibility.ANY)
        .defaultPropertyInclusion(
            JsonInclude.Value.construct(
                JsonInclude.Include.NON_ABSENT, JsonInclude.Include.NON_ABSENT))
        .enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .defaultSetterInfo(JsonSetter.Value.construct(Nulls.FAIL, Nulls.FAIL))
        .withConfigOverride(Optional.class, StrictJson::allowAbsent)
        .withConfigOverride(OptionalInt.class, StrictJson::allowAbsent)
        .withConfigOverride(OptionalLong.class, StrictJson::allowAbsent)
        .withConfigOverride(OptionalDouble.class, StrictJson::allowAbsent)
        .withCoercionConfig(
            LogicalType.Textual,
            text ->
                text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
        .withCoercionConfig(
            LogicalType.Enum,
            text -> text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail))
        .build();
  }

  private static void allowAbsent(MutableConfigOverride type) {
    type.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.SET));
  }

  private static Instant parseInstant(String text) {
    Instant time = Instant.parse(text);
    if (time.getEpochSecond() < 0 || time.getEpochSecond() >= LAST_SECOND) {
      throw new DateTimeException("not from 1970 to 2262");
    }
    return time;
  }

  private static Duration parseDuration(String text) {
    Duration time = Duration.parse(text);
    if (time.isNegative() || time.toSeconds() >= LAST_SECOND) {
      throw new DateTimeException("not from 0 to 292 years");
    }
    return time;
  }

  private static DefaultPrettyPrinter lines() {
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentObjectsWith(lines);
    printer.indentArraysWith(lines);
    return printer;
  }

  /** Returns the text with a line for each value, and a line break at its end. */
  public static String text(Object value) {
    return text(LINES, value);
  }

  /** Returns the text in one line, with a line break at its end. */
  public static String line(Object value) {
    return text(MAPPER.writer(), value);
  }

  /** Returns the fields of a record as they are written, in their order. */
  public static Map<String, Object> fields(Record value) {
    return MAPPER.convertValue(value, new TypeReference<LinkedHashMap<String, Object>>() {});
  }

  private static String text(ObjectWriter writer, Object value) {
    FormatVersion version = value.getClass().getAnnotation(FormatVersion.class);
    try {
      return (version == null ? writer : writer.withAttribute(FORMAT_VERSION, version.value()))
              .writeValueAsString(value)
          + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Appends each value as a line, all of them in one write. Creates the file if it does not exist.
   *
   * @throws QuorateException if the file cannot be written
   */
  public static void append(Path file, List<?> values) {
    try {
      Files.writeString(
          file,
          values.stream().map(StrictJson::line).collect(Collectors.joining()),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException impossible) {
      throw DiskSpace.exception(file, impossible);
    }
  }

  /**
   * Reads a file of at most 4 MB.
   *
   * @throws QuorateException with file, line, column, what was found and what was expected, if it
   *     does not hold such a record
   */
  public static <T> T read(Path file, Class<T> type) {
    String text = TextFile.read(file, MAX_BYTES, "one of a run");
    return parse(VisibleText.of(file.toString()), 1, text, type);
  }

  /**
   * Reads the lines of a file of at most 64 MB; none if there is no such file. A last line without
   * an end is left out: the process may have been killed while it wrote the line.
   *
   * @throws QuorateException as {@link #read}, of the first line that cannot be read
   */
  public static <T> List<T> readLines(Path file, Class<T> type) {
    if (!Files.exists(file)) {
      return List.of();
    }
    String text = TextFile.read(file, MAX_BYTES_OF_LINES, "one of a run");
    String name = VisibleText.of(file.toString());
    List<T> values = new ArrayList<>();
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
      values.add(parse(name, values.size() + 1, line, type));
    }
    return values;
  }

  /** Parses a text; the name of the file and the number of the line are for messages. */
  public static <T> T parse(String file, int line, String text, Class<T> type) {
    try {
      requireVersion(file, text, type);
      T value = MAPPER.readValue(text, type);
      if (value == null) {
        throw new QuorateException(file + ":" + line + ":1: found null, expected {...}");
      }
      return value;
    } catch (JsonProcessingException wrong) {
      JsonLocation location = wrong.getLocation();
      throw new QuorateException(
          "%s:%d:%d: %s"
              .formatted(
                  file,
                  line - 1 + (location == null ? 1 : Math.max(1, location.getLineNr())),
                  location == null ? 1 : Math.max(1, location.getColumnNr()),
                  VisibleText.line(new JsonProblem(MAPPER, wrong, text).toString())),
          wrong);
    }
  }

  /** Returns whether a text is the beginning of JSON, and ends too early. */
  public static boolean isCut(String text) {
    try (JsonParser parser = MAPPER.createParser(text)) {
      while (parser.nextToken() != null) {
        parser.skipChildren();
      }
      return text.isBlank();
    } catch (JsonEOFException cut) {
      return true;
    } catch (IOException wrong) {
      return false;
    }
  }

  private static void requireVersion(String file, String text, Class<?> type)
      throws JsonProcessingException {
    FormatVersion expected = type.getAnnotation(FormatVersion.class);
    if (expected == null) {
      return;
    }
    String found = "nothing";
    try (JsonParser parser = MAPPER.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean version = parser.currentName().equals(FORMAT_VERSION);
        parser.nextToken();
        if (version) {
          found = VisibleText.line(parser.getText());
          break;
        }
        parser.skipChildren();
      }
    } catch (JsonProcessingException malformed) {
      throw malformed;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    if (!found.equals(Integer.toString(expected.value()))) {
      boolean newer = found.matches("\\d{1,9}") && Integer.parseInt(found) > expected.value();
      throw new QuorateException(
          "%s: found formatVersion %s, expected %d: it was written by %s to read it"
              .formatted(
                  file,
                  found,
                  expected.value(),
                  newer
                      ? "a newer version of Quorate; update Quorate"
                      : "another version of Quorate; use that one"));
    }
  }
}
