package io.quorate.run.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.run.MatrixProgress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** How a matrix of runs goes on, and what it says of how far it has come. */
class ContinuedMatrixTest {
  private static final Path HERE = Path.of("/here");

  private static Properties properties(String... namesAndValues) {
    Properties properties = new Properties();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
    }
    return properties;
  }

  @Test
  void there_is_none_unless_it_is_asked_for() {
    assertThat(ContinuedMatrix.of(properties("scenario", "quick"), HERE)).isEmpty();
    assertThat(ContinuedMatrix.of(properties("continue", "results/a/b"), HERE))
        .contains(new ContinuedMatrix(Path.of("/here/results/a/b"), false));
    assertThat(ContinuedMatrix.of(properties("continue", "/a", "retry", "failed"), HERE))
        .contains(new ContinuedMatrix(Path.of("/a"), true));
  }

  @Test
  void what_does_not_go_with_it_is_refused() {
    assertThatThrownBy(() -> ContinuedMatrix.of(properties("retry", "failed"), HERE))
        .hasMessage(
            "retry: found it without -Dcontinue= (or --continue), expected the directory of a"
                + " matrix of runs there");
    assertThatThrownBy(() -> ContinuedMatrix.of(properties("continue", "", "retry", "all"), HERE))
        .hasMessage(
            """
            -Dcontinue= (or --continue): found nothing, expected a value; leave the option out
            retry: found 'all', expected 'failed'\
            """);
    assertThatThrownBy(
            () ->
                ContinuedMatrix.of(
                    properties("continue", "a", "scale", "0.1", "database", "etcd"), HERE))
        .hasMessage(
            "continue: found scale, database beside it, expected none of them: they are those of"
                + " the matrix");
  }

  @Test
  void the_rest_is_estimated_from_the_same_cell_or_from_the_mean() {
    MatrixProgress progress = new MatrixProgress(6);
    progress.skip();

    assertThat(progress.begins("etcd, put", 1, 2, List.of("a", "b", "a", "b", "a")))
        .isEqualTo("[2/6] repeat 1 of 2, etcd, put");
    progress.ended("a", Duration.ofSeconds(10));
    assertThat(progress.begins("etcd, get", 1, 2, List.of("b", "a", "b", "a")))
        .isEqualTo("[3/6] repeat 1 of 2, etcd, get; about 40 s left");
    progress.ended("b", Duration.ofSeconds(90));
    assertThat(progress.begins("etcd, put", 2, 2, List.of("a", "b", "a")))
        .isEqualTo("[4/6] repeat 2 of 2, etcd, put; about 110 s left");
    progress.ended("a", Duration.ofSeconds(100));
    assertThat(progress.begins("etcd, get", 1, 1, List.of("b", "a")))
        .isEqualTo("[5/6] etcd, get; about 3 min left");
  }
}
