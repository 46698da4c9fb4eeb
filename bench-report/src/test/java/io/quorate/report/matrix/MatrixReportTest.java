package io.quorate.report.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.report.page.PageTemplate;
import io.quorate.run.MatrixDirectory;
import io.quorate.store.RequestPath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The report of a matrix of runs. */
class MatrixReportTest {
  private static final MatrixDirectory DIRECTORY =
      new MatrixDirectory(Path.of("/results/study/20261122T080000Z"));

  @Test
  void the_page_in_markdown_is_this_file() throws IOException {
    assertThat(markdown(MadeUpMatrix.study(), Optional.empty())).isEqualTo(golden("study.md"));
  }

  @Test
  void the_page_escapes_what_comes_from_files() {
    MatrixPage page =
        new MatrixReport(MadeUpMatrix.study().results(), Optional.empty()).page(DIRECTORY);

    assertThat(PageTemplate.html("matrix.html.ftl", page))
        .contains(
            "<h1>A &lt;study&gt;</h1>",
            "<li>005-x: failed: &lt;b&gt;why&lt;/b&gt;</li>",
            "<td align=\"right\" class=\"heat-0\">0.800 ms</td>",
            "<td align=\"right\" class=\"heat-1\">1.52 ms</td>")
        .doesNotContain("<b>why");
  }

  @Test
  void csv_and_json_have_all_runs() throws IOException {
    MatrixResults results = MadeUpMatrix.study().results();

    assertThat(MatrixCsv.text(results).lines().limit(3))
        .containsExactly(
            "CELL,DATABASE,TOPOLOGY,OPERATION,READS,TARGET,LOAD,REPEAT,REQUESTS,ERRORS,REQUESTS-PER-SECOND,MEAN-MS,FASTEST-MS,P50-MS,P99-MS",
            "001-x,etcd,sn-sz,put,,leader,1"
                + " client,1,10000,0,1250.0,0.8,0.4,0.7200000000000001,2.4000000000000004",
            "001-x,etcd,sn-sz,put,,leader,1"
                + " client,2,10000,0,1219.5121951219512,0.82,0.41,0.738,2.46");
    assertThat(MatrixCsv.text(results).lines()).hasSize(27);
    assertThat(MatrixJson.text(results))
        .contains(
            """
                  "meanMs" : {
                    "median" : 0.8,
                    "lowest" : 0.79,
                    "highest" : 0.82
                  },
            """)
        .contains("\"notComplete\" : [\n        \"005-x: failed: <b>why</b>\"\n      ]");
  }

  @Test
  void from_five_runs_on_there_are_intervals_of_confidence() {
    MadeUpMatrix matrix =
        new MadeUpMatrix(5)
            .add("sn-sz", "put", "", "leader", "1 client", 1.00, 1.02, 0.98, 1.01, 0.99)
            .add("mn-sz", "put", "", "leader", "1 client", 1.90, 1.94, 1.86, 1.92, 1.88)
            .add("sn-sz", "put", "", "leader", "1000 clients", 100, 120, 90, 110, 95)
            .add("mn-sz", "put", "", "leader", "1000 clients", 98, 105, 92, 101, 94);

    assertThat(new MatrixSentences(matrix.results()).all().get(0).sentences())
        .containsExactly(
            "mn-sz takes 1.90 (1.86 to 1.95) times as long as sn-sz with 1 client,"
                + " 0.96 (0.83 to 1.10: too close to tell) with 1000 clients.");
    assertThat(StudyTables.ms(matrix.results().cells().get(0).meanMs().orElseThrow()))
        .isEqualTo("1.00 (0.980 to 1.02) ms; 95 %: 0.980 to 1.02");
  }

  @Test
  void single_runs_that_differ_by_less_than_a_tenth_are_too_close_to_tell() {
    MadeUpMatrix matrix =
        new MadeUpMatrix(1)
            .add("sn-sz", "put", "", "leader", "1 client", 1.0)
            .add("mn-sz", "put", "", "leader", "1 client", 1.09)
            .add("mn-mz", "put", "", "leader", "1 client", 1.9);

    assertThat(new MatrixSentences(matrix.results()).all().get(0).sentences())
        .containsExactly(
            "mn-sz takes 1.09 (too close to tell) times as long as sn-sz.",
            "mn-mz takes 1.90 times as long as sn-sz.",
            "mn-mz takes 1.74 times as long as mn-sz.");
  }

  @Test
  void a_run_that_was_faster_than_its_round_trips_is_impossible() {
    RequestPath toMajority = new RequestPath(0, 1, true);
    MadeUpMatrix matrix =
        new MadeUpMatrix(1)
            .add("sn-sz", "put", "", "leader", "1 client", least(toMajority, 1.1, 1), 1.0)
            .add("mn-sz", "put", "", "leader", "1 client", least(toMajority, 0.1, 0.1), 1.9);
    LeastTimes times = new LeastTimes(matrix.results());

    assertThat(times.impossible())
        .containsExactly(
            "Impossible: half of the requests of etcd, sn-sz, put, leader, 1 client, repeat 1, took"
                + " at most 0.900 ms, less than the 1.00 ms that their round trips take: the"
                + " figures of this run are wrong, or its leader changed.");
    assertThat(times.unexplained())
        .containsExactly(
            "Round trips take 0.100 ms of the 1.71 ms of etcd, mn-sz, put, leader, 1 client; they"
                + " do not explain the rest.");
  }

  private static Optional<LeastTime> least(RequestPath path, double ms, double floorMs) {
    return Optional.of(new LeastTime(path, ms, ms, floorMs, OptionalDouble.empty()));
  }

  @Test
  void another_matrix_is_compared_cell_by_cell() {
    MadeUpMatrix other =
        new MadeUpMatrix(2)
            .add("sn-sz", "put", "", "leader", "1 client", 0.5, 0.51)
            .add("mn-mz", "put", "", "leader", "1 client", 0.5, 0.51);

    assertThat(
            MatrixDifference.table(MadeUpMatrix.study().results(), Optional.of(other.results()))
                .rows())
        .containsExactly(
            List.of(
                "etcd, sn-sz, put, leader, 1 client",
                "0.800 (0.790 to 0.820) ms",
                "0.505 (0.500 to 0.510) ms",
                "1.58 (1.55 to 1.64)",
                "slower"));
  }

  @Test
  void figures_of_the_published_study_stand_beside_cells_like_its_own() {
    CellResult cell = MadeUpMatrix.study().results().cells().get(2);

    assertThat(PublishedStudy.text(cell.facts().orElseThrow(), cell.coordinates()))
        .contains("1.74");
  }

  @Test
  void colours_are_steps_of_half_a_doubling() {
    assertThat(List.of(1.0, 1.41, 1.42, 2.0, 4.0, 8.0, 12.0, 1000.0))
        .extracting(HeatTable::level)
        .containsExactly(0, 0, 1, 2, 4, 6, 7, 7);
  }

  @Test
  void the_page_is_the_same_in_every_language() throws IOException {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(markdown(MadeUpMatrix.study(), Optional.empty())).isEqualTo(golden("study.md"));
    } finally {
      Locale.setDefault(before);
    }
  }

  private static String markdown(MadeUpMatrix matrix, Optional<MatrixResults> against) {
    return PageTemplate.markdown(
        "matrix.md.ftl", new MatrixReport(matrix.results(), against).page(DIRECTORY));
  }

  private static String golden(String file) throws IOException {
    try (InputStream in = MatrixReportTest.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
