// SPDX-License-Identifier: Apache-2.0
package io.quorate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.QuorateException;
import io.quorate.cli.Quorate;
import io.quorate.results.ExperimentRun;
import io.quorate.results.ImportedRun;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.requests.Golden;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ImportCommandTest {
  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeTexts() throws IOException {
    for (String name : List.of("put", "put-precise", "txn-mixed", "errors")) {
      Files.writeString(
          directory.resolve(name + ".txt"), Golden.text("etcd-benchmark/" + name + ".txt"));
    }
  }

  private int run(CommandLine command, String... arguments) {
    return command
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setExecutionExceptionHandler(
            (failure, line, parsed) -> {
              err.write(failure.getMessage());
              return failure instanceof QuorateException ? Quorate.FAILED : Quorate.DEFECT;
            })
        .execute(arguments);
  }

  private int imports(String... arguments) {
    List<String> all = new ArrayList<>(List.of("etcd-benchmark"));
    Stream.of(arguments)
        .map(each -> each.endsWith(".txt") ? directory.resolve(each).toString() : each)
        .forEach(all::add);
    return run(new CommandLine(new ImportCommand()), all.toArray(String[]::new));
  }

  private String into(String name) {
    return directory.resolve(name).toString();
  }

  @Test
  void anImportedTextIsAColumnWithoutTheRowsThatItDoesNotGive() throws IOException {
    assertThat(imports("put-precise.txt", "--into", into("run"), "--title", "Puts")).isZero();
    String table =
        """
        +----------------------+---------------+
        |                      |  put-precise  |
        +----------------------+---------------+
        |        TOTAL-SECONDS |    0.0769 sec |
        | TOTAL-REQUEST-NUMBER |           400 |
        |       AVG-THROUGHPUT | 5,201 req/sec |
        |      FASTEST-LATENCY |     0.3241 ms |
        |          AVG-LATENCY |     0.9503 ms |
        |      SLOWEST-LATENCY |     7.2553 ms |
        |          Latency p10 |   0.519015 ms |
        |          Latency p25 |   0.614598 ms |
        |          Latency p50 |   0.787065 ms |
        |          Latency p75 |   0.991620 ms |
        |          Latency p90 |   1.277167 ms |
        |          Latency p95 |   1.492879 ms |
        |          Latency p99 |   7.075424 ms |
        +----------------------+---------------+

        put-precise: imported from etcd-benchmark (put-precise.txt), 400 requests succeeded; \
        values and precision come from the imported text
        """;
    assertThat(Files.readString(directory.resolve("run/all-aggregated.txt"))).isEqualTo(table);
    String printed = table.replace("succeeded; values", "succeeded;\n  values");
    assertThat(out.toString()).isEqualTo(printed + "\nrun     " + into("run") + "\n");

    Files.delete(directory.resolve("run/all-aggregated.txt"));
    assertThat(run(new CommandLine(new ReportCommand()), into("run"), "--table")).isZero();
    assertThat(Files.readString(directory.resolve("run/all-aggregated.txt"))).isEqualTo(table);
    assertThat(out.toString()).contains("\nPuts\n" + printed);
  }

  @Test
  void whatWasOnlyImportedHasPagesToo() throws IOException {
    assertThat(imports("errors.txt", "--into", into("run"), "--title", "A <b>put</b>")).isZero();
    assertThat(Files.readString(directory.resolve("run/index.html")))
        .contains(
            "<h1>A &lt;b&gt;put&lt;/b&gt;</h1>",
            "<dt>imported</dt><dd>errors</dd>",
            "No verdict: nothing was measured here,",
            "<th scope=\"col\">errors</th>",
            "href=\"errors/etcd-benchmark.txt\"")
        .doesNotContain("id=\"details\"", "Not drawn", "No failed request", "id=\"reproduce\"");
    assertThat(Files.readString(directory.resolve("run/result.json")))
        .contains("\"databases\" : [ ]", "\"tag\" : \"errors\"", "\"count\" : 5")
        .doesNotContain("\"scenario\"");
  }

  @Test
  void itStandsBesideWhatWasMeasured() throws IOException {
    RunDirectory run = RunDirectory.create(directory, "quick", 1, Manifests.START);
    String etcd = "etcd-v3.3.0-go1.9.3";
    TestRuns.write(run.path(), "etcd", etcd, 1, 5000, Golden.steps(etcd));

    assertThat(imports("put.txt", "--into", run.path().toString(), "--name", "other-machine"))
        .isZero();
    assertThat(Files.readString(run.tableText()))
        .contains("|                      | etcd-v3.3.0-go1.9.3 | other-machine |")
        .contains("| TOTAL-REQUEST-NUMBER |               5,000 |             - |")
        .contains("|       MAX-THROUGHPUT |         431 req/sec |             - |")
        .contains("|       AVG-THROUGHPUT |         411 req/sec | 6,054 req/sec |")
        .contains("|   CLIENT-ERROR-COUNT |                   0 |             - |");
    assertThat(Files.readString(run.tableCsv()))
        .contains("\nTOTAL-REQUEST-NUMBER,\"5,000\",\n")
        .contains("\nCLIENT-ERROR-COUNT,0,\n");
    assertThat(ExperimentRun.read(run.path()).title()).isEqualTo("Quick look");
    assertThat(Files.readString(run.page()))
        .contains(
            "<li>Imported columns are not compared, because they do not say how and where "
                + "they were measured: other-machine.</li>");
  }

  @Test
  void eachReportOfATextIsAColumn() {
    assertThat(imports("txn-mixed.txt", "errors.txt", "--into", into("run"))).isZero();
    assertThat(ExperimentRun.read(directory.resolve("run")).imports())
        .extracting(ImportedRun::tag)
        .containsExactly("errors", "txn-mixed-read", "txn-mixed-write");
    assertThat(out.toString())
        .contains("| TOTAL-REQUEST-NUMBER |      5 |            246 |             254 |")
        .contains("\n\nerrors errors:\n\"etcdserver: request is too large\" (count 5)\n");
  }

  @Test
  void reportsWithoutAnythingThatTellsThemApartAreNumbered() throws IOException {
    Path twice = directory.resolve("twice.txt");
    Files.writeString(twice, Golden.text("etcd-benchmark/put.txt").repeat(2));
    assertThat(imports("twice.txt", "--into", into("run"))).isZero();
    assertThat(directory.resolve("run/twice-1")).isDirectory();
    assertThat(directory.resolve("run/twice-2")).isDirectory();
  }

  @Test
  void nothingIsReplaced() {
    assertThat(imports("put.txt", "--into", into("run"))).isZero();
    assertThat(imports("errors.txt", "put.txt", "--into", into("run"))).isEqualTo(Quorate.FAILED);
    assertThat(err.toString())
        .isEqualTo(into("run/put") + ": already exists. Choose another --name, or remove it");
    assertThat(directory.resolve("run/errors")).doesNotExist();
  }

  @Test
  void allProblemsOfAllTextsAreNamedAndNothingIsWritten() throws IOException {
    Files.writeString(directory.resolve("cut.txt"), "Summary:\n  Total:\t0.4955 se");
    assertThat(imports("cut.txt", "no-such.txt", "put.txt", "--into", into("run")))
        .isEqualTo(Quorate.FAILED);
    String cut = into("cut.txt");
    assertThat(err.toString())
        .isEqualTo(
            cut
                + ":2: found '  Total:\\t0.4955 se', expected a line such as"
                + " '  Total:\\t0.0016 secs.'\n"
                + into("no-such.txt")
                + ": found no such file, expected an output of etcd's benchmark");
    assertThat(directory.resolve("run")).doesNotExist();
  }

  @Test
  void aDirectoryThatIsNoRunIsLeftAlone() throws IOException {
    Files.createDirectories(directory.resolve("home/etcd"));
    assertThat(imports("put.txt", "--into", into("home"))).isEqualTo(Quorate.FAILED);
    assertThat(err.toString())
        .startsWith(into("home") + ": found no */manifest.json, expected the directory of a run");
    assertThat(directory.resolve("home").toFile().list()).containsExactly("etcd");
  }

  @Test
  void aNameMustBeOneThatADirectoryCanHave() {
    assertThat(imports("put.txt", "--into", into("run"), "--name", "../up"))
        .isEqualTo(Quorate.FAILED);
    assertThat(err.toString())
        .isEqualTo("\"../up\": expected a --name of at most 100 letters, digits, '.', '_' and '-'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"index.html", "result.json", "plots", "plan.json"})
  void aColumnHasNotTheNameOfAFileOfTheReport(String name) {
    assertThat(imports("put.txt", "--into", into("run"), "--name", name)).isEqualTo(Quorate.FAILED);
    assertThat(err.toString())
        .isEqualTo(
            "\"%s\": is the name of a file of the report, expected another --name".formatted(name));
    assertThat(directory.resolve("run")).doesNotExist();
  }

  @Test
  void twoTextsOfOneNameAreNotMixedUp() throws IOException {
    Path other = Files.createDirectory(directory.resolve("other")).resolve("put.txt");
    Files.copy(directory.resolve("put.txt"), other);
    assertThat(imports("put.txt", other.toString(), "--into", into("run")))
        .isEqualTo(Quorate.FAILED);
    assertThat(err.toString())
        .isEqualTo(
            other
                + ": found a second column 'put', expected another name: import it by itself,"
                + " with --name");
  }

  private static final String GRID = "type,ratio,conn_size,value_size,iter1,iter2,comment\n";

  /** Writes a grid of four cells in which every rate is multiplied. */
  private String grid(String name, double all, double first) throws IOException {
    StringBuilder text = new StringBuilder(GRID).append("PARAM,,,,,,\"key_size=256,commit=1\"\n");
    double factor = first;
    for (String cell : List.of("4.0000,32,256", "4.0000,64,256", "4.0000,32,512", ".2500,32,256")) {
      text.append(
          "DATA,%s,%.4f:%.4f,%.4f:%.4f,\n"
              .formatted(cell, 1000 * all * factor, 250 * all, 1010 * all * factor, 252 * all));
      factor = 1;
    }
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private int importsGrids(String... arguments) {
    return run(
        new CommandLine(new ImportCommand()),
        Stream.concat(Stream.of("rw-heatmaps"), Stream.of(arguments)).toArray(String[]::new));
  }

  @Test
  void ofGridsOnlyCellsBeyondTwoGridsOfOneBuildDiffer() throws IOException {
    String base = grid("main.csv", 1, 1);
    String other = grid("patch <b>.csv", 1.05, 1.5);
    String again = grid("main-2.csv", 1.07, 1);

    assertThat(importsGrids(base, other, "--again", again, "--output", into("grids"))).isZero();

    assertThat(out.toString())
        .contains(
            "reads of patch <b>.csv as a part of those of main.csv: 1 of 4 cells differs.\n",
            "writes of patch <b>.csv as a part of those of main.csv: None of 4 cells differs.\n",
            "The median ratio of reads is 1.05.",
            "Two grids of one build differ by 6.8% in a cell of reads (standard deviation).");
    assertThat(Files.readString(directory.resolve("grids/index.html")))
        .contains(
            "<h1>patch &lt;b&gt;.csv compared with main.csv</h1>",
            "<li>reads/writes 4.0000, values 256, connections 32: 1.58: 1,575 to 1,591 per second,",
            ">1.58</td>")
        .containsOnlyOnce("<td class=\"better\"");

    assertThat(importsGrids(base, other, "--output", into("grids"))).isEqualTo(Quorate.FAILED);
    assertThat(err.toString()).contains("grids/index.html: already exists.");
  }

  @Test
  void twoGridsAloneDecideNothing() throws IOException {
    String base = grid("main.csv", 1, 1);

    assertThat(importsGrids(base, grid("patch.csv", 2, 3), "--output", into("grids"))).isZero();

    assertThat(out.toString()).contains("None of 4 cells differs.", "No cell is decided.");
    assertThat(Files.readString(directory.resolve("grids/index.html")))
        .doesNotContain("<td class=\"better\"", "<td class=\"worse\"");
  }

  @Test
  void gridsWithoutReadsHaveNoRatioOfReads() throws IOException {
    List<String> files = new ArrayList<>();
    for (int writes : List.of(1200, 1210, 1230)) {
      Path file = directory.resolve(writes + ".csv");
      files.add(
          "" + Files.writeString(file, GRID + "DATA,4,32,256,0:%1$d,0:%1$d,\n".formatted(writes)));
    }

    assertThat(
            importsGrids(
                files.get(0), files.get(1), "--again", files.get(2), "--output", into("grids")))
        .isZero();

    assertThat(out.toString()).contains("The median ratio of reads is -.", "in a cell of writes");
  }

  @Test
  void aCopyOfAGridIsNoFurtherOne() throws IOException {
    String base = grid("main.csv", 1, 1);

    assertThat(importsGrids(base, grid("patch.csv", 2, 3), "--again", grid("copy.csv", 1, 1)))
        .isEqualTo(Quorate.FAILED);

    assertThat(err.toString())
        .contains("--again: found the values of " + base + " in ", "expected a further grid");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,b | 1: found a,b, expected a file of etcd's tools/rw-heatmaps",
        "HDATA,4,32,256,1:2 | 2: found DATA,4,32,256,1:2, expected PARAM, or DATA with 6 cells",
        "HDATA,4,32,256,1,2:3, | 2: found '1', expected requests per second of reads:writes",
        "HDATA,4,32,256,1:-2,2:3, | 2: found '-2', expected a number of 0 or more",
        "HDATA,4,32,256,1:2,2:3,;DATA,4,32,256,1:2,2:3, | 3: found a second row of this cell",
        "H | 1: found no rows of DATA, expected some",
        "HDATA,9,32,256,1:2,2:3, | and DIR/main.csv have no cell in common"
      })
  void wrongGridsAreRefusedWithTheLine(String text, String message) throws IOException {
    String base = grid("main.csv", 1, 1);
    Path wrong = directory.resolve("wrong.csv");
    Files.writeString(wrong, text.replace("H", GRID).replace(';', '\n'));

    assertThat(importsGrids(wrong.toString(), base, "--output", into("grids")))
        .isEqualTo(Quorate.FAILED);

    assertThat(err.toString()).contains(message.replace("DIR", directory.toString()));
    assertThat(directory.resolve("grids")).doesNotExist();
  }
}
