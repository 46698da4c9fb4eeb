// SPDX-License-Identifier: Apache-2.0
package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.install.Installation;
import io.quorate.store.server.JavaRuntime;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of a standing cluster, when it is not what it should be. */
class ClusterStateIT {
  private static final String MEMBER =
      "{'index': 1, 'data': '/x', 'servers': [{'name': 'etcd-1', 'endpoint': '127.0.0.1:1',"
          + " 'pid': 2, 'startedMillis': 5, 'log': '/x'}]}";

  @TempDir private Path home;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path state;

  @BeforeEach
  void makeDirectory() throws IOException {
    state = Files.createDirectories(home.resolve(".cache/quorate/clusters")).resolve("etcd.json");
    Files.writeString(Files.createDirectories(home.resolve("bin")).resolve("etcd"), "");
    assertThat(home.resolve("bin/etcd").toFile().setExecutable(true)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "null | :1:1: found null, expected {...}",
        "[] | :1:1: found [...], expected {...}",
        "5 | :1:1: found 5, expected {...}",
        "'\"x\"' | :1:1: found the text 'x', expected {...}",
        "'' | :1:1: found nothing, expected {...}",
        "{} | :1:2: database: found nothing, expected text",
        "{\"database\": | :1:13: found no complete JSON: Unexpected end-of-input within/between Object entries",
        "x | found no complete JSON: Unrecognized token 'x': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
        "{\"database\": \"etcd\", \"directory\": \"/x\", \"members\": [], \"a\": 1} | a: found a field that is not known, expected [database, directory, members]",
        "{\"database\": 5, \"directory\": \"/x\", \"members\": []} | database: found 5, expected text",
        "{\"database\": \"mysql\", \"directory\": \"/x\", \"members\": []} | found the database 'mysql', expected one of [etcd, ",
        "{\"database\": \"consul\", \"directory\": \"/x\", \"members\": []} | database: found consul, expected etcd",
        "{\"database\": \"etcd\", \"directory\": \"/x\", \"members\": null} | members: found null, expected [...]",
        "{\"database\": \"etcd\", \"directory\": \"/x\", \"members\": [null]} | members[0]: found null, expected {...}",
        "{\"database\": \"etcd\", \"directory\": \"/x\", \"members\": [5]} | members[0]: found 5, expected {...}",
        "{\"database\": \"etcd\", \"directory\": \"/x\", \"members\": []} [] | found",
        "{\"database\": \"etcd\", \"database\": \"etcd\"} | Duplicate field 'database'",
      })
  void one_that_holds_something_else_is_refused_by_every_command(String content, String problem)
      throws IOException {
    refused(content, problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'pid': 2 | 'pid': 'x' | members[0].servers[0].pid: found the text 'x', expected a whole number",
        "'pid': 2 | 'pid': '7' | members[0].servers[0].pid: found the text '7', expected a whole number",
        "'pid': 2 | 'pid': 2.5 | members[0].servers[0].pid: found 2.5, expected a whole number",
        "'pid': 2 | 'pid': 1e99 | members[0].servers[0].pid: found",
        "'pid': 2 | 'pid': null | members[0].servers[0].pid: found null, expected a whole number",
        "'pid': 2 | 'pid': -1 | found the pid -1, expected 2 or more",
        "'pid': 2 | 'pid': 1 | found the pid 1, expected 2 or more",
        "'startedMillis': 5 | 'startedMillis': -5 | found the start -5, expected milliseconds since 1970",
        "127.0.0.1:1 | 127.0.0.1 | endpoint '127.0.0.1': expected HOST:PORT",
      })
  void a_field_of_a_member_that_is_wrong_is_named(String from, String to, String problem)
      throws IOException {
    String text = "{'database': 'etcd', 'directory': '/x', 'members': [" + MEMBER + "]}";
    refused(text.replace(from, to).replace('\'', '"'), problem);
  }

  private void refused(String content, String problem) throws IOException {
    Files.writeString(state, content == null ? "" : content);
    refused(problem);
    assertThat(state).content().isEqualTo(content == null ? "" : content);
  }

  private void refused(String problem) {
    for (String command : new String[] {"up", "status", "down"}) {
      err.getBuffer().setLength(0);
      assertThat(run("cluster", command, "etcd")).as(err.toString()).isEqualTo(1);
      assertThat(err.toString())
          .startsWith(state.toString())
          .contains(problem)
          .contains("Remove it; then ./quorate cluster down etcd stops those that are marked in ")
          .doesNotContain("java.", "io.quorate");
    }
    assertThat(run("cluster", "status")).isEqualTo(1);
  }

  @Test
  void each_name_has_its_own_and_down_removes_only_that() throws IOException {
    String content =
        "{\"database\": \"etcd\", \"directory\": \"%s\", \"members\": []}".formatted(home);
    Files.writeString(state, content);
    Path named = Files.writeString(state.resolveSibling("etcd_mine.json"), content);

    assertThat(run("cluster", "status")).isEqualTo(1);
    assertThat(out.toString())
        .contains("etcd is being started", "etcd --name mine is being started")
        .contains("'./quorate cluster down etcd --name mine' tidies up");

    assertThat(run("cluster", "down", "etcd", "--name", "other")).isZero();
    assertThat(out.toString()).contains("no cluster of etcd --name other is up");
    assertThat(run("cluster", "down", "etcd", "--name", "mine")).isZero();
    assertThat(named).doesNotExist();
    assertThat(state).exists();
  }

  @Test
  void clusters_of_versions_that_are_not_pinned_and_of_own_programs_are_shown() throws IOException {
    for (String id : new String[] {"etcd@3.5.16", "etcd@mine"}) {
      Files.writeString(
          state.resolveSibling(id + ".json"),
          "{\"database\": \"%s\", \"directory\": \"%s\", \"members\": []}".formatted(id, home));
    }
    assertThat(run("cluster", "status")).isEqualTo(1);
    assertThat(out.toString())
        .contains("etcd@3.5.16 is being started", "etcd@mine is being started")
        .doesNotContain("no cluster");
  }

  @Test
  void a_name_that_is_no_name_is_refused() {
    assertThat(run("cluster", "down", "etcd", "--name", "../x")).isEqualTo(1);
    assertThat(err.toString()).contains("--name: found '../x', expected at most 20 lower-case");
  }

  @Test
  void one_that_is_huge_is_not_read() throws IOException {
    Files.writeString(state, "[" + " ".repeat(5_000_000) + "]");
    refused("found 5,000,002 bytes, expected at most 4,194,304");
  }

  @Test
  void a_directory_is_none() throws IOException {
    Files.createDirectory(state);
    refused("is a link or no regular file");
  }

  @Test
  void a_link_is_none() throws IOException {
    Files.createSymbolicLink(state, Files.writeString(home.resolve("elsewhere"), "{}"));
    refused("is a link or no regular file");
  }

  @Test
  void a_pipe_is_none() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", state.toString()).start().waitFor()).isZero();
    refused("is a link or no regular file");
  }

  @Test
  void one_that_everybody_may_write_is_not_believed() throws Exception {
    Files.writeString(state, "{}");
    assertThat(new ProcessBuilder("chmod", "o+w", state.toString()).start().waitFor()).isZero();
    refused("may be changed by other users: chmod go-w");
  }

  @ParameterizedTest
  @ValueSource(strings = {"down", "up"})
  void a_process_of_somebody_else_is_not_ended_though_pid_and_start_are_right(String command)
      throws Exception {
    Process other = new ProcessBuilder("sleep", "600").directory(home.toFile()).start();
    try {
      Path precious = Files.createDirectories(home.resolve("mine/data/precious"));
      Files.writeString(
          state,
          """
          {"database": "etcd", "directory": "%s", "members": [{"index": 1, "data": "%s",
           "servers": [{"name": "etcd-1", "endpoint": "127.0.0.1:1", "pid": %d,
                        "startedMillis": %d, "log": "/x"}]}]}
          """
              .formatted(
                  home.resolve("mine"),
                  home,
                  other.pid(),
                  other.info().startInstant().orElseThrow().toEpochMilli()));
      run("cluster", command, "etcd");
      assertThat(other.isAlive()).isTrue();
      assertThat(precious).isDirectory();
      assertThat(err.toString())
          .contains(home.resolve("mine/data") + " is left alone, as it has no mark of Quorate");
    } finally {
      other.destroyForcibly();
    }
  }

  private int run(String... arguments) {
    return Quorate.run(
        new PrintWriter(out, true),
        new PrintWriter(err, true),
        new Installation(
            Map.of("PATH", home.resolve("bin").toString()),
            home,
            JavaRuntime.of(System.getProperties())),
        arguments);
  }
}
