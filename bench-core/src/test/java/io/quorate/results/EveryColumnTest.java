// SPDX-License-Identifier: Apache-2.0
package io.quorate.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.format.CsvFile;
import io.quorate.results.hosts.HostFiles;
import io.quorate.results.hosts.HostMeasurements;
import io.quorate.results.hosts.HostSamples;
import io.quorate.results.hosts.HostTimeline;
import io.quorate.results.hosts.MemberSeries;
import io.quorate.results.manifest.FileVersions;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.AttemptCounts;
import io.quorate.results.requests.ErrorRow;
import io.quorate.results.requests.SecondRow;
import io.quorate.results.requests.StepTimes;
import io.quorate.results.requests.StmSteps;
import io.quorate.results.requests.TenthRow;
import io.quorate.results.requests.WatchRow;
import io.quorate.results.requests.WatchedSteps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each CSV file of a run without each of its columns, in another order, and with one more. */
class EveryColumnTest {
  private static final String STEPS = "client-system-metrics-steps.csv";
  private static final List<CsvFile<?>> REQUESTS =
      List.of(
          SecondRow.FILE,
          ErrorRow.FILE,
          TenthRow.FILE,
          StepTimes.FILE,
          AttemptCounts.FILE,
          WatchRow.FILE);

  @TempDir Path results;
  private Path directory;
  private HostFiles hosts;

  @BeforeEach
  void write() throws IOException {
    RunDirectory run = RunDirectory.create(results, "columns", 1, Manifests.START);
    directory = StmSteps.write(run, "etcd").path();
    Path watched = WatchedSteps.write(run, "zookeeper").path();
    Files.copy(WatchRow.FILE.in(watched), WatchRow.FILE.in(directory));
    TenthRow.FILE.append(directory, List.of(new TenthRow(1, "stm", 100_000, 100_100, 1, 2, 3)));
    hosts = new HostFiles(new DatabaseDirectory(directory));
    write("client-system-metrics.csv", HostFiles.COLUMNS, host(1), host(2), host(3));
    List<String> ofSteps = new ArrayList<>(List.of("STEP", "BOUNDARY"));
    ofSteps.addAll(HostFiles.COLUMNS);
    write(STEPS, ofSteps, "1,begin," + host(1), "1,end," + host(3));
    write("server-internals.csv", List.of("UNIX-SECOND,MEMBER,METRIC,VALUE"), "1,2,heap,-0.5");
    write(
        "server-disk-space-usage-summary.csv",
        List.of(HostFiles.diskHeader()),
        "1,127.0.0.1:2379,2 B,2");
  }

  /** Returns the cells of a row of host metrics, which all have this number. */
  private static String host(int number) {
    return String.join(",", Collections.nCopies(HostFiles.COLUMNS.size(), "" + number));
  }

  private void write(String name, List<String> header, String... rows) throws IOException {
    Files.writeString(
        directory.resolve(name), String.join(",", header) + "\n" + String.join("\n", rows) + "\n");
  }

  static Stream<String> files() {
    return Stream.concat(
        REQUESTS.stream().map(CsvFile::name),
        Stream.of(
            "client-system-metrics.csv",
            STEPS,
            "server-internals.csv",
            "server-disk-space-usage-summary.csv"));
  }

  @Test
  void every_file_with_rows_of_a_run_is_tried() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      assertThat(all.map(each -> each.getFileName().toString()).filter(it -> it.endsWith(".csv")))
          .containsExactlyInAnyOrderElementsOf(files().toList());
    }
    assertThat(files().map(each -> each.replaceAll("client-(system-metrics).*", "$1.csv")))
        .allMatch(FileVersions.written()::containsKey);
  }

  @ParameterizedTest
  @MethodSource("files")
  void without_a_column_a_file_is_read_or_refused_with_the_name_of_the_column(String name)
      throws IOException {
    List<List<String>> rows = rows(name);
    List<String> header = rows.get(0);
    List<String> read = new ArrayList<>();
    for (int i = 0; i < header.size(); i++) {
      int without = i;
      replace(name, rows.stream().map(row -> order(row, row.size(), without)).toList());
      try {
        assertThat(content(name)).isNotNull();
        read.add(header.get(i));
      } catch (QuorateException refused) {
        assertThat(refused)
            .hasMessageMatching("(?s).*/" + name + ":[12]: found .*\\b" + header.get(i) + "\\b.*");
      }
    }
    List<String> refused = new ArrayList<>(header);
    refused.removeAll(read);
    switch (name) {
      case "steps.csv" ->
          assertThat(read).containsExactly("LONGEST-NANOS-WITHOUT-SUCCESS", "STALLED-NANOS");
      case "client-system-metrics.csv" ->
          assertThat(refused).containsExactly("UNIX-NANOSECOND", "UNIX-SECOND", "CPU-MILLISECONDS");
      case STEPS ->
          assertThat(refused)
              .containsExactly(
                  "STEP", "BOUNDARY", "UNIX-NANOSECOND", "UNIX-SECOND", "CPU-MILLISECONDS");
      default -> assertThat(read).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void in_another_order_the_columns_have_the_same_values(String name) throws IOException {
    Object before = content(name);
    List<List<String>> rows = rows(name);
    for (int first = 1; first < rows.get(0).size(); first++) {
      int start = first;
      replace(name, rows.stream().map(row -> order(row, start, -1)).toList());
      assertThat(content(name)).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void an_unknown_column_is_refused_with_its_name(String name) throws IOException {
    List<List<String>> wider = new ArrayList<>();
    for (List<String> row : rows(name)) {
      wider.add(Stream.concat(Stream.of(wider.isEmpty() ? "LATER" : "1"), row.stream()).toList());
    }
    replace(name, wider);
    assertThatThrownBy(() -> content(name))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith(
            directory.resolve(name) + ":1: found the unknown column LATER, expected the header")
        .hasMessageEndingWith("; update Quorate if a newer version wrote the file");
  }

  @ParameterizedTest
  @MethodSource("files")
  void an_incomplete_last_row_is_left_out(String name) throws IOException {
    if (name.startsWith("server-disk")) {
      return; // written at once
    }
    Object before = content(name);
    Files.writeString(directory.resolve(name), "1,\"2\nab", StandardOpenOption.APPEND);
    assertThat(content(name)).isEqualTo(before);
    HostMeasurements machines = new HostMeasurements(hosts.directory());
    machines.client();
    machines.steps(hosts.client(), List.of());
    machines.reported();
    assertThat(machines.truncated())
        .isEqualTo(
            REQUESTS.stream().anyMatch(it -> it.name().equals(name)) ? List.of() : List.of(name));
  }

  @ParameterizedTest
  @MethodSource("files")
  void an_empty_file_is_refused(String name) throws IOException {
    Files.writeString(directory.resolve(name), "");
    assertThatThrownBy(() -> content(name))
        .hasMessageStartingWith(directory.resolve(name) + ":1: found nothing, expected ");
  }

  @Test
  void a_repeated_header_is_left_out_and_a_column_that_no_file_has_is_a_mistake()
      throws IOException {
    List<String> lines = Files.readAllLines(hosts.client());
    lines.add(2, lines.get(0));
    Files.write(hosts.client(), lines);
    HostSamples samples = new HostMeasurements(hosts.directory()).client();
    assertThat(samples.size()).isEqualTo(3);
    assertThatThrownBy(() -> samples.values("CPU-MILISECONDS"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("CPU-MILISECONDS is not a column of system metrics");
  }

  @Test
  void a_cut_header_and_a_fraction_of_a_step_are_named() throws IOException {
    Files.writeString(hosts.client(), "UNIX-NANOSECOND,UNIX-SE");
    assertThatThrownBy(() -> content("client-system-metrics.csv"))
        .hasMessageEndingWith(":1: found a header without its end, expected a header");

    write();
    String text = Files.readString(directory.resolve(STEPS));
    Files.writeString(directory.resolve(STEPS), text.replace("1,end", "1.5,end"));
    assertThatThrownBy(() -> content(STEPS))
        .hasMessageContaining(STEPS + ":3: found '1.5', expected a whole number of 0 or more");
  }

  private List<List<String>> rows(String name) throws IOException {
    return Files.readAllLines(directory.resolve(name)).stream()
        .map(line -> List.of(line.split(",", -1)))
        .toList();
  }

  /** Returns the cells from one on and then those before it, without one of them. */
  private static List<String> order(List<String> row, int first, int without) {
    return IntStream.range(first, first + row.size())
        .map(cell -> cell % row.size())
        .filter(cell -> cell != without)
        .mapToObj(row::get)
        .toList();
  }

  private void replace(String name, List<List<String>> rows) throws IOException {
    Files.write(directory.resolve(name), rows.stream().map(row -> String.join(",", row)).toList());
  }

  /** Returns all that a file contains, as the report reads it. */
  private Object content(String name) {
    Optional<CsvFile<?>> requests =
        REQUESTS.stream().filter(each -> each.name().equals(name)).findFirst();
    if (requests.isPresent()) {
      return requests.get().read(directory).rows();
    }
    Path file = directory.resolve(name);
    if (file.equals(hosts.internals())) {
      MemberSeries.Series series = new HostMeasurements(hosts.directory()).reported().of(2, "heap");
      return List.of(series.size(), series.second(0), series.value(0));
    }
    if (file.equals(hosts.diskUsage())) {
      return HostFiles.diskBytes(file);
    }
    HostMeasurements machines = new HostMeasurements(hosts.directory());
    HostSamples samples = machines.client();
    HostTimeline steps =
        machines.timeline(hosts.client(), List.of("CPU-MILLISECONDS"), List.of("FD")).orElseThrow();
    List<String> content = new ArrayList<>();
    for (String column : new TreeSet<>(HostFiles.COLUMNS)) {
      content.add(column + steps.text(column));
      IntStream.range(0, samples.size()).forEach(row -> content.add(samples.text(column, row)));
      content.add(Arrays.toString(samples.values(column)));
    }
    content.add("" + steps.level("FD", 2) + steps.steps().get(0).growth("CPU-MILLISECONDS"));
    return content;
  }
}
