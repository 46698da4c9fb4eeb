// SPDX-License-Identifier: Apache-2.0
package io.quorate.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorate.MemoryBackedDirectory;
import io.quorate.Nightly;
import io.quorate.distribution.UnpackedZip.Ended;
import io.quorate.results.manifest.Manifest;
import io.quorate.results.manifest.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.codec.digest.MessageDigestAlgorithms;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The zip that {@code mvn package} builds, on a machine with Java and nothing else. */
class DistributionIT {
  private static final Pattern CLASSIFIER = Pattern.compile("[?&]classifier=([^&]+)");

  /** Directory of an example, which is in the sources only. */
  private static final Pattern RUN_IN_SOURCES = Pattern.compile("20[0-9-]{8}/([A-Za-z0-9-]+/)?$");

  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

  @TempDir(factory = MemoryBackedDirectory.class)
  private static Path directory;

  private static UnpackedZip zip;
  private static String quorate;

  @TempDir Path work;

  @BeforeAll
  static void unpack() throws IOException {
    zip = UnpackedZip.in(directory);
    quorate = zip.home().resolve("bin/quorate").toString();
  }

  @Nightly
  @Test
  void a_run_starts_servers_and_leaves_its_results_where_it_was_called() throws Exception {
    Files.writeString(
        work.resolve("small.yaml"),
        """
        title: Small
        operation: write
        requests: 60
        warm-up: 10
        cold-start: true
        members: 1
        keys: {size: 16}
        values: {size: 32}
        load: {clients: 2}
        databases: [zookeeper]
        """);
    List<String> before = listing();
    Ended run = zip.run(work, quorate, "run", "small.yaml", "--table", "--gatling");
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).contains("TOTAL-REQUEST-NUMBER").doesNotContain("Exception");
    try (Stream<Path> runs = Files.list(work.resolve("results/small"))) {
      Path only = runs.findFirst().orElseThrow();
      assertThat(Manifest.read(only.resolve("zookeeper/manifest.json")).status())
          .isEqualTo(RunStatus.COMPLETE);
      assertThat(only.resolve("index.html")).isRegularFile();
      assertThat(only.resolve("zookeeper/gatling.log"))
          .content()
          .contains("Gatling's HTML report is not written, as its charts may not come")
          .contains("gatling-charts-highcharts-3.15.1.jar");
    }
    assertThat(listing()).isEqualTo(before);
  }

  @Test
  void commands_find_the_files_that_come_along() throws Exception {
    assertThat(zip.run(work, zip.home().resolve("quorate").toString(), "--version").output())
        .startsWith("quorate ");
    Ended none = zip.run(work, quorate, "run", "no-such-scenario");
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.output())
        .contains("There is no scenario 'no-such-scenario'")
        .contains("nearest", "'" + quorate + " scenarios' lists all");
    Ended databases = zip.run(work, quorate, "databases");
    assertThat(databases.exitCode()).as(databases.output()).isZero();
    assertThat(databases.output()).contains("zookeeper");
    assertThat(zip.run(work, quorate, "completion").output())
        .isEqualTo(Files.readString(zip.home().resolve("completion/quorate.sh")));
  }

  @Test
  void without_a_java_that_is_new_enough_it_says_what_it_needs() throws Exception {
    Ended without = zip.run(work, work, quorate, "--version");
    assertThat(without.exitCode()).isEqualTo(1);
    assertThat(without.output())
        .isEqualTo("quorate: needs Java 17 or newer: put java on PATH or set JAVA_HOME\n");
    Path java = Files.createDirectories(work.resolve("jdk-11/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\nexit 1\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(work.resolve("jdk-11/release"), "JAVA_VERSION=\"11.0.2\"\n");
    Ended old = zip.run(work, java.getParent(), quorate, "--version");
    assertThat(old.output()).isEqualTo("quorate: needs Java 17 or newer, but " + java + " is 11\n");
  }

  @Test
  void bash_completes_commands_options_and_scenarios() throws Exception {
    assertThat(completed("quorate", "clu")).containsExactly("cluster");
    assertThat(completed("quorate", "run", "--sca")).containsExactly("--scale");
    assertThat(completed("quorate", "run", "qui")).containsExactly("quick");
  }

  /** Returns what bash offers; without a line to complete it cannot be told not to add a space. */
  private List<String> completed(String... words) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                "bash",
                "-c",
                ". \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1));"
                    + " _complete_quorate 2>/dev/null; printf '%s\\n' \"${COMPREPLY[@]}\"",
                zip.home().resolve("completion/quorate.sh").toString()));
    command.addAll(List.of(words));
    Ended bash = zip.run(work, command.toArray(String[]::new));
    return bash.output().lines().map(String::strip).filter(each -> !each.isEmpty()).toList();
  }

  @Test
  void nothing_in_it_depends_on_when_and_where_it_was_built() throws IOException {
    List<ZipArchiveEntry> entries = entries(UnpackedZip.file());
    assertThat(entries)
        .hasSizeGreaterThan(200)
        .allSatisfy(each -> assertThat(each.getUnixMode() & 0777).isIn(0755, 0644))
        .extracting(ZipArchiveEntry::getName)
        .doesNotHaveDuplicates();
    assertThat(times(entries)).hasSize(1);
    try (Stream<Path> jars = Files.list(zip.home().resolve("lib"))) {
      List<Path> ours =
          jars.filter(each -> each.getFileName().toString().startsWith("bench-")).toList();
      assertThat(ours).hasSize(3);
      for (Path jar : ours) {
        assertThat(times(entries(jar))).as(jar.toString()).isEqualTo(times(entries));
      }
    }
  }

  private static List<ZipArchiveEntry> entries(Path file) throws IOException {
    try (ZipFile zip = ZipFile.builder().setPath(file).get()) {
      return Collections.list(zip.getEntries());
    }
  }

  private static Set<Long> times(List<ZipArchiveEntry> entries) {
    return entries.stream().map(ZipArchiveEntry::getTime).collect(Collectors.toSet());
  }

  @Test
  void what_may_not_be_passed_on_is_not_in_it_and_the_licences_of_the_rest_are()
      throws IOException {
    try (Stream<Path> jars = Files.list(zip.home().resolve("lib"))) {
      List<String> names = jars.map(each -> each.getFileName().toString()).sorted().toList();
      assertThat(names)
          .noneMatch(each -> each.contains("highcharts") || each.contains("recorder"))
          .noneMatch(each -> each.contains("windows"))
          .anyMatch(each -> each.startsWith("gatling-charts-"))
          .anyMatch(each -> each.startsWith("zookeeper-"));
      String list = Files.readString(zip.home().resolve("licences/THIRD-PARTY.txt"));
      assertThat(list).contains("io.etcd:jetcd-core", "Apache-2.0").doesNotContain("highcharts");
    }
    assertThat(zip.home().resolve("LICENSE")).isRegularFile();
  }

  @Test
  void the_checksum_next_to_it_is_that_of_the_zip() throws IOException {
    Path file = UnpackedZip.file();
    assertThat(file.resolveSibling(file.getFileName() + ".sha256"))
        .hasContent(sha256(file) + "  " + file.getFileName());
  }

  /** The list also has what the zip leaves out: Gatling's charts, and OpenSSL for Windows. */
  @Nightly
  @Test
  void each_jar_is_in_the_list_of_components_with_its_checksum() throws IOException {
    String file = System.getProperty("quorate.sbom");
    Map<String, String> listed = new TreeMap<>();
    JsonNode list = new ObjectMapper().readTree(Path.of(file).toFile());
    list.get("components")
        .forEach(
            component ->
                listed.put(
                    jar(component),
                    component
                        .get("hashes")
                        .valueStream()
                        .filter(hash -> hash.get("alg").asText().equals("SHA-256"))
                        .map(hash -> hash.get("content").asText())
                        .collect(Collectors.joining())));
    Map<String, String> jars = new TreeMap<>();
    try (Stream<Path> files = Files.list(zip.home().resolve("lib"))) {
      for (Path each : files.toList()) {
        jars.put(each.getFileName().toString(), sha256(each));
      }
    }
    // the list is about this jar, and so has it in another place
    String itself = jar(list.get("metadata").get("component"));
    assertThat(jars.remove(itself)).isNotNull();
    assertThat(listed).containsAllEntriesOf(jars);
    listed.keySet().removeAll(jars.keySet());
    assertThat(listed.keySet())
        .hasSize(2)
        .allMatch(each -> each.contains("highcharts") || each.contains("windows"));
  }

  private static String jar(JsonNode component) {
    Matcher classifier = CLASSIFIER.matcher(component.get("purl").asText());
    return component.get("name").asText()
        + "-"
        + component.get("version").asText()
        + (classifier.find() ? "-" + classifier.group(1) : "")
        + ".jar";
  }

  private static String sha256(Path file) throws IOException {
    return new DigestUtils(MessageDigestAlgorithms.SHA_256).digestAsHex(file);
  }

  @Test
  void links_of_the_guide_lead_to_files_that_are_there() throws IOException {
    try (Stream<Path> files = Files.walk(zip.home())) {
      List<Path> pages =
          files
              .filter(each -> each.toString().endsWith(".md"))
              .filter(each -> !each.startsWith(zip.home().resolve("licences")))
              .toList();
      assertThat(pages).contains(zip.home().resolve("src/site/markdown/how-to/distribution.md"));
      for (Path page : pages) {
        List<String> links =
            LINK.matcher(Files.readString(page)).results().map(DistributionIT::target).toList();
        assertThat(links)
            .as(page.toString())
            .filteredOn(link -> !RUN_IN_SOURCES.matcher(link).find())
            .allSatisfy(each -> assertThat(page.resolveSibling(each).normalize()).exists());
      }
    }
  }

  @Test
  void pipelines_for_users_are_in_it() {
    assertThat(
            List.of(
                "src/jenkins/Jenkinsfile",
                "src/github/action.yml",
                "src/gitlab/quorate.gitlab-ci.yml"))
        .allSatisfy(file -> assertThat(zip.home().resolve(file)).isRegularFile());
  }

  private static String target(MatchResult link) {
    return link.group(1);
  }

  private static List<String> listing() throws IOException {
    try (Stream<Path> files = Files.walk(zip.home())) {
      return files
          .map(each -> each + " " + each.toFile().length() + " " + each.toFile().lastModified())
          .sorted()
          .toList();
    }
  }
}
