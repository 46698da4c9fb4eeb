// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorate.scenario.yaml.EditorSchema;
import io.quorate.scenario.yaml.InvalidScenarioException;
import io.quorate.scenario.yaml.ScenarioReader;
import io.quorate.store.Operation;
import io.quorate.store.Store;
import io.quorate.stores.Stores;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The schema has the names that come from stores, operations and axes, and the guide has the keys
 * of the schema. All other keys are in the schema only.
 */
class ScenarioKeysTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/properties/mix/properties         | mix: {unheard-of: 1}",
        "/properties/matrix/properties/axes/properties | matrix: {axes: {unheard-of: 1}}",
        "/$defs/etcdSettings/properties     | databases: {etcd: {settings: {unheard-of: 1}}}",
        "/$defs/etcdSettings/properties     | databases: {zetcd: {settings: {unheard-of: 1}}}",
        "/$defs/zookeeperSettings/properties | databases: {zookeeper: {settings: {unheard-of: 1}}}",
        "/$defs/consulSettings/properties   | databases: {consul: {settings: {unheard-of: 1}}}",
        "/properties/databases/anyOf/1/properties | databases: {unheard-of: }"
      })
  void the_keys_of_the_reader_are_those_of_the_schema(String pointer, String yaml) {
    assertThat(keysKnownToTheReader(yaml))
        .containsExactlyInAnyOrderElementsOf(names(EditorSchema.at(pointer)));
  }

  @Test
  void the_databases_of_the_schema_are_all_there_are() {
    assertThat(EditorSchema.at("/properties/databases/anyOf/0/items/enum"))
        .extracting(JsonNode::asText)
        .containsExactlyElementsOf(
            Stream.concat(Stores.all().stream(), Stores.versions().stream())
                .map(Store::id)
                .toList());
  }

  @Test
  void the_operations_of_the_schema_are_all_there_are() {
    assertThat(EditorSchema.at("/properties/operation/enum"))
        .extracting(JsonNode::asText)
        .containsExactly(
            "put",
            "get",
            "exists",
            "delete",
            "range",
            "compare-and-set",
            "txn",
            "stm",
            "compact",
            "lease-grant",
            "lease-keepalive",
            "create",
            "remove",
            "optimistic-create",
            "optimistic-update",
            "optimistic-delete",
            "revision",
            "lock",
            "elect",
            "register",
            "expire",
            "write",
            "read");
    assertThat(Operation.values()).hasSize(21);
  }

  @Test
  void the_orders_of_the_schema_are_all_there_are() {
    assertThat(EditorSchema.at("/properties/keys/properties/distribution/enum"))
        .extracting(JsonNode::asText)
        .containsExactlyElementsOf(
            Stream.of(KeySpace.Order.values()).map(each -> each.id()).toList());
  }

  @Test
  void every_key_of_the_schema_is_explained() {
    Stream.of(
            "/properties",
            "/properties/keys/properties",
            "/properties/mix/properties",
            "/properties/range/properties",
            "/properties/txn/properties",
            "/properties/leases/properties",
            "/properties/objects/properties",
            "/properties/watch/properties",
            "/properties/capacity/properties",
            "/properties/matrix/properties",
            "/properties/matrix/properties/axes/properties",
            "/$defs/load/properties",
            "/$defs/link/properties",
            "/$defs/etcdSettings/properties",
            "/$defs/zookeeperSettings/properties",
            "/$defs/consulSettings/properties")
        .flatMap(pointer -> StreamSupport.stream(EditorSchema.at(pointer).spliterator(), false))
        .forEach(key -> assertThat(key.path("description").asText()).isNotBlank());
  }

  @Test
  void every_key_is_in_the_guide() throws IOException {
    Path pages = EditorSchema.HOME.resolve("src/site/markdown");
    StringBuilder guide = new StringBuilder(Files.readString(pages.resolve("how-to/matrix.md")));
    try (DirectoryStream<Path> blocks =
        Files.newDirectoryStream(pages.resolve("reference"), "*-keys.md")) {
      for (Path block : blocks) {
        guide.append(Files.readString(block));
      }
    }

    assertThat(names(EditorSchema.at("/properties")))
        .filteredOn(
            key ->
                !key.matches(
                    "keys|values|load|range|txn|leases|objects|sessions|watch|capacity|faults|matrix"))
        .allSatisfy(key -> assertThat(guide).contains("- `" + key + "`: "));
    for (String section :
        List.of(
            "keys",
            "values",
            "range",
            "txn",
            "leases",
            "objects",
            "sessions",
            "watch",
            "capacity",
            "faults",
            "matrix")) {
      assertThat(names(EditorSchema.at("/properties/" + section + "/properties")))
          .allSatisfy(key -> assertThat(guide).contains("- `" + section + ": " + key + "`: "));
    }
    assertThat(names(EditorSchema.at("/$defs/link/properties")))
        .allSatisfy(key -> assertThat(guide).contains("- `topology: " + key + "`: "));
    assertThat(names(EditorSchema.at("/$defs/load/properties")))
        .allSatisfy(key -> assertThat(guide).contains("- `load: " + key + "`: "));
    assertThat(names(EditorSchema.at("/properties/matrix/properties/axes/properties")))
        .allSatisfy(key -> assertThat(guide).contains("- `" + key + "`: "));
    for (Store store : Stores.all()) {
      assertThat(Stores.servers(store).settings())
          .allSatisfy(setting -> assertThat(guide).contains("- `" + setting + "`: "));
    }
  }

  private static List<String> keysKnownToTheReader(String yaml) {
    InvalidScenarioException.Problem unknown =
        catchThrowableOfType(
                InvalidScenarioException.class, () -> ScenarioReader.read("x.yaml", yaml, 1))
            .problems()
            .stream()
            .filter(problem -> problem.found().endsWith("'unheard-of'"))
            .findFirst()
            .orElseThrow();
    return List.of(unknown.expected().replaceFirst("^one of ", "").split(", "));
  }

  private static List<String> names(JsonNode properties) {
    List<String> names = properties.properties().stream().map(e -> e.getKey()).toList();
    assertThat(names).isNotEmpty();
    return names;
  }
}
