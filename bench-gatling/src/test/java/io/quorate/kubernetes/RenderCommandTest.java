// SPDX-License-Identifier: Apache-2.0
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
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
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

  private List<Map<?, ?>> documents() {
    List<Map<?, ?>> documents = new ArrayList<>();
    new Load(LoadSettings.builder().build())
        .loadAllFromString(out.toString())
        .forEach(each -> documents.add((Map<?, ?>) each));
    return documents;
  }

  private Map<?, ?> document(String kind, String name) {
    return documents().stream()
        .filter(each -> each.get("kind").equals(kind))
        .filter(each -> name.equals(at(each, "metadata", "name")))
        .findFirst()
        .orElseThrow(() -> new AssertionError(kind + " " + name + " is missing"));
  }

  /** Returns the value at a path of keys and indexes; null if there is none. */
  private static Object at(Object document, Object... path) {
    Object value = document;
    for (Object step : path) {
      value =
          step instanceof Integer index
              ? ((List<?>) value).get(index)
              : ((Map<?, ?>) value).get(step);
    }
    return value;
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
            "--image-pull-secret",
            "registry-login",
            "--claim",
            "on",
            "--ttl",
            "86400",
            "--node-selector",
            "pool=load",
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
            "--image-pull-secret",
            "Login",
            "--image-pull-secret",
            "twice",
            "--image-pull-secret",
            "twice",
            "--image-pull-secret",
            "Login",
            "--claim",
            "$(X)",
            "--ttl",
            "1h",
            "--node-selector",
            "pool",
            "--node-selector",
            "disk=ssd",
            "--node-selector",
            "disk=nvme",
            "--servers",
            "etcd",
            "--cpus",
            "0",
            "--memory",
            "4G",
            "--client-certificate-secret",
            "-",
            "--database",
            "etdc,etdc",
            "--scale",
            "2");
    assertThat(exitCode).isEqualTo(1);
    assertThat(out.toString()).isEmpty();
    assertThat(err)
        .hasToString(
            """
            --name: found 'Run 17', expected at most 40 of a-z, 0-9 and -, such as run-17
            --namespace: found 'a.b', expected the name of a namespace: at most 63 of a-z, 0-9 and '-', with a letter or digit at both ends
            --image: found 'a b', expected an image, such as registry.example.com/quorate:0.1, with names in lower case
            --image-pull-secret: found 'Login', expected the name of a Secret: at most 253 of a-z, 0-9, '-' and '.', with a letter or digit at both ends of each part
            --claim: found '$(X)', expected the name of a PersistentVolumeClaim: at most 253 of a-z, 0-9, '-' and '.', with a letter or digit at both ends of each part
            --ttl: found '1h', expected a number of seconds from 0 to 2147483647, such as 86400
            --node-selector: found 'pool', expected a label such as app=etcd: letters, digits, '-', '_' and '.', at most 63 each, with a letter or digit at both ends
            --servers: found 'etcd', expected a label such as app=etcd: letters, digits, '-', '_' and '.', at most 63 each, with a letter or digit at both ends
            --cpus: found '0', expected a number of CPUs such as 4, 1.5 or 500m
            --memory: found '4G', expected a size such as 512Mi or 6Gi
            --client-certificate-secret: found '-', expected the name of a Secret: at most 253 of a-z, 0-9, '-' and '.', with a letter or digit at both ends of each part
            --node-selector: found the label 'disk' twice, expected each once
            --image-pull-secret: found 'twice' twice, expected each Secret once
            endpoint 1 of 2: expected HOST:PORT, such as 127.0.0.1:2379
            endpoint 2 of 2: user names and passwords are not used and would end in the files of a run; expected HOST:PORT, such as 127.0.0.1:2379
            database 'etdc': expected one of etcd, zookeeper, consul, zetcd, cetcd, kine, clickhouse-keeper, memory; did you mean 'etcd'?
            The scale is '2', but it must be a number above 0 and at most 1, such as 0.01 for a hundredth of the requests.
            --tls-secret: found nothing, expected the name of the Secret with the authority of the servers' certificates, because the certificate of --client-certificate-secret is sent over TLS only\
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
  void load_generators_get_the_path_and_the_scheme_of_the_addresses() {
    String[] etcd = {"--scenario", scenario, "--endpoints", "https://a:1", "--tls-secret", "b"};
    assertThat(render(etcd)).as(err.toString()).isZero();
    assertThat(out.toString()).contains("  ENDPOINTS: \"https://a:1\"\n");
    String[] nodes = {
      "--scenario", scenario, "--endpoints", "a:1,b:2/app", "--database", "zookeeper"
    };
    assertThat(render(nodes)).as(err.toString()).isZero();
    assertThat(out.toString()).contains("  ENDPOINTS: \"a:1,b:2/app\"\n");
  }

  @Test
  void addresses_that_load_generators_would_refuse_are_refused() {
    assertThat(render("--scenario", scenario, "--endpoints", "https://a:1/app")).isEqualTo(1);
    assertThat(err)
        .hasToString(
            """
            --tls-secret: found nothing, expected the name of the Secret with the authority of the servers' certificates, because --endpoints has https://
            endpoints: found the path /app/, which etcd does not have: leave it out\
            """);
    err.getBuffer().setLength(0);
    assertThat(render("--scenario", scenario, "--endpoints", "http://a:1", "--tls-secret", "ca"))
        .isEqualTo(1);
    assertThat(err)
        .hasToString("--tls-secret: found http:// in --endpoints, expected https:// or no scheme");
  }

  @Test
  void a_run_without_a_name_gets_that_of_the_scenario_and_the_time() {
    assertThat(render("--scenario", scenario, "--endpoints", "a:1")).as(err.toString()).isZero();
    assertThat(out.toString()).containsPattern("\n  name: two-\\d{4}-\\d{6}-load\n");
  }

  @Test
  void options_place_values_where_kubernetes_reads_them() {
    assertThat(
            render(
                "--scenario",
                scenario,
                "--endpoints",
                "a:1",
                "--shards",
                "2",
                "--name",
                "run",
                "--namespace",
                "123",
                "--image",
                "registry.example.com:5000/a/quorate:0.1",
                "--image-pull-secret",
                "1.5",
                "--image-pull-secret",
                "null",
                "--storage-class",
                "nfs.fast",
                "--storage-size",
                "2Ti",
                "--ttl",
                "010",
                "--node-selector",
                "pool=yes",
                "--node-selector",
                "example.com/rack=",
                "--node-selector",
                "disk=1e3",
                "--servers",
                "example.com/app=0x10"))
        .as(err.toString())
        .isZero();

    assertThat(documents())
        .hasSize(6)
        .allSatisfy(each -> assertThat(at(each, "metadata", "namespace")).isEqualTo("123"));
    Map<?, ?> claim = document("PersistentVolumeClaim", "quorate-results");
    assertThat(at(claim, "spec", "storageClassName")).isEqualTo("nfs.fast");
    assertThat(at(claim, "spec", "resources", "requests", "storage")).isEqualTo("2Ti");
    for (String name : List.of("run-load", "run-merge")) {
      Map<?, ?> job = document("Job", name);
      assertThat(at(job, "spec", "ttlSecondsAfterFinished")).isEqualTo(10);
      assertThat(at(job, "spec", "template", "spec", "imagePullSecrets"))
          .isEqualTo(List.of(Map.of("name", "1.5"), Map.of("name", "null")));
      assertThat(at(job, "spec", "template", "spec", "nodeSelector"))
          .isEqualTo(Map.of("pool", "yes", "example.com/rack", "", "disk", "1e3"));
      assertThat(at(job, "spec", "template", "spec", "containers", 0, "image"))
          .isEqualTo("registry.example.com:5000/a/quorate:0.1");
    }
    assertThat(
            at(
                document("Job", "run-load"),
                "spec",
                "template",
                "spec",
                "affinity",
                "podAntiAffinity",
                "requiredDuringSchedulingIgnoredDuringExecution",
                0,
                "labelSelector",
                "matchLabels"))
        .isEqualTo(Map.of("example.com/app", "0x10"));
    assertThat(out.toString()).contains("\n#   kubectl logs -f -n 123 -l ");
  }

  @Test
  void options_that_are_left_out_leave_the_choice_to_the_cluster() {
    assertThat(render("--scenario", scenario, "--endpoints", "a:1", "--name", "run")).isZero();
    Map<?, ?> claim = document("PersistentVolumeClaim", "quorate-results");
    assertThat(at(claim, "metadata", "namespace")).isNull();
    assertThat(at(claim, "spec", "storageClassName")).isNull();
    assertThat(at(claim, "spec", "resources", "requests", "storage")).isEqualTo("10Gi");
    Map<?, ?> job = document("Job", "run-load");
    assertThat(at(job, "spec", "ttlSecondsAfterFinished")).isNull();
    assertThat(at(job, "spec", "template", "spec", "imagePullSecrets")).isNull();
    assertThat(at(job, "spec", "template", "spec", "nodeSelector")).isNull();
  }

  @Test
  void an_empty_storage_class_asks_for_a_volume_without_a_class() {
    assertThat(render("--scenario", scenario, "--endpoints", "a:1", "--storage-class", ""))
        .as(err.toString())
        .isZero();
    Map<?, ?> claim = document("PersistentVolumeClaim", "quorate-results");
    assertThat(at(claim, "spec", "storageClassName")).isEqualTo("");
  }

  @Test
  void storage_of_a_claim_that_exists_is_refused_once() {
    int exitCode =
        render(
            "--scenario",
            scenario,
            "--endpoints",
            "a:1",
            "--claim",
            "b",
            "--storage-class",
            "A",
            "--storage-size",
            "1GiB");
    assertThat(exitCode).isEqualTo(1);
    assertThat(err)
        .hasToString(
            "--storage-class, --storage-size: found with --claim, which names a claim that exists:"
                + " leave out one of them");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void wrong_storage_is_refused() {
    int exitCode =
        render(
            "--scenario",
            scenario,
            "--endpoints",
            "a:1",
            "--storage-class",
            "A",
            "--storage-size",
            "1GiB");
    assertThat(exitCode).isEqualTo(1);
    assertThat(err)
        .hasToString(
            """
            --storage-class: found 'A', expected the name of a StorageClass: at most 253 of a-z, 0-9, '-' and '.', with a letter or digit at both ends of each part, or '' for a volume without a class
            --storage-size: found '1GiB', expected a size such as 20Gi or 500M\
            """);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void a_missing_authority_is_refused_once_for_all_that_need_it() throws IOException {
    Files.writeString(directory.resolve("two.yaml"), SCENARIO + "security: tls\n");
    String[] options = {
      "--scenario", scenario, "--endpoints", "a,a", "--client-certificate-secret", "b"
    };
    assertThat(render(options)).isEqualTo(1);
    assertThat(err)
        .hasToString(
            """
            endpoint 'a': expected HOST:PORT, such as 127.0.0.1:2379
            --tls-secret: found nothing, expected the name of the Secret with the authority of the servers' certificates, because scenario two has security: tls\
            """);
  }

  @Test
  void shards_and_scenario_are_checked_in_spite_of_wrong_options() throws IOException {
    assertThat(render("--scenario", scenario, "--endpoints", "a", "--shards", "5")).isEqualTo(1);
    assertThat(err)
        .hasToString(
            """
            endpoint 'a': expected HOST:PORT, such as 127.0.0.1:2379
            scenario two cannot be made by 5 shards:
              step 1: found 4 clients and 4 connections, expected at least 5 of each, one for each shard\
            """);
    err.getBuffer().setLength(0);
    assertThat(render("--scenario", "", "--endpoints", "a:1")).isEqualTo(1);
    assertThat(err).hasToString("scenario: found nothing, expected a value; leave the option out");
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
    assertThat(err.toString())
        .startsWith("--shards: found 0, expected 1 to 1000\n")
        .contains("two.yaml:8:1: found ");
    err.getBuffer().setLength(0);
    assertThat(render("--scenario", scenario, "--endpoints", "a:1")).isEqualTo(1);
    assertThat(err.toString()).contains("two.yaml:8:1: found ", "nonsense");
    err.getBuffer().setLength(0);
    Files.writeString(directory.resolve("two.yaml"), SCENARIO + "security: tls\n");
    assertThat(render("--scenario", scenario, "--endpoints", "a:1")).isEqualTo(1);
    assertThat(err)
        .hasToString(
            "--tls-secret: found nothing, expected the name of the Secret with the authority of the"
                + " servers' certificates, because scenario two has security: tls");
    assertThat(out.toString()).isEmpty();
  }
}
