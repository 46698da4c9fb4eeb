// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.cluster.Script;
import io.quorate.store.server.Program;
import io.quorate.stores.Stores;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.codec.digest.DigestUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Installing jars, with a shell script in the place of Maven. */
class MavenJarsIT {
  private static final String MAIN = "zookeeper-3.8.6.jar";
  private static final String OTHER = "slf4j-api-2.0.13.jar";

  private static final String COPIES =
      """
      echo "$@" >>'%s/calls'
      for argument; do
        case $argument in -DoutputDirectory=*) into=${argument#*=} ;; esac
      done
      printf main >"$into/zookeeper-3.8.6.jar"
      printf other >"$into/slf4j-api-2.0.13.jar"
      """;

  @TempDir Path directory;
  private final Program program = Stores.program("zookeeper@3.8.6").orElseThrow();
  private Workshop workshop;
  private Path installed;

  @BeforeEach
  void workshop() throws IOException {
    workshop = new Workshop(directory);
    installed = workshop.installed(program);
    Path main = Files.writeString(directory.resolve("main"), "main");
    Path other = Files.writeString(directory.resolve("other"), "other");
    workshop.write("zookeeper-3.8.6/pom.xml", "<project/>");
    workshop.write(
        "zookeeper-3.8.6/SHA256SUMS",
        "%s  %s\n%s  %s\n".formatted(sum(main), MAIN, sum(other), OTHER));
  }

  private void maven(String more) {
    Script.write(directory.resolve("bin/mvn"), COPIES.formatted(directory) + more);
    // what the script itself needs
    Script.write(directory.resolve("bin/go"), "exit 1\n");
  }

  private void fails(String reason) {
    assertThatThrownBy(() -> workshop.installer().install(program))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "cannot install zookeeper 3.8.6:\n  jars from Maven: "
                + reason
                + "\nFix one of these and retry. Or get zookeeper elsewhere, and pass it "
                + "with ./quorate install zookeeper@3.8.6 --from FILE, or set "
                + "QUORATE_ZOOKEEPER_3_8_6 to it.");
    assertThat(Workshop.names(directory.resolve("cache/zookeeper"))).containsExactly(".lock");
  }

  @Test
  void pinned_jars_are_fetched_into_the_cache() {
    maven("");
    assertThat(workshop.installer().install(program)).isEqualTo(installed.resolve(MAIN));
    assertThat(Workshop.names(installed)).containsExactly("origin.txt", OTHER, MAIN);
    assertThat(Installer.origin(installed))
        .hasValue("jars from Maven, as zookeeper-3.8.6/pom.xml pins them");
    assertThat(workshop.lines("calls"))
        .singleElement()
        .asString()
        .startsWith("-B -q dependency:copy -DoutputDirectory=" + directory.resolve("cache"));
    workshop.installer().install(program);
    assertThat(workshop.lines("calls")).hasSize(1);
    assertThat(workshop.output.toString())
        .endsWith("zookeeper 3.8.6 is already installed: " + installed.resolve(MAIN) + "\n");
  }

  @Test
  void jars_that_are_not_the_pinned_ones_are_refused() throws IOException {
    maven("printf else >\"$into/slf4j-api-2.0.13.jar\"\n");
    Path wrong = Files.writeString(directory.resolve("else"), "else");
    Path right = directory.resolve("other");
    fails(
        "slf4j-api-2.0.13.jar: its SHA-256 is %s, but %s is pinned: it was damaged on the way or replaced"
            .formatted(sum(wrong), sum(right)));
    maven("rm \"$into/slf4j-api-2.0.13.jar\"\n");
    fails("it has no slf4j-api-2.0.13.jar");
    maven("printf else >\"$into/more.jar\"\n");
    fails("nothing is pinned for more.jar");
  }

  @Test
  void what_maven_says_last_is_shown() {
    maven("echo '[ERROR] no such artifact'\nexit 1\n");
    fails(
        "fetching the jars of zookeeper failed: mvn ended with exit code 1; its last lines:\n"
            + "  [ERROR] no such artifact");
  }

  @Test
  void without_maven_the_way_out_is_said() {
    fails("it needs Maven 3.8 or newer (https://maven.apache.org): there is no mvn on PATH");
  }

  @Test
  void jars_may_come_from_a_release_archive() throws IOException {
    Path archive = directory.resolve("release.zip");
    Files.write(archive, zip("main"));
    workshop.installer().install(program, archive);
    assertThat(Workshop.names(installed)).containsExactly("origin.txt", OTHER, MAIN);
    Files.write(archive, zip("replaced"));
    assertThatThrownBy(() -> workshop.installer().install(program, archive))
        .hasMessageContaining("the given file: zookeeper-3.8.6.jar: its SHA-256 is ");
    assertThatThrownBy(() -> workshop.installer().install(program, directory.resolve("main")))
        .hasMessageContaining("expected a .tar.gz or .zip with the 2 jars of it");
    assertThat(installed.resolve(MAIN)).hasContent("main");
  }

  private static byte[] zip(String main) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (String[] each : new String[][] {{MAIN, main}, {OTHER, "other"}, {"more.jar", "x"}}) {
        zip.putNextEntry(new ZipEntry("apache-zookeeper-3.8.6-bin/lib/" + each[0]));
        zip.write(each[1].getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toByteArray();
  }

  private static String sum(Path file) throws IOException {
    return DigestUtils.sha256Hex(Files.readAllBytes(file));
  }
}
