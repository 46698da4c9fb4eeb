// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.QuorateException;
import io.quorate.report.table.RowLabels;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.DatabaseRun;
import io.quorate.results.ExperimentRun;
import io.quorate.results.RunEvent;
import io.quorate.results.manifest.FileVersions;
import io.quorate.results.manifest.Manifest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every file of a small run, damaged in many ways: a report, or a message, and nothing else. */
class DamagedRunTest {
  private static final int TIMES = 20;
  private static final List<String> NUMBERS =
      List.of(
          "-1",
          "0",
          "1.5",
          "1e400",
          "1e-400",
          "NaN",
          "Infinity",
          "18446744073709551617",
          "9223372036854775807",
          "999999999999999999",
          "99999999999999999999",
          "1e99999999999",
          "");

  @TempDir Path temporary;

  @Test
  void whateverIsDamagedEndsWithAReportOrAMessage() throws IOException {
    GoldenRun run = new GoldenRun(temporary, "etcd");
    // the files of all servers are read in the same way
    List<Path> files =
        TestRuns.files(run.directory().path()).stream()
            .filter(file -> !file.toString().matches(".*[23]-server.*"))
            .toList();
    assertThat(files).hasSizeGreaterThan(5);
    Random random = new Random(7);
    int named = 0;
    for (Path file : files) {
      byte[] whole = Files.readAllBytes(file);
      for (int i = 0; i < TIMES; i++) {
        Files.write(file, damaged(whole, i, random));
        try {
          ExperimentRun read = ExperimentRun.read(run.directory().path());
          new RunReport(read, RowLabels.LATER).text();
          named += read.databases().stream().anyMatch(each -> !each.unreadable().isEmpty()) ? 1 : 0;
        } catch (QuorateException expected) {
          assertThat(expected.getMessage()).startsWith(run.directory().path().toString());
          named++;
        } catch (RuntimeException | Error defect) {
          byte[] kept = Files.readAllBytes(file);
          throw new AssertionError(
              file + ", damage " + i + ": " + new String(kept, StandardCharsets.ISO_8859_1),
              defect);
        }
      }
      Files.write(file, whole);
    }
    // another digit is as readable as the old one
    assertThat(named).isGreaterThan(files.size() * TIMES / 4);
  }

  @ParameterizedTest
  @CsvSource({
    "seconds.csv, 0.5",
    "seconds.csv, 0.99",
    "steps.csv, 0.5",
    "errors.csv, 0.5",
    "errors.csv, 0.99",
    "latency.hlog, 0.5",
    "latency.hlog, 0.99",
    "seconds.csv, 0"
  })
  void the_rest_of_a_cut_file_is_not_believed(String name, double part) throws IOException {
    Path run = new SyntheticRun(List.of("etcd"), 8, 100, List.of(10, 20), 0).write(temporary);
    DatabaseRun whole = ExperimentRun.read(run).databases().get(0);
    assertThat(whole.unreadable()).isEmpty();
    long requests = whole.clients().orElseThrow().counts().intended();
    Path manifest = run.resolve("etcd/manifest.json");
    String cost =
        """
        "loadGeneratorCosts" : [ {"step": 1, "clients": 1, "requests": %d, "elapsedNanos": 1,
          "requestNanos": 1, "cpuNanos": 1, "gcPauseNanos": 0, "longestGcPauseNanos": 0} ]"""
            .formatted(requests);
    Files.writeString(
        manifest, Files.readString(manifest).replace("\"loadGeneratorCosts\" : [ ]", cost));
    assertThat(new RunReport(ExperimentRun.read(run), RowLabels.LATER).unreadable()).isEmpty();

    Path file = run.resolve("etcd").resolve(name);
    List<String> lines = Files.readAllLines(file);
    Files.write(file, lines.subList(0, (int) Math.max(1, lines.size() * part)));

    assertThat(new RunReport(ExperimentRun.read(run), RowLabels.LATER).unreadable())
        .singleElement()
        .asString()
        .startsWith("etcd/" + name + ": found ")
        .contains("the file was changed or cut; ");
  }

  /** The manifest has the size of each file, so that any cut or repeated line is found. */
  @Test
  void no_file_of_another_size_than_at_the_end_of_the_run_is_believed() throws IOException {
    GoldenRun run = new GoldenRun(temporary, "etcd");
    DatabaseDirectory etcd = run.directory().createDatabase("etcd");
    RunEvent.append(
        etcd, List.of(RunEvent.noSuccess(1, 1_000, 2_000), RunEvent.stall(1, 3_000, 4_000, 0)));
    run.write(
        "etcd/tenths.csv",
        "STEP,OPERATION,START-UNIX-MILLIS,END-UNIX-MILLIS,SUCCEEDED,P99-NANOS,MAX-NANOS\n"
            + "1,put,1000,1100,9,2,2\n1,put,1100,1200,9,2,2\n");
    run.write("etcd/server-internals.csv", "UNIX-SECOND,MEMBER,METRIC,VALUE\n1,1,a,2\n1,2,a,2\n");
    Map<String, Long> sizes = FileVersions.sizes(etcd.path());
    assertThat(sizes)
        .hasSizeGreaterThan(12)
        .containsKeys("seconds.csv", "client-system-metrics.csv");
    Manifest.read(etcd.manifest()).withSizes(sizes).write(etcd);
    assertThat(run.report().unreadable()).isEmpty();

    for (String name : sizes.keySet()) {
      String whole = run.read("etcd/" + name);
      List<String> lines = whole.lines().toList();
      List<String> first = lines.subList(0, lines.size() - 1);
      for (List<String> damaged :
          List.of(
              first,
              Stream.concat(lines.stream(), Stream.of(lines.get(lines.size() - 1))).toList())) {
        run.write("etcd/" + name, String.join("\n", damaged) + "\n");
        assertThat(run.report().unreadable())
            .as(name)
            .anyMatch(
                each ->
                    each.matches(
                        "etcd/%s: found [0-9,]+ bytes, expected [0-9,]+ as in manifest\\.json: the file was changed or cut; .*"
                            .formatted(name)));
      }
      run.write("etcd/" + name, whole);
    }
  }

  private static byte[] damaged(byte[] whole, int kind, Random random) {
    byte[] bytes = whole.clone();
    int at = random.nextInt(Math.max(1, bytes.length));
    if (kind % 4 == 0 && bytes.length > 0) {
      bytes[at] ^= (byte) (1 + random.nextInt(255));
      return bytes;
    }
    if (kind % 4 == 1) {
      return Arrays.copyOf(bytes, at);
    }
    List<String> lines =
        new ArrayList<>(new String(bytes, StandardCharsets.UTF_8).lines().toList());
    int line = random.nextInt(Math.max(1, lines.size()));
    if (lines.isEmpty()) {
      return bytes;
    }
    if (kind % 4 == 2) {
      String number = NUMBERS.get(random.nextInt(NUMBERS.size()));
      List<String> parts = new ArrayList<>(List.of(lines.get(line).split("(?<=[,: ])", -1)));
      parts.set(random.nextInt(parts.size()), number);
      lines.set(line, String.join("", parts));
    } else if (random.nextBoolean()) {
      lines.add(line, lines.get(line));
    } else {
      lines.remove(line);
    }
    return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
