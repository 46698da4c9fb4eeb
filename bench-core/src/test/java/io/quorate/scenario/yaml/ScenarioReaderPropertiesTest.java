// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.scenario.Scenario;
import io.quorate.scenario.StoreLoad;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;

/** Whatever one writes, the answer is a scenario or a list of problems that is safe to print. */
class ScenarioReaderPropertiesTest {
  private static final List<String> LINES =
      List.of(
          "title: Some writes",
          "operation: read",
          "requests: 1_000",
          "keys: {size: 256}",
          "values: {size: 1024}",
          "load: {steps: [1, 10]}",
          "databases: [etcd, zookeeper]");

  private static final List<String> MIXED_LINES =
      List.of(
          "title: Some requests",
          "mix: {get: 40, put: 30, range: 20, compare-and-set: 10}",
          "range: {keys: 100, limit: 10}",
          "duration: 30s",
          "keys: {size: 256, distribution: hotspot, count: 1_000, hotspot: {keys: 20, requests:"
              + " 80}}",
          "values: {size: 1024}",
          "load: {rates: [1/s, 3/s, 20/s], arrivals: poisson}",
          "databases: {etcd: {clients: 3, max-rate: 5/s}, memory: }");

  @Property(seed = "1", tries = 100)
  void any_text_is_read_or_refused(@ForAll String text) {
    readOrRefuse(text);
  }

  @Property(seed = "1", tries = 100)
  void any_piecework_of_yaml_is_read_or_refused(@ForAll("piecework") String text) {
    readOrRefuse(text);
  }

  @Property(seed = "1", tries = 100)
  void a_good_scenario_with_one_bad_place_is_read_or_refused(
      @ForAll("piecework") String place, @ForAll int where, @ForAll int length) {
    oneBadPlace(LINES, place, where, length);
  }

  @Property(seed = "1", tries = 100)
  void a_good_mix_with_one_bad_place_is_read_or_refused(
      @ForAll("piecework") String place, @ForAll int where, @ForAll int length) {
    oneBadPlace(MIXED_LINES, place, where, length);
  }

  private static void oneBadPlace(List<String> lines, String place, int where, int length) {
    String good = String.join("\n", lines) + "\n";
    int from = Math.floorMod(where, good.length());
    int to = Math.min(good.length(), from + Math.floorMod(length, 10));

    readOrRefuse(good.substring(0, from) + place + good.substring(to));
  }

  @Property(seed = "1", tries = 100)
  void the_order_of_keys_does_not_matter(@ForAll("shuffled") List<String> lines) {
    String good = String.join("\n", LINES);
    String mixed = String.join("\n", lines);

    assertThat(ScenarioReader.read("x", mixed, 1).databases())
        .isEqualTo(ScenarioReader.read("x", good, 1).databases());
  }

  @Property(seed = "1", tries = 100)
  void at_any_scale_every_client_has_a_request(
      @ForAll @DoubleRange(min = 0, minIncluded = false, max = 1) double scale) {
    Scenario scenario = ScenarioReader.read("x", String.join("\n", LINES), scale);

    assertThat(scenario.requests().measured()).isBetween(20L, 1_000L);
    assertThat(scenario.databases())
        .allMatch(load -> load.requests() == scenario.requests().measured())
        .flatMap(StoreLoad::steps)
        .allMatch(step -> step.requests() >= step.clients());
  }

  @Property(seed = "1", tries = 100)
  void at_any_scale_every_rate_has_requests_for_a_second(
      @ForAll @DoubleRange(min = 0, minIncluded = false, max = 1) double scale) {
    Scenario scenario = ScenarioReader.read("x", String.join("\n", MIXED_LINES), scale);

    assertThat(scenario.requests().measured()).isBetween(24L, 24L * 30);
    assertThat(scenario.databases())
        .flatMap(StoreLoad::steps)
        .allMatch(step -> step.requests() >= 1)
        .allMatch(step -> step.duration().orElseThrow().toMillis() >= 1_000);
  }

  @Provide
  Arbitrary<String> piecework() {
    return Arbitraries.of(
            ":",
            ": ",
            "\n",
            "  ",
            "\n  ",
            "\t",
            "- ",
            "? ",
            "[",
            "]",
            "{",
            "}",
            ",",
            "#",
            " #",
            "&a ",
            "*a",
            "<<: ",
            "!",
            "!!str ",
            "!<x> ",
            "|",
            "|2-\n",
            ">",
            "'",
            "\"",
            "\\",
            "\\x",
            "\\U",
            "FFFFFFFF",
            "%YAML 1.1",
            "%TAG ! x",
            "---",
            "...",
            "@",
            "`",
            "~",
            "null",
            "true",
            "0",
            "-1",
            "1_000",
            "99999999999999999999",
            ".inf",
            "1e999",
            "requests",
            "title",
            "keys",
            "databases",
            "etcd",
            "size",
            "load",
            "steps",
            "mix",
            "range",
            "duration",
            "rate",
            "5/s",
            "hot-set",
            "\u0000",
            "\u0085",
            "\u2028",
            "\uFEFF",
            "\uD800",
            "\r")
        .list()
        .ofMaxSize(25)
        .map(pieces -> String.join("", pieces));
  }

  @Provide
  Arbitrary<List<String>> shuffled() {
    return Arbitraries.shuffle(LINES);
  }

  private static void readOrRefuse(String text) {
    try {
      assertThat(ScenarioReader.read("my.yaml", text, 1).databases()).isNotEmpty();
    } catch (InvalidScenarioException e) {
      assertThat(e.problems()).isNotEmpty().doesNotHaveDuplicates();
      assertThat(e.getMessage().lines()).hasSameSizeAs(e.problems());
      assertThat(e.getMessage().replace("\n", ""))
          .startsWith("my.yaml:")
          .doesNotContainPattern("[\\p{Cc}\\p{Cs}\u2028\u2029]");
    }
  }
}
