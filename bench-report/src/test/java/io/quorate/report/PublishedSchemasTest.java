// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.quorate.format.StrictJson.FormatVersion;
import io.quorate.report.export.ResultJson;
import io.quorate.results.manifest.Manifest;
import io.quorate.store.Operation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the JSON schemas say what the records are. */
class PublishedSchemasTest {
  private static final JsonNode MANIFEST =
      schema(Manifest.class, "/io/quorate/results/manifest/manifest-3.schema.json");
  private static final JsonNode RESULT =
      schema(ResultJson.class, "/io/quorate/report/result-3.schema.json");

  /** JSON type of each class that is written as a scalar. */
  private static final Map<Class<?>, String> SCALARS = new HashMap<>();

  static {
    for (Class<?> each :
        List.of(int.class, long.class, Long.class, OptionalInt.class, OptionalLong.class)) {
      SCALARS.put(each, "integer");
    }
    for (Class<?> each :
        List.of(double.class, Double.class, BigDecimal.class, OptionalDouble.class)) {
      SCALARS.put(each, "number");
    }
    for (Class<?> each : List.of(String.class, Instant.class, Duration.class)) {
      SCALARS.put(each, "string");
    }
    SCALARS.put(boolean.class, "boolean");
    SCALARS.put(Boolean.class, "boolean");
  }

  @Test
  void the_schema_of_the_manifest_has_the_components_of_its_records() {
    assertThat(differences(Manifest.class, MANIFEST)).isEmpty();
    assertThat(MANIFEST.at("/properties/formatVersion/const").asInt())
        .isEqualTo(Manifest.class.getAnnotation(FormatVersion.class).value());
  }

  @Test
  void the_schema_of_the_result_has_the_components_of_its_records() {
    assertThat(differences(ResultJson.class, RESULT)).isEmpty();
  }

  @Test
  void the_schemas_have_the_names_of_their_files() {
    assertThat(MANIFEST.path("$id").asText()).isEqualTo("urn:quorate:schema:manifest-3");
    assertThat(RESULT.path("$id").asText()).isEqualTo("urn:quorate:schema:result-3");
  }

  @Test
  void the_manifests_of_the_frozen_runs_are_valid() throws Exception {
    Path frozen = Path.of(PublishedSchemasTest.class.getResource("frozen").toURI());
    try (Stream<Path> files = Files.walk(frozen)) {
      List<Path> manifests = files.filter(each -> each.endsWith("manifest.json")).sorted().toList();
      assertThat(manifests).isNotEmpty();
      for (Path each : manifests) {
        assertThat(
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(MANIFEST)
                    .validate(new ObjectMapper().readTree(each.toFile())))
            .as(each.toString())
            .isEmpty();
      }
    }
  }

  private static List<String> differences(Class<?> record, JsonNode schema) {
    List<String> differences = new ArrayList<>();
    compare(record, schema, schema, record.getSimpleName(), differences);
    return differences;
  }

  private static void compare(
      Type type, JsonNode named, JsonNode root, String at, List<String> differences) {
    JsonNode schema = named.has("$ref") ? root.at(named.path("$ref").asText().substring(1)) : named;
    Class<?> raw =
        type instanceof ParameterizedType generic
            ? (Class<?>) generic.getRawType()
            : (Class<?>) type;
    if (raw == Optional.class) {
      compare(argument(type, 0), schema, root, at, differences);
    } else if (raw == List.class) {
      same("array", schema.path("type").asText(), at, differences);
      compare(argument(type, 0), schema.path("items"), root, at + "[]", differences);
    } else if (raw == Map.class) {
      same("object", schema.path("type").asText(), at, differences);
    } else if (raw == Operation.class) {
      // a new operation must not make results invalid for those who have the earlier schema
      same("string", schema.path("type").asText(), at, differences);
    } else if (raw.isEnum()) {
      Set<String> names = new TreeSet<>();
      for (Object each : raw.getEnumConstants()) {
        names.add(((Enum<?>) each).name().toLowerCase(Locale.ROOT).replace('_', '-'));
      }
      Set<String> described = new TreeSet<>();
      schema.path("enum").forEach(each -> described.add(each.asText()));
      // names of earlier versions, which files of runs may have
      Arrays.stream(raw.getFields())
          .flatMap(each -> Stream.ofNullable(each.getAnnotation(JsonAlias.class)))
          .flatMap(alias -> Arrays.stream(alias.value()))
          .forEach(described::remove);
      same(names, described, at, differences);
    } else if (raw.isSealed()) {
      JsonNode choices = schema.has("oneOf") ? schema.path("oneOf") : schema.path("anyOf");
      Class<?>[] permitted = raw.getPermittedSubclasses();
      same(permitted.length, choices.size(), at, differences);
      for (int i = 0; i < Math.min(permitted.length, choices.size()); i++) {
        compare(permitted[i], choices.get(i), root, at, differences);
      }
    } else if (isText(raw) || SCALARS.containsKey(raw)) {
      JsonNode value = schema.has("enum") ? schema.path("enum").path(0) : schema.path("const");
      String described =
          value.isMissingNode()
              ? schema.path("type").asText()
              : value.isTextual() ? "string" : "integer";
      same(isText(raw) ? "string" : SCALARS.get(raw), described, at, differences);
    } else {
      compareRecord(raw, schema, root, at, differences);
    }
  }

  private static boolean isText(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .anyMatch(each -> each.isAnnotationPresent(JsonValue.class));
  }

  private static void compareRecord(
      Class<?> record, JsonNode schema, JsonNode root, String at, List<String> differences) {
    if (at.endsWith("imports[].figures")) {
      return; // imported runs have some of the values
    }
    Set<String> names = new LinkedHashSet<>();
    Set<String> required = new LinkedHashSet<>();
    if (record.isAnnotationPresent(FormatVersion.class)) {
      names.add("formatVersion");
      required.add("formatVersion");
    }
    components(record, schema, root, at, names, required, differences);
    Set<String> described = new TreeSet<>();
    schema.path("properties").fieldNames().forEachRemaining(described::add);
    same(new TreeSet<>(names), described, at, differences);
    Set<String> demanded = new TreeSet<>();
    schema.path("required").forEach(each -> demanded.add(each.asText()));
    // the result has some values whenever it has the others
    if (root == RESULT) {
      demanded.retainAll(required);
    }
    same(new TreeSet<>(required), demanded, at + " required", differences);
    same("false", schema.path("additionalProperties").asText(), at, differences);
  }

  private static void components(
      Class<?> record,
      JsonNode schema,
      JsonNode root,
      String at,
      Set<String> names,
      Set<String> required,
      List<String> differences) {
    for (RecordComponent each : record.getRecordComponents()) {
      AnnotatedElement field = field(record, each.getName());
      if (field.isAnnotationPresent(JsonUnwrapped.class)) {
        Class<?> part = (Class<?>) argument(each.getGenericType(), 0);
        components(part, schema, root, at, names, new TreeSet<>(), differences);
        continue;
      }
      String name =
          field.isAnnotationPresent(JsonProperty.class)
              ? field.getAnnotation(JsonProperty.class).value()
              : each.getName();
      names.add(name);
      boolean optional =
          each.getType().getSimpleName().startsWith("Optional")
              || field.isAnnotationPresent(JsonInclude.class);
      if (!optional) {
        required.add(name);
      }
      JsonNode property = schema.path("properties").path(name);
      compare(each.getGenericType(), property, root, at + "." + name, differences);
    }
  }

  private static AnnotatedElement field(Class<?> record, String name) {
    try {
      return record.getDeclaredField(name);
    } catch (NoSuchFieldException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static Type argument(Type type, int index) {
    return ((ParameterizedType) type).getActualTypeArguments()[index];
  }

  private static void same(Object record, Object schema, String at, List<String> differences) {
    if (!record.equals(schema)) {
      differences.add(at + ": the record has " + record + ", the schema " + schema);
    }
  }

  private static JsonNode schema(Class<?> beside, String resource) {
    try (InputStream in = beside.getResourceAsStream(resource)) {
      return new ObjectMapper().readTree(in);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
