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
    return new CommandLine(new KubernetesCommands.KubernetesCommand())
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
  void the_base_for_kustomize_is_what_is_printed_for_an_example() throws IOException {
    scenario =
        Files.writeString(
                directory.resolve("example.yaml"),
                """
                title: Puts of 1 KiB
                operation: put
                requests: 100_000
                warm-up: 1_000
                keys: {size: 256}
                values: {size: 1024}
                load: {clients: 100}
                databases: [etcd]
                """)
            .toString();
    int exitCode =
        render(
            "--scenario",
            scenario,
            "--shards",
            "2",
            "--endpoints",
            "etcd-0.etcd:2379,etcd-1.etcd:2379,etcd-2.etcd:2379",
            "--name",
            "quorate");
    assertThat(exitCode).as(err.toString()).isZero();
    assertThat(out)
        .hasToString(
            Files.readString(
                Path.of(System.getProperty("quorate.home"), "src/kubernetes/base/run.yaml")));
  }

  @Test
  void manifests_with_all_options_are_as_published() throws IOException {
    Files.writeString(
        directory.resolve("two.yaml"),
        SCENARIO.replace("clients: 4", "clients: 8").replace("keys:", "\n#   ${x}\nkeys:"));
    int exitCode =
        render(
            "--scenario",
            scenario,
            "--shards",
            "8",
            "--endpoints",
            "etcd-0.etcd:2379,[fd00::1]:2379",
            "--name",
            "quorate-load",
            "--namespace",
            "load",
            "--image",
            "registry.example.com/quorate:0.1",
            "--claim",
            "on",
            "--servers",
            "app=etcd",
            "--cpus",
            "4",
            "--memory",
            "6Gi",
            "--scale",
            "0.5",
            "--tls-secret",
            "etcd-ca",
            "--client-certificate-secret",
            "etcd-client",
            "--credentials-secret",
            "etcd-login");
    assertThat(exitCode).as(err.toString()).isZero();
    assertThat(out).hasToString(golden("all-options.yaml"));
  }

  @Test
  void one_load_generator_has_nothing_to_merge_and_a_given_claim_is_not_made() {
    int exitCode =
        render(
            "--scenario", scenario, "--endpoints", "[fd00::1]:2379", "--name", "a", "--claim", "b");
    assertThat(exitCode).as(err.toString()).isZero();
    assertThat(out.toString())
        .startsWith("# two of etcd by 1 load generator; results: a in the volume of b\n")
        .contains("            claimName: \"b\"\n", "  ENDPOINTS: \"[fd00::1]:2379\"\n")
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
            "-");
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
            --cpus: found '0', expected a number of CPUs such as 4, 1.5 or 500m
            --memory: found '4G', expected a size such as 512Mi or 6Gi
            --client-certificate-secret: found '-', expected the name of a Secret
            --client-certificate-secret: needs --tls-secret, because a certificate is only sent over TLS
            endpoint 1 of 2: expected HOST:PORT, such as 127.0.0.1:2379
            endpoint 2 of 2: user names and passwords are not used and would end in the files of a run; expected HOST:PORT, such as 127.0.0.1:2379\
            """);
  }

  @Test
  void a_scenario_with_characters_that_end_a_line_for_some_readers_is_one_string()
      throws IOException {
    Files.writeString(directory.resolve("two.yaml"), "# a\u2028b\n" + SCENARIO);
    assertThat(render("--scenario", scenario, "--endpoints", "a:1")).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains(
            "  \"two.yaml\": \"# a\\u2028b\\ntitle: \\\"Grüße: two shards\\\"\\noperation: put");
  }

  @Test
  void a_run_without_a_name_gets_that_of_the_scenario_and_the_time() {
    assertThat(render("--scenario", scenario, "--endpoints", "a:1")).as(err.toString()).isZero();
    assertThat(out.toString()).containsPattern("\n  name: two-\\d{4}-\\d{6}-load\n");
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
