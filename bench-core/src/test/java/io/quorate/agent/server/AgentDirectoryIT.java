// SPDX-License-Identifier: Apache-2.0
package io.quorate.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent removes only what an agent has made, and uses only what no one else may change. */
class AgentDirectoryIT {
  private static final int NOBODY = 65_534;

  @TempDir private Path temporary;
  private Path data;
  private Path elsewhere;
  private final List<String> console = new ArrayList<>();

  @BeforeEach
  void name() throws IOException {
    Path here = temporary.toRealPath();
    data = here.resolve("data");
    elsewhere = Files.createDirectories(here.resolve("elsewhere/precious"));
    Files.writeString(elsewhere.resolve("file"), "precious");
  }

  private void assertRefused(String message) {
    assertThatThrownBy(() -> AgentDirectory.open(data, console::add).close())
        .isInstanceOf(QuorateException.class)
        .hasMessage(message);
    assertThat(elsewhere.resolve("file")).hasContent("precious");
  }

  private void inData(Consumer<AgentDirectory> work) {
    try (AgentDirectory directory = AgentDirectory.open(data, console::add)) {
      work.accept(directory);
    }
  }

  @Test
  void what_an_agent_has_left_is_removed_by_the_next_one() throws IOException {
    List<Path> left = new ArrayList<>();
    inData(directory -> left.add(directory.create("run-1")));
    Files.createSymbolicLink(left.get(0).resolve("link"), elsewhere);
    Files.createDirectories(left.get(0).resolve("a/b/c"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(left.get(0))))
        .isEqualTo("rwx------");
    inData(directory -> {});
    assertThat(data.resolve("runs")).isEmptyDirectory();
    assertThat(elsewhere.resolve("file")).hasContent("precious");
    assertThat(console).containsExactly("removed what was left of " + left.get(0).getFileName());
  }

  @Test
  void what_somebody_else_has_put_between_the_runs_is_left_alone() throws IOException {
    List<Path> left = new ArrayList<>();
    inData(directory -> left.add(directory.create("run-1")));
    Path precious = Files.createDirectories(data.resolve("runs/run-2-0123456789abcdef"));
    Files.writeString(precious.resolve("file"), "precious");
    Files.createSymbolicLink(data.resolve("runs/link"), elsewhere);
    inData(directory -> {});
    assertThat(left.get(0)).doesNotExist();
    assertThat(precious.resolve("file")).hasContent("precious");
    assertThat(elsewhere.resolve("file")).hasContent("precious");
    assertThat(console)
        .containsExactlyInAnyOrder(
            "removed what was left of " + left.get(0).getFileName(),
            "left alone what no agent has made: runs/run-2-0123456789abcdef",
            "left alone what no agent has made: runs/link");
  }

  @Test
  void a_link_in_place_of_the_directory_of_a_run_is_left_alone() throws IOException {
    List<Path> left = new ArrayList<>();
    inData(directory -> left.add(directory.create("run-1")));
    Files.delete(left.get(0));
    Files.createSymbolicLink(left.get(0), elsewhere);
    inData(directory -> {});
    assertThat(left.get(0)).isSymbolicLink();
    assertThat(elsewhere.resolve("file")).hasContent("precious");
    assertThat(console)
        .containsExactly(
            left.get(0) + " is a link, expected a directory: name the one that it points to");
  }

  @ParameterizedTest
  @ValueSource(strings = {"runs/precious/file", "file", ".hidden", "agent.lock/file"})
  void a_directory_that_no_agent_has_made_is_not_used(String file) throws IOException {
    Files.createDirectories(data.resolve(file).getParent());
    Files.writeString(data.resolve(file), "mine");
    assertThatThrownBy(() -> AgentDirectory.open(data, console::add))
        .isInstanceOf(QuorateException.class)
        .hasMessageStartingWith(data.toString());
    assertThat(data.resolve(file)).hasContent("mine");
  }

  @Test
  void what_to_do_with_the_directory_of_an_older_agent_is_said() throws IOException {
    Path left = Files.createDirectories(data.resolve("runs/quick-20261121T112538Z-etcd-1234"));
    Files.createFile(data.resolve("agent.lock"));
    assertRefused(
        data
            + " is not an agent directory (contains runs). Agents delete leftover runs, so "
            + "they only use directories they created: pass a new one with --data, or remove "
            + "this one if you do not need it");
    assertThat(left).isEmptyDirectory();
    Files.delete(left);
    inData(directory -> assertThat(directory.create("run-1")).isEmptyDirectory());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mine",
        "{\"formatVersion\": 1, \"pid\": 1, \"runs\": []}",
        "{\"formatVersion\": 2, \"pid\": 1, \"runs\": []",
        "{\"formatVersion\": 2, \"pid\": \"x\", \"runs\": []}",
        "{\"formatVersion\": 2, \"pid\": 1, \"runs\": [\"../elsewhere\"]}",
        "{\"formatVersion\": 2, \"pid\": 1, \"runs\": [\"precious\"]}"
      })
  void a_mark_that_no_agent_has_written_is_none(String mark) throws IOException {
    Files.createDirectories(data.resolve("runs/precious"));
    Files.writeString(data.resolve("agent.lock"), mark);
    assertThatThrownBy(() -> AgentDirectory.open(data, console::add))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("is not an agent directory (contains runs)");
    assertThat(data.resolve("runs/precious")).exists();
    assertThat(data.resolve("agent.lock")).hasContent(mark);
  }

  @Test
  void links_are_not_used() throws IOException {
    Path target = Files.createDirectory(temporary.toRealPath().resolve("target"));
    Files.createSymbolicLink(data, target);
    assertRefused(data + " is a link, expected a directory: name the one that it points to");
    assertThat(target).isEmptyDirectory();
    Files.delete(data);

    inData(directory -> {});
    Files.delete(data.resolve("runs"));
    Files.createSymbolicLink(data.resolve("runs"), elsewhere.getParent());
    assertRefused(
        data.resolve("runs") + " is a link, expected a directory: name the one that it points to");

    Files.delete(data.resolve("agent.lock"));
    Files.createSymbolicLink(data.resolve("agent.lock"), elsewhere.resolve("new"));
    assertRefused(data.resolve("agent.lock") + " is a link or no regular file");
    assertThat(elsewhere.resolve("new")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "runs", "agent.lock"})
  void what_others_may_change_is_not_used(String part) throws IOException {
    inData(directory -> {});
    Path open = part.isEmpty() ? data : data.resolve(part);
    for (String mode : List.of("rwxrwx---", "rwx----w-", "rwxrwxrwx")) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString(mode));
      assertRefused(open + " may be changed by other users: chmod go-w " + open);
    }
  }

  @Test
  void nothing_is_made_below_what_others_may_change() throws IOException {
    Path open = Files.createDirectory(temporary.toRealPath().resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    data = open.resolve("a/data");
    assertRefused(open + " may be changed by other users: chmod go-w " + open);
    assertThat(open).isEmptyDirectory();
    Files.setAttribute(open, "unix:mode", 01777);
    inData(directory -> assertThat(directory.create("run-1")).exists());
  }

  @Test
  void what_belongs_to_another_user_is_not_used() throws IOException {
    assumeTrue(uid(temporary) == 0, "only root can give a directory to another user");
    inData(directory -> {});
    for (String part : List.of("runs", "agent.lock", "")) {
      Path foreign = part.isEmpty() ? data : data.resolve(part);
      Files.setAttribute(foreign, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
      assertThatThrownBy(() -> AgentDirectory.open(data, console::add))
          .isInstanceOf(QuorateException.class)
          .hasMessageMatching(
              foreign
                  + " belongs to \\S+, expected this user( or root)?: name another one, or use it as"
                  + " that user");
      Files.setAttribute(foreign, "unix:uid", 0);
    }
    Files.setAttribute(data, "unix:uid", NOBODY);
    Path link = temporary.toRealPath().resolve("link");
    Files.createSymbolicLink(link, elsewhere);
    Files.setAttribute(link, "unix:uid", NOBODY, LinkOption.NOFOLLOW_LINKS);
    data = link.resolve("data");
    assertThatThrownBy(() -> AgentDirectory.open(data, console::add))
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(link + " belongs to ");
    assertThat(elsewhere.resolve("data")).doesNotExist();
  }

  private static int uid(Path path) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:uid");
  }

  @Test
  void the_agent_of_another_process_is_named() throws Exception {
    inData(directory -> {});
    Path lock = data.resolve("agent.lock");
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                data.toString())
            .start();
    try {
      assertThat(other.getInputStream().read()).isEqualTo('h');
      String before = Files.readString(lock);
      assertRefused(
          "another agent with pid %s uses %s: name another directory with --data"
              .formatted(other.pid(), data));
      assertThat(lock).hasContent(before);
    } finally {
      other.destroyForcibly().waitFor();
    }
    inData(directory -> {});
  }

  /** Holds a directory until it is killed. */
  static final class Holder {
    private Holder() {}

    @SuppressWarnings("try") // the directory is only held
    public static void main(String[] arguments) throws InterruptedException {
      try (AgentDirectory held = AgentDirectory.open(Path.of(arguments[0]), line -> {})) {
        System.out.print("h");
        System.out.flush();
        Thread.currentThread().join();
      }
    }
  }
}
