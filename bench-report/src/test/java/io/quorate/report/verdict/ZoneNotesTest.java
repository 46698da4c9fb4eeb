package io.quorate.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.run.DatabaseDirectory;
import io.quorate.run.RunZones;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The notes about the zones of a run. */
class ZoneNotesTest {
  @TempDir private Path directory;

  @Test
  void they_say_where_members_were_how_far_apart_and_what_the_relay_took() throws IOException {
    RunZones zones = zones("a", Optional.of("b\u001b"));
    Files.writeString(
        directory.resolve("relay-system-metrics-interpolated.csv"),
        "UNIX-NANOSECOND,UNIX-SECOND,CPU-MILLISECONDS\n");
    Files.writeString(
        directory.resolve("relay-system-metrics-steps.csv"),
        """
        STEP,BOUNDARY,UNIX-NANOSECOND,UNIX-SECOND,CPU-MILLISECONDS
        1,begin,1000000000,1,3520
        1,end,2000000000,2,3640
        2,begin,3000000000,3,3700
        2,end,4000000000,4,5105
        """);

    assertThat(notes(zones))
        .containsExactly(
            "etcd: topology own, members in a, a, c, the load generator in b\\x1b",
            "etcd: a to c: asked for 1.5 ms, measured 1.594 ms at the median and 1.711 ms at the"
                + " 99th percentile of 200 pings before the load",
            "etcd: the relay between zones took 1.52 s of CPU in the measured steps, beside servers"
                + " and load generator");
  }

  @Test
  void without_a_relay_there_is_no_cpu_of_it() {
    assertThat(notes(zones("a", Optional.empty())))
        .hasSize(2)
        .first()
        .isEqualTo("etcd: topology own, members in a, a, c");
  }

  private List<String> notes(RunZones zones) {
    return ZoneNotes.of("etcd", zones, new DatabaseDirectory(directory));
  }

  private static RunZones zones(String zone, Optional<String> loadGenerator) {
    return new RunZones(
        "own",
        List.of(zone, zone, "c"),
        loadGenerator,
        List.of(
            new RunZones.Link(
                zone + " to c",
                "1.5 ms",
                1_500_000,
                200,
                OptionalLong.of(1_510_000),
                1_594_000,
                1_711_000)));
  }
}
