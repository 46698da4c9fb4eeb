// SPDX-License-Identifier: Apache-2.0
package io.quorate.results.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.results.DatabaseDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file about the zones of a run. */
class RunZonesTest {
  private static final RunZones ZONES =
      new RunZones(
          "own",
          List.of("a", "b", "b"),
          Optional.of("c"),
          List.of(
              new RunZones.Link(
                  "a to b",
                  "1.5 ms, jitter 0.2 ms",
                  1_500_000,
                  200,
                  1_512_345,
                  1_594_000,
                  1_711_499),
              new RunZones.Link("a to c", "5 ms", 5_000_000, 150, 5_000_001, 5_020_000, 5_300_000),
              new RunZones.Link("within b", "0.3 ms", 300_000, 200, 301_000, 340_000, 410_000)));

  private static final String FILE =
      """
      {
        "formatVersion" : 1,
        "topology" : "own",
        "members" : [
          "a",
          "b",
          "b"
        ],
        "loadGenerator" : "c",
        "links" : [
          {
            "zones" : "a to b",
            "asked" : "1.5 ms, jitter 0.2 ms",
            "roundTripNanos" : 1500000,
            "pings" : 200,
            "leastNanos" : 1512345,
            "medianNanos" : 1594000,
            "p99Nanos" : 1711499
          },
          {
            "zones" : "a to c",
            "asked" : "5 ms",
            "roundTripNanos" : 5000000,
            "pings" : 150,
            "leastNanos" : 5000001,
            "medianNanos" : 5020000,
            "p99Nanos" : 5300000
          },
          {
            "zones" : "within b",
            "asked" : "0.3 ms",
            "roundTripNanos" : 300000,
            "pings" : 200,
            "leastNanos" : 301000,
            "medianNanos" : 340000,
            "p99Nanos" : 410000
          }
        ]
      }
      """;

  @TempDir private Path directory;

  @Test
  void zones_json_is_this_file_and_is_read_as_it_was_written() throws IOException {
    DatabaseDirectory database = new DatabaseDirectory(directory);
    ZONES.write(database);

    assertThat(directory.resolve("zones.json")).hasContent(FILE);
    assertThat(RunZones.read(database, 3)).contains(ZONES);
  }

  @Test
  void a_run_without_zones_has_no_file() {
    DatabaseDirectory database = new DatabaseDirectory(directory);
    assertThat(RunZones.read(database, 3)).isEmpty();
  }

  @Test
  void what_is_wrong_with_the_file_is_told_with_its_place() throws IOException {
    Files.writeString(
        directory.resolve("zones.json"),
        FILE.replace("\"topology\" : \"own\"", "\"topology\" : 1"));

    assertThatThrownBy(() -> RunZones.read(new DatabaseDirectory(directory), 3))
        .isInstanceOf(QuorateException.class)
        .hasMessageEndingWith("zones.json:3:16: topology: found 1, expected text");
  }

  @Test
  void each_server_of_the_manifest_has_a_zone() {
    DatabaseDirectory database = new DatabaseDirectory(directory);
    ZONES.write(database);

    assertThatThrownBy(() -> RunZones.read(database, 5))
        .isInstanceOf(QuorateException.class)
        .hasMessageEndingWith(
            "zones.json: members: found 3, expected 5, one for each server of the manifest");
    assertThat(RunZones.read(database, 0)).contains(ZONES);
  }

  @Test
  void a_link_is_found_by_the_zones_of_two_members_or_of_the_load_generator() {
    assertThat(ZONES.between(1, 2).map(RunZones.Link::zones)).contains("a to b");
    assertThat(ZONES.between(3, 1).map(RunZones.Link::zones)).contains("a to b");
    assertThat(ZONES.between(2, 3).map(RunZones.Link::zones)).contains("within b");
    assertThat(ZONES.between(2, 2)).isEmpty();
    assertThat(ZONES.fromLoadGenerator(1).map(RunZones.Link::zones)).contains("a to c");
    assertThat(ZONES.fromLoadGenerator(2)).isEmpty();
  }

  @Test
  void a_link_says_what_was_asked_for_and_what_was_measured() {
    assertThat(ZONES.links().get(0).text())
        .isEqualTo(
            "a to b: asked for 1.5 ms, jitter 0.2 ms, measured 1.594 ms at the median and 1.711 ms"
                + " at the 99th percentile of 200 pings before the load");
  }
}
