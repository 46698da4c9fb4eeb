// SPDX-License-Identifier: Apache-2.0
package io.quorate.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class JenkinsfileTest {
  private static final Path HOME = Path.of(System.getProperty("quorate.home"));

  private static final List<String> BEGINNING =
      List.of(
          "cron H 2 * * *",
          "one build at a time",
          "timeout {time=10, unit=HOURS}",
          "stage Check parameters",
          "stage Build",
          "timeout {time=1, unit=HOURS}",
          "sh ./quorate install etcd consul zetcd zookeeper@3.8.6 powercut");
  private static final List<String> NO_TESTS = List.of("stage Test", "skipped");
  private static final List<String> TESTS =
      List.of(
          "stage Test",
          "timeout {time=4, unit=HOURS}",
          "sh mvn -B -ntp verify -Drequire.databases=etcd,zookeeper,zookeeper@3.8.6,consul,zetcd",
          "junit {testResults=**/target/*-reports/TEST-*.xml, allowEmptyResults=true}");
  private static final List<String> RUN =
      List.of(
          "stage Run",
          "timeout {time=7, unit=HOURS}",
          "sh ./quorate run \"$SCENARIO\" --gatling \"$@\"");
  private static final List<String> REPORT =
      List.of(
          "stage Report",
          "timeout {time=15, unit=MINUTES}",
          "sh for run in \"$RESULTS\"/*/*/; do ./quorate report \"$run\" || [ $? -eq 3 ]; done",
          "junit {testResults=target/jenkins-results/*/*/junit.xml, allowEmptyResults=true}");
  private static final List<String> END =
      List.of(
          "sh src/jenkins/stop-servers.sh \"$RESULTS\"",
          "archive {artifacts=target/jenkins-results/**, excludes=**/data/**,"
              + " allowEmptyArchive=true}");
  private static final String GATLING = "gatlingArchive";

  private static Pipeline run(Pipeline pipeline) {
    return pipeline.run(HOME.resolve("Jenkinsfile"));
  }

  private static Consumer<String> at(String command, RuntimeException failure) {
    return script -> {
      if (script.contains(command)) {
        throw failure;
      }
    };
  }

  @Test
  void aBuildRunsReportsAndKeepsEverything() {
    Pipeline build = run(new Pipeline());
    assertThat(build.result()).isEqualTo(Pipeline.SUCCESS);
    assertThat(build.log())
        .containsExactlyElementsOf(lines(BEGINNING, NO_TESTS, RUN, REPORT, END, List.of(GATLING)));
  }

  @Test
  void testsRunBeforeTheScenarioIfAskedTo() {
    Pipeline build = run(new Pipeline().parameter("RUN_TESTS", true));
    assertThat(build.result()).isEqualTo(Pipeline.SUCCESS);
    assertThat(build.log())
        .containsExactlyElementsOf(lines(BEGINNING, TESTS, RUN, REPORT, END, List.of(GATLING)));
  }

  @Test
  void aBuildOfTheNightRunsAllTests() {
    Pipeline build = run(new Pipeline().byTimer());
    assertThat(build.result()).isEqualTo(Pipeline.SUCCESS);
    assertThat(build.log())
        .containsSubsequence(
            "stage Test",
            "sh ./quorate install zookeeper@3.7.2 zookeeper@3.6.4 zookeeper@3.5.10 etcd@3.6.16"
                + " etcd@3.5.35 && mvn -B -ntp verify -Pnightly"
                + " -Drequire.databases=etcd,zookeeper,zookeeper@3.8.6,consul,zetcd,"
                + "zookeeper@3.7.2,zookeeper@3.6.4,zookeeper@3.5.10,etcd@3.6.16,etcd@3.5.35",
            "stage Run");
  }

  @Test
  void aRunThatFailedIsReportedAndKept() {
    Pipeline build = run(new Pipeline().shell(at("./quorate run", new Pipeline.Failed())));
    assertThat(build.result()).isEqualTo(Pipeline.FAILURE);
    assertThat(build.log())
        .containsExactlyElementsOf(lines(BEGINNING, NO_TESTS, RUN, REPORT, END, List.of(GATLING)));
  }

  @Test
  void anAbortEndsTheRunStopsTheServersAndKeepsWhatThereIs() {
    Pipeline build = run(new Pipeline().shell(at("./quorate run", new Aborted())));
    assertThat(build.result()).isEqualTo(Pipeline.ABORTED);
    assertThat(build.log())
        .containsExactlyElementsOf(lines(BEGINNING, NO_TESTS, RUN, END, List.of(GATLING)));
  }

  @Test
  void nothingIsRunWhenATestFailsAndItsResultIsPublished() {
    Pipeline build =
        run(new Pipeline().parameter("RUN_TESTS", true).shell(at("mvn", new Pipeline.Failed())));
    assertThat(build.result()).isEqualTo(Pipeline.FAILURE);
    assertThat(build.log())
        .containsExactlyElementsOf(lines(BEGINNING, TESTS, END, List.of(GATLING)));
  }

  @Test
  void whatWasMeasuredIsKeptAlsoWhenServersCannotBeStopped() {
    Pipeline build = run(new Pipeline().shell(at("stop-servers", new Pipeline.Failed())));
    assertThat(build.result()).isEqualTo(Pipeline.FAILURE);
    assertThat(build.log()).containsSubsequence(END).endsWith(GATLING);
  }

  @Test
  void withoutTheGatlingPluginItsReportIsAnArtifactOnly() {
    Pipeline build = run(new Pipeline().without("gatlingArchive"));
    assertThat(build.result()).isEqualTo(Pipeline.SUCCESS);
    assertThat(build.log())
        .doesNotContain(GATLING)
        .endsWith(
            "echo There is no Gatling plugin here: the reports of Gatling are among the"
                + " artifacts.");
  }

  @Test
  void theScenariosToChooseFromAreThoseThatThereAre() throws IOException {
    try (Stream<Path> files = Files.list(HOME.resolve("scenarios"))) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".yaml"))
              .map(name -> name.replace(".yaml", ""))
              .toList();
      Object choices = run(new Pipeline()).declared("SCENARIO").get("choices");
      assertThat(choices)
          .asInstanceOf(InstanceOfAssertFactories.list(String.class))
          .startsWith("quick")
          .containsExactlyInAnyOrderElementsOf(names);
    }
  }

  @Test
  void parametersThatCannotBeMeantAreRefusedTogetherBeforeAnythingIsDone() {
    Pipeline build =
        run(
            new Pipeline()
                .parameter("SCENARIO", "../../etc/passwd")
                .parameter("DATABASES", "etcd; rm -rf /")
                .parameter("SCALE", "$(id)"));
    assertThat(build.result()).isEqualTo(Pipeline.FAILURE);
    assertThat(build.log())
        .contains(
            "error SCENARIO: expected the name of a file in scenarios/, without .yaml\n"
                + "DATABASES: expected nothing, or names such as etcd,zookeeper@3.8.6\n"
                + "SCALE: expected a number such as 0.01")
        .doesNotContain("stage Build");
    assertThat(build.scripts()).hasSize(1).first().asString().contains("stop-servers.sh");
  }

  @Test
  void aDatabaseAndAScaleCanBeChosen() {
    Pipeline build =
        run(
            new Pipeline()
                .parameter("SCENARIO", "write-1M-keys-best-throughput")
                .parameter("DATABASES", "etcd,zookeeper")
                .parameter("SCALE", "0.01"));
    assertThat(build.result()).isEqualTo(Pipeline.SUCCESS);
  }

  @SafeVarargs
  private static List<String> lines(List<String>... parts) {
    List<String> all = new ArrayList<>();
    for (List<String> part : parts) {
      all.addAll(part);
    }
    return all;
  }
}
