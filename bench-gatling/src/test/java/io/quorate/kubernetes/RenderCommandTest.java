package io.quorate.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.QuorateException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RenderCommandTest {
  private static final String SCENARIO =
      """
      title: "Grüße: two shards"
      operation: put
      requests: 600
      keys: {size: 16}
      values: {size: 32}
      load: {clients: 4}
      databases: [etcd]
      """;

  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private String scenario;

  @BeforeEach
  void write() throws IOException {
    scenario = Files.writeString(directory.resolve("two.yaml"), SCENARIO).toString();
  }

  private int render(String... arguments) {
    List<String> all = new ArrayList<>(List.of("render"));
    all.addAll(List.of(arguments));
    return new CommandLine(new KubernetesCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              assertThat(failure).isInstanceOf(QuorateException.class);
              err.write(failure.getMessage());
              return 1;
            })
        .execute(all.toArray(String[]::new));
  }

  private static String golden(String name) throws IOException {
    try (InputStream file = RenderCommandTest.class.getResourceAsStream(name)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void manifests_of_eight_load_generators_are_as_published() throws IOException {
    Files.writeString(directory.resolve("two.yaml"), SCENARIO.replace("clients: 4", "clients: 8"));
    int exitCode =
        render(
            "--scenario",
            scenario,
            "--shards",
            "8",
            "--endpoints",
            "etcd-0.etcd:2379,etcd-1.etcd:2379",
            "--name",
            "quorate-load",
            "--namespace",
            "load",
            "--image",
            "registry.example.com/quorate:0.1",
            "--servers",
            "app=etcd",
            "--cpus",
            "4",
            "--memory",
            "6Gi",
            "--scale",
            "0.5");
    assertThat(exitCode).as(err.toString()).isZero();
    assertThat(out).hasToString(golden("eight-shards.yaml"));
  }

  @Test
  void manifests_of_one_node_with_secrets_are_as_published() throws IOException {
    int exitCode =
        render(
            "--scenario",
            scenario,
            "--shards",
            "2",
            "--endpoints",
            "10.0.0.1:2379",
            "--name",
            "run-17",
            "--overlay",
            "one-node",
            "--results",
            "/srv/results",
            "--tls-secret",
            "etcd-ca",
            "--client-certificate-secret",
            "etcd-client",
            "--credentials-secret",
            "etcd-login");
    assertThat(exitCode).as(err.toString()).isZero();
    assertThat(out).hasToString(golden("one-node-with-secrets.yaml"));
  }

  @Test
  void without_a_shared_volume_each_pod_begins_at_a_time_and_keeps_its_results() {
    int exitCode =
        render(
            "--scenario",
            scenario,
            "--shards",
            "2",
            "--endpoints",
            "10.0.0.1:2379",
            "--overlay",
            "no-shared-volume",
            "--start-at",
            "2033-01-01T00:00:00Z");
    assertThat(exitCode).as(err.toString()).isZero();
    assertThat(out.toString())
        .startsWith("# two of etcd by 2 load generators; results: /results of each Pod, until")
        .contains("            - \"--start-at\"\n            - \"$(START_AT)\"\n")
        .contains("  START_AT: \"2033-01-01T00:00:00Z\"\n")
        .containsPattern("name: two-\\d{4}-\\d{6}-load\n")
        .contains("        - name: results\n          emptyDir: {}\n")
        .doesNotContain("PersistentVolumeClaim", "--barrier", "merge");
  }

  @Test
  void one_load_generator_has_nothing_to_merge_and_a_given_claim_is_not_made() {
    int exitCode =
        render(
            "--scenario", scenario, "--endpoints", "[fd00::1]:2379", "--name", "a", "--claim", "b");
    assertThat(exitCode).as(err.toString()).isZero();
    assertThat(out.toString())
        .startsWith("# two of etcd by 1 load generator; results: a in the volume of b\n")
        .contains("            claimName: b\n", "  ENDPOINTS: \"[fd00::1]:2379\"\n")
        .doesNotContain("kind: PersistentVolumeClaim", "a-merge", "quorate-results");
  }

  @Test
  void all_that_is_wrong_is_told_at_once_and_nothing_is_printed() {
    int exitCode =
        render(
            "--scenario",
            scenario,
            "--shards",
            "9",
            "--endpoints",
            "10.0.0.1,user:secret@etcd:2379",
            "--name",
            "Run 17",
            "--namespace",
            "a.b",
            "--image",
            "a b",
            "--claim",
            "$(X)",
            "--servers",
            "etcd",
            "--cpus",
            "0",
            "--memory",
            "4G",
            "--client-certificate-secret",
            "-",
            "--overlay",
            "onenode",
            "--results",
            "results",
            "--start-at",
            "now");
    assertThat(exitCode).isEqualTo(1);
    assertThat(out.toString()).isEmpty();
    assertThat(err)
        .hasToString(
            """
            --name: found 'Run 17', expected at most 40 of a-z, 0-9 and -, such as run-17
            --namespace: found 'a.b', expected the name of a namespace
            --image: found 'a b', expected an image, such as a/quorate:0.1
            --claim: found '$(X)', expected the name of a PersistentVolumeClaim
            --servers: found 'etcd', expected a label such as app=etcd
            --cpus: found '0', expected a number of processors such as 4, 1.5 or 500m
            --memory: found '4G', expected a size such as 512Mi or 6Gi
            --client-certificate-secret: found '-', expected the name of a Secret
            --results: found 'results', expected an absolute path without blanks, '.' and '..', such as /srv/results
            --client-certificate-secret: found it without --tls-secret: a certificate is shown over TLS
            --overlay: found 'onenode', expected one of no-shared-volume, one-node; did you mean 'one-node'?
            --results: found it without --overlay one-node: other results are in a volume
            --start-at: found it without --overlay no-shared-volume: others begin together when all are ready
            --claim: found it with --overlay, which needs none: leave out one of both
            endpoint 1 of 2: expected HOST:PORT, such as 127.0.0.1:2379
            endpoint 2 of 2: user names and passwords are not used and would end in the files of a run; expected HOST:PORT, such as 127.0.0.1:2379
            start-at: found 'now', expected a time such as 2026-11-22T12:00:00Z\
            """);
  }

  @Test
  void a_time_that_is_over_and_a_directory_that_leads_upwards_are_refused() {
    String[] upwards = {"/../etc", "/srv/../../etc", "/srv/./results", "/srv//results", "/.."};
    for (String directory : upwards) {
      err.getBuffer().setLength(0);
      String[] one = {
        "--scenario",
        scenario,
        "--endpoints",
        "a:1",
        "--overlay",
        "one-node",
        "--results",
        directory
      };
      assertThat(render(one)).as(directory).isEqualTo(1);
      assertThat(err.toString())
          .isEqualTo(
              "--results: found '%s', expected an absolute path without blanks, '.' and '..', such as /srv/results"
                  .formatted(directory));
    }
    err.getBuffer().setLength(0);
    String[] late = {
      "--scenario",
      scenario,
      "--endpoints",
      "a:1",
      "--overlay",
      "no-shared-volume",
      "--start-at",
      "2020-01-01T00:00:00Z"
    };
    assertThat(render(late)).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("start-at: found 2020-01-01T00:00:00Z, expected a time to come: it is ");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void a_scenario_that_shards_cannot_make_is_refused() throws IOException {
    assertThat(render("--scenario", scenario, "--endpoints", "a:1", "--shards", "5")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("scenario two cannot be made by 5 shards:\n  step 1: found 4 clients");
    err.getBuffer().setLength(0);
    Files.writeString(directory.resolve("two.yaml"), SCENARIO + "nonsense: 1\nsecurity: tls\n");
    assertThat(render("--scenario", scenario, "--endpoints", "a:1", "--shards", "0")).isEqualTo(1);
    assertThat(err.toString()).startsWith("--shards: found 0, expected 1 to 1000");
    err.getBuffer().setLength(0);
    assertThat(render("--scenario", scenario, "--endpoints", "a:1")).isEqualTo(1);
    assertThat(err.toString()).contains("two.yaml:8:1: found ", "nonsense");
    err.getBuffer().setLength(0);
    Files.writeString(directory.resolve("two.yaml"), SCENARIO + "security: tls\n");
    assertThat(render("--scenario", scenario, "--endpoints", "a:1")).isEqualTo(1);
    assertThat(err)
        .hasToString(
            "scenario two has security: tls: name the Secret with the authority of the servers'"
                + " certificates with --tls-secret");
    assertThat(out.toString()).isEmpty();
  }
}
