// SPDX-License-Identifier: Apache-2.0
package io.quorate.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClusterJenkinsfileTest {
  private static final Path FILE =
      Path.of(System.getProperty("quorate.home"), "src/jenkins/Jenkinsfile.cluster");

  private static final List<String> BEGINNING =
      List.of(
          "one build at a time",
          "timeout {time=10, unit=HOURS}",
          "stage Check parameters",
          "stage Build",
          "timeout {time=30, unit=MINUTES}",
          "sh unzip -q target/quorate-*.zip -d target",
          "stash {name=quorate, includes=target/quorate-*.zip}",
          "stage Load",
          "timeout {time=8, unit=HOURS}",
          "sh date -u -d \"+$MINUTES minutes\" +%Y-%m-%dT%H:%M:%SZ");
  private static final List<String> MERGE =
      List.of(
          "stage Merge",
          "timeout {time=30, unit=MINUTES}",
          "dir shards/1",
          "unstash shard-1",
          "dir shards/2",
          "unstash shard-2",
          "sh target/quorate-*/bin/quorate merge shards/*/results/*/*/ --into \"$merged\" || [ $?"
              + " -eq 3 ]",
          "junit {testResults=target/jenkins-results/*/*/junit.xml, allowEmptyResults=true}");
  private static final String ARCHIVE =
      "archive {artifacts=target/jenkins-results/**,shards/**, excludes=**/data/**,"
          + " allowEmptyArchive=true}";

  private static Pipeline onTwo() {
    return new Pipeline()
        .parameter("ENDPOINTS", "10.0.0.1:2379,10.0.0.2:2379")
        .output("2026-11-22T12:05:00Z\n");
  }

  private static List<String> shard(int number) {
    return List.of(
        "branch shard " + number,
        "node load-generator",
        "deleteDir",
        "unstash quorate",
        "with [SHARD=" + number + "/2, START=2026-11-22T12:05:00Z]",
        "sh --scale \"$SCALE\" --shard \"$SHARD\" --start-at \"$START\" --results results",
        "stash {name=shard-" + number + ", includes=results/**, allowEmpty=true}");
  }

  private static List<String> all() {
    List<String> all = new ArrayList<>(BEGINNING);
    Stream.of(shard(1), shard(2), MERGE, List.of(ARCHIVE)).forEach(all::addAll);
    return all;
  }

  @Test
  void shards_make_the_load_at_a_common_time_and_their_runs_are_merged() {
    Pipeline build = onTwo().run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.SUCCESS);
    assertThat(build.log()).containsExactlyElementsOf(all());
  }

  @Test
  void a_shard_that_failed_is_kept_and_the_merge_tells_of_it() {
    Pipeline build =
        onTwo()
            .shell(
                script -> {
                  if (script.contains("quorate run")) {
                    throw new Pipeline.Failed();
                  }
                })
            .run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.FAILURE);
    assertThat(build.log()).containsExactlyElementsOf(all());
  }

  @Test
  void an_abort_keeps_what_there_is_and_merges_nothing() {
    Pipeline build =
        onTwo()
            .shell(
                script -> {
                  if (script.contains("quorate run")) {
                    throw new Aborted();
                  }
                })
            .run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.ABORTED);
    assertThat(build.log()).doesNotContain("stage Merge").endsWith(ARCHIVE);
  }

  @Test
  void parameters_that_cannot_be_meant_are_refused_together_before_anything_is_done() {
    Pipeline build =
        new Pipeline()
            .parameter("SCENARIO", "../x")
            .parameter("DATABASE", "etcd,consul")
            .parameter("ENDPOINTS", "$(id):1")
            .parameter("SHARDS", "many")
            .parameter("LABEL", "a || b")
            .parameter("MINUTES", "0")
            .parameter("SCALE", "all")
            .run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.FAILURE);
    assertThat(build.log())
        .contains(
            "error SCENARIO: expected the name of a file in scenarios/, without .yaml\n"
                + "DATABASE: expected one name, such as etcd\n"
                + "ENDPOINTS: expected HOST:PORT,..., as shards never start servers\n"
                + "SHARDS: expected one of the choices\n"
                + "LABEL: expected the label of agents\n"
                + "MINUTES: expected 1 to 999\n"
                + "SCALE: expected a number such as 0.01")
        .doesNotContain("stage Build");
    assertThat(build.scripts()).isEmpty();
  }

  @Test
  void without_endpoints_it_says_that_shards_need_some() {
    Pipeline build = new Pipeline().run(FILE);
    assertThat(build.result()).isEqualTo(Pipeline.FAILURE);
    assertThat(build.log())
        .contains("error ENDPOINTS: expected HOST:PORT,..., as shards never start servers");
  }
}
