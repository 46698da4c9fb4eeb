package io.quorate.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The workflows for GitHub and GitLab run the same gate as the Jenkinsfile. */
class WorkflowsTest {
  private static final List<String> GATE =
      List.of(
          "./quorate install etcd consul zetcd zookeeper@3.8.6",
          "mvn -B -ntp verify -Drequire.databases=etcd,zookeeper,zookeeper@3.8.6,consul,zetcd");

  @Test
  void GitHub_installs_the_servers_and_verifies() {
    Map<?, ?> workflow = Workflows.read(".github/workflows/verify.yml");
    Map<?, ?> job = (Map<?, ?>) ((Map<?, ?>) workflow.get("jobs")).get("verify");
    List<String> scripts =
        ((List<?>) job.get("steps"))
            .stream()
                .map(step -> ((Map<?, ?>) step).get("run"))
                .filter(run -> run != null)
                .map(Object::toString)
                .toList();
    assertThat(scripts).isEqualTo(GATE);
  }

  @Test
  void GitLab_installs_the_servers_and_verifies() {
    Map<?, ?> job = (Map<?, ?>) Workflows.read(".gitlab-ci.yml").get("verify");
    assertThat(((List<?>) job.get("script")).stream().skip(1).map(Object::toString))
        .containsExactlyElementsOf(GATE);
  }
}
