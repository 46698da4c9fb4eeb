// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** {@code scenarios/scenario.schema.json}, as an editor applies it. */
public final class EditorSchema {
  public static final Path HOME = Path.of(System.getProperty("quorate.home", ".."));
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final JsonNode SCHEMA = read();
  private static final JsonSchema VALIDATOR =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(SCHEMA);

  private EditorSchema() {}

  private static JsonNode read() {
    try {
      return JSON.readTree(
          Files.readString(HOME.resolve("scenarios").resolve("scenario.schema.json")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static JsonNode at(String pointer) {
    return SCHEMA.at(pointer);
  }

  public static boolean accepts(String yaml) {
    LoadSettings settings = LoadSettings.builder().setSchema(YamlDocument.SCHEMA).build();
    Object value = new Load(settings).loadFromString(yaml);
    JsonNode node = JSON.valueToTree(value);
    return VALIDATOR.validate(node).isEmpty();
  }
}
