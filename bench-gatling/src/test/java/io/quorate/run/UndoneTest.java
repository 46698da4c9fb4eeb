// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.measure.Verification;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.RunDirectory;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.Manifests;
import io.quorate.results.manifest.ServerInfo;
import io.quorate.results.manifest.ServerInfo.RunKeys.State;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a complete run says at its end about keys that were not verified or not removed. */
class UndoneTest {
  private static final int OK = 0;
  private static final int LIMIT_BROKEN = 3;

  @TempDir private Path results;
  private DatabaseDirectory directory;
  private Manifest manifest;

  @BeforeEach
  void create() {
    RunDirectory run = RunDirectory.create(results, "writes", 1, Instant.EPOCH);
    directory = run.createDatabase("zookeeper");
    manifest =
        Manifests.of("zookeeper", "zookeeper", 1, 1000)
            .withServers(
                Manifests.servers(
                    Optional.of("3.9.5"), List.of("10.0.0.1:2181"), Optional.empty()));
  }

  @Test
  void nothing_changes_the_exit_code_if_all_was_verified_and_removed_or_kept() {
    write(manifest.withVerification(verified(1000, Optional.empty())), State.REMOVED);
    assertThat(LoadGeneratorRun.undone(directory)).isEmpty();
    write(manifest, State.KEPT);
    assertThat(ScenarioRun.settled(List.of(directory), OK)).isZero();
    assertThat(ScenarioRun.settled(List.of(directory), LIMIT_BROKEN)).isEqualTo(LIMIT_BROKEN);
  }

  @Test
  void keys_that_could_not_be_read_are_said_with_the_reason() {
    write(
        manifest.withVerification(verified(0, Optional.of("no session within 5000 ms"))),
        State.REMOVED);

    assertThat(LoadGeneratorRun.undone(directory))
        .containsExactly(
            "zookeeper: verification is incomplete: 0 of 1,000 acknowledged keys verified, 1,000"
                + " could not be read: no session within 5000 ms, 0.0 s");
    assertThat(ScenarioRun.settled(List.of(directory), OK)).isEqualTo(1);
    assertThat(ScenarioRun.settled(List.of(directory), LIMIT_BROKEN)).isEqualTo(1);
  }

  @Test
  void keys_that_may_be_left_are_said_with_the_command() {
    for (State state : List.of(State.LEFT, State.WRITTEN)) {
      write(manifest, state);

      assertThat(LoadGeneratorRun.undone(directory))
          .containsExactly(
              "zookeeper: keys below quorate/it/ may be left; remove them with: zkCli.sh ...");
      assertThat(ScenarioRun.settled(List.of(directory), OK)).isEqualTo(1);
    }
  }

  private void write(Manifest facts, State state) {
    facts
        .withKeys(new ServerInfo.RunKeys("quorate/it/", state, Optional.of("zkCli.sh ...")))
        .completed(Manifests.START.plusSeconds(60))
        .write(directory);
  }

  private static Verification verified(long read, Optional<String> obstacle) {
    return new Verification(
        1000, 1000, read, 0, 0, List.of(), 1000, OptionalLong.empty(), true, obstacle, 0);
  }
}
