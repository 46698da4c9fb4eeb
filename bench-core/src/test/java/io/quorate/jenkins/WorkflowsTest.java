// SPDX-License-Identifier: Apache-2.0
package io.quorate.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The workflows for GitHub and GitLab run the same gate as the Jenkinsfile. */
class WorkflowsTest {
  private static final Path HOME = Path.of(System.getProperty("quorate.home"));
  private static final Map<?, ?> RELEASE = Workflows.read(".github/workflows/release.yml");
  private static final Pattern USES = Pattern.compile("(?m)^[ -]*uses: (.*)$");
  private static final String PINNED = "[\\w./-]+@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+";

  private static final List<String> GATE =
      List.of(
          "./quorate install etcd consul zetcd zookeeper@3.8.6 powercut",
          "mvn -B -ntp verify -Drequire.databases=etcd,zookeeper,zookeeper@3.8.6,consul,zetcd");

  @Test
  void GitHub_installs_the_servers_and_verifies() {
    assertThat(scripts(Workflows.read(".github/workflows/verify.yml"))).isEqualTo(GATE);
  }

  @Test
  void GitHub_runs_all_tests_every_night() {
    Map<?, ?> nightly = Workflows.read(".github/workflows/nightly.yml");
    assertThat(nightly.toString()).contains("cron=");
    assertThat(scripts(nightly))
        .containsExactly(
            GATE.get(0),
            "./quorate install zookeeper@3.7.2 zookeeper@3.6.4 zookeeper@3.5.10 etcd@3.6.16 etcd@3.5.35",
            GATE.get(1).replace("verify", "verify -Pnightly")
                + ",zookeeper@3.7.2,zookeeper@3.6.4,zookeeper@3.5.10,etcd@3.6.16,etcd@3.5.35");
  }

  @Test
  void a_release_needs_the_gate() {
    Map<?, ?> jobs = (Map<?, ?>) RELEASE.get("jobs");
    assertThat(((Map<?, ?>) jobs.get("verify")).get("uses"))
        .isEqualTo("./.github/workflows/verify.yml");
    assertThat(((Map<?, ?>) jobs.get("build")).get("needs")).isEqualTo("verify");
    assertThat(jobs.keySet().stream().map(Object::toString))
        .filteredOn(name -> !name.equals("verify") && !name.equals("build"))
        .allSatisfy(
            name ->
                assertThat(((Map<?, ?>) jobs.get(name)).get("needs").toString())
                    .containsAnyOf("build", "release"));
  }

  @Test
  void only_the_jobs_that_publish_may_write() {
    assertThat(RELEASE.get("permissions")).isEqualTo(Map.of("contents", "read"));
    Map<String, Object> permissions = new TreeMap<>();
    ((Map<?, ?>) RELEASE.get("jobs"))
        .forEach(
            (name, job) -> {
              Object more = ((Map<?, ?>) job).get("permissions");
              if (more != null) {
                permissions.put(name.toString(), more);
              }
            });
    assertThat(permissions)
        .isEqualTo(
            Map.of("images", Map.of("packages", "write"), "release", Map.of("contents", "write")));
  }

  @Test
  void scripts_of_a_release_contain_no_expression() {
    assertThat(scripts(RELEASE)).isNotEmpty().noneMatch(script -> script.contains("${{"));
  }

  @Test
  void every_action_is_pinned_by_a_commit_with_its_version_in_a_comment() throws IOException {
    List<Path> files = new ArrayList<>(List.of(HOME.resolve("src/github/action.yml")));
    try (Stream<Path> workflows = Files.list(HOME.resolve(".github/workflows"))) {
      files.addAll(workflows.toList());
    }
    Map<String, Set<String>> pins = new TreeMap<>();
    for (Path file : files) {
      for (MatchResult use : USES.matcher(Files.readString(file)).results().toList()) {
        if (!use.group(1).startsWith("./")) {
          assertThat(use.group(1)).as(file.toString()).matches(PINNED);
          String action = use.group(1).split("@", 2)[0];
          pins.computeIfAbsent(action, any -> new TreeSet<>()).add(use.group(1));
        }
      }
    }
    assertThat(pins).isNotEmpty().allSatisfy((action, versions) -> assertThat(versions).hasSize(1));
  }

  private static List<String> scripts(Map<?, ?> workflow) {
    return ((Map<?, ?>) workflow.get("jobs"))
        .values().stream()
            .map(job -> ((Map<?, ?>) job).get("steps"))
            .filter(steps -> steps != null)
            .flatMap(steps -> ((List<?>) steps).stream())
            .map(step -> ((Map<?, ?>) step).get("run"))
            .filter(run -> run != null)
            .map(Object::toString)
            .toList();
  }

  @Test
  void GitLab_installs_the_servers_and_verifies() {
    Map<?, ?> job = (Map<?, ?>) Workflows.read(".gitlab-ci.yml").get("verify");
    assertThat(((List<?>) job.get("script")).stream().skip(1).map(Object::toString))
        .containsExactlyElementsOf(GATE);
  }
}
