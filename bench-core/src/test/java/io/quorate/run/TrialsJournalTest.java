package io.quorate.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.capacity.Bound;
import io.quorate.capacity.Conclusion;
import io.quorate.capacity.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrialsJournalTest {
  private static final TrialsJournal.Header HEADER =
      new TrialsJournal.Header("writes", List.of("p99 <= 20 ms", "errors = 0"), "quick", 500);
  private static final TrialRow PASSED =
      new TrialRow(
          1,
          "bracket",
          500,
          8,
          "pass",
          Optional.empty(),
          OptionalDouble.of(0.25),
          0.0025,
          500,
          499.5,
          OptionalLong.of(1_000_000),
          OptionalLong.of(2_000_000),
          OptionalLong.of(3_000_000),
          0,
          0,
          OptionalLong.of(50_000),
          0.5,
          OptionalDouble.of(1.25),
          OptionalDouble.of(0.75));
  private static final TrialRow DROWNED =
      new TrialRow(
          2,
          "bracket",
          1_000,
          0,
          "fail",
          Optional.of("drowned: cut short"),
          OptionalDouble.empty(),
          1,
          0,
          0,
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          7,
          9,
          OptionalLong.empty(),
          0.5,
          OptionalDouble.empty(),
          OptionalDouble.empty());

  @TempDir private Path temporary;
  private DatabaseDirectory directory;

  @BeforeEach
  void begin() {
    directory = new DatabaseDirectory(temporary);
  }

  private String text() throws IOException {
    return Files.readString(TrialsJournal.file(directory), UTF_8);
  }

  @Test
  void hasALineForTheSearchForEachTrialAndForTheOutcome() throws IOException {
    TrialsJournal journal = TrialsJournal.begin(directory, HEADER);
    journal.add(PASSED);
    journal.add(DROWNED);
    journal.add(
        new Conclusion(Outcome.NONE_FAILS, Optional.of(new Bound(500, 2, 2)), Optional.empty(), 2));

    assertThat(text())
        .isEqualTo(
            """
            {"formatVersion":1,"scenario":"writes","limits":["p99 <= 20 ms","errors = 0"],"search":"quick","start":500}
            {"trial":1,"stage":"bracket","load":500,"measuredSeconds":8,"verdict":"pass","usedPart":0.25,"violatingPart":0.0025,"intendedPerSecond":500.0,"succeededPerSecond":499.5,"p50Nanos":1000000,"p99Nanos":2000000,"p99.9Nanos":3000000,"failed":0,"shed":0,"lagP99Nanos":50000,"loadGeneratorCores":0.5,"serverCores":1.25,"machineBusy":0.75}
            {"trial":2,"stage":"bracket","load":1000,"measuredSeconds":0,"verdict":"fail","remark":"drowned: cut short","violatingPart":1.0,"intendedPerSecond":0.0,"succeededPerSecond":0.0,"failed":7,"shed":9,"loadGeneratorCores":0.5}
            {"outcome":"none-fails","holds":{"load":500,"passed":2,"trials":2},"trials":2}
            """);
  }

  @Test
  void isReadAsItWasWritten() {
    TrialsJournal journal = TrialsJournal.begin(directory, HEADER);
    journal.add(PASSED);
    journal.add(DROWNED);
    journal.add(new Conclusion(Outcome.UNSTABLE, Optional.empty(), Optional.empty(), 2));

    assertThat(TrialsJournal.read(directory))
        .isEqualTo(new TrialsJournal.Content(HEADER, List.of(PASSED, DROWNED)));
  }

  @Test
  void aLastLineThatIsNotCompleteIsLeftOut() throws IOException {
    TrialsJournal.begin(directory, HEADER).add(PASSED);
    Files.writeString(
        TrialsJournal.file(directory), "{\"trial\":2,\"sta", UTF_8, StandardOpenOption.APPEND);

    assertThat(TrialsJournal.read(directory).trials()).containsExactly(PASSED);
  }

  @Test
  void saysWhichLineIsWrong() throws IOException {
    TrialsJournal.begin(directory, HEADER).add(PASSED);
    Path file = TrialsJournal.file(directory);
    Files.writeString(file, "{\"trial\":\"two\"}\n", UTF_8, StandardOpenOption.APPEND);

    assertThatThrownBy(() -> TrialsJournal.read(directory))
        .isInstanceOf(QuorateException.class)
        .hasMessage(file + ":3: found no trial, expected its number, load, verdict and parts");

    Files.writeString(file, "{}\n", UTF_8);
    assertThatThrownBy(() -> TrialsJournal.read(directory))
        .hasMessage(file + ":1: found another line, expected formatVersion 1, limits and start");
  }
}
