// SPDX-License-Identifier: Apache-2.0
package io.quorate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.tls.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginTest {
  @TempDir private Path directory;

  @Test
  void a_login_is_read_as_it_was_written() throws IOException {
    Login password = new Login.Password("ann", "hunter 2: #");
    Login token = new Login.Token("3f0c");

    assertThat(Login.read(file("a", password.content().orElseThrow()))).isEqualTo(password);
    assertThat(Login.read(file("b", token.content().orElseThrow()))).isEqualTo(token);
    assertThat(Login.NONE.content()).isEmpty();
  }

  @Test
  void a_mark_of_editors_of_Windows_is_no_part_of_a_login() throws IOException {
    Path file = file("w", "\uFEFFuser: ann\r\npassword: a\uFEFFb\r\n");

    assertThat(Login.read(file)).isEqualTo(new Login.Password("ann", "a\uFEFFb"));
  }

  @Test
  void no_text_of_a_login_has_a_secret() {
    assertThat(new Login.Password("ann", "hunter2")).hasToString("a user and a password");
    assertThat(new Login.Token("hunter2")).hasToString("a token");
    assertThat(new Access(Optional.empty(), new Login.Token("hunter2")))
        .hasToString("none, a token");
  }

  @Test
  void wrong_lines_are_named_by_their_place_without_what_is_in_them() throws IOException {
    Path file = file("c", "user: ann\nhunter2\npassword: x\npassword: y\n");

    assertThatThrownBy(() -> Login.read(file))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            """
            %1$s:2: expected the lines 'user: NAME' and 'password: ...', or 'token: ...', each once
            %1$s:4: expected the lines 'user: NAME' and 'password: ...', or 'token: ...', each once\
            """
                .formatted(file));
  }

  @Test
  void half_a_login_is_refused() throws IOException {
    Path file = file("d", "user: ann\n");

    assertThatThrownBy(() -> Login.read(file))
        .hasMessage(file + ": found user, expected user and password, or token");
  }

  @Test
  void a_file_that_others_may_read_is_refused() throws IOException {
    Path file = file("e", "token: hunter2\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    assertThatThrownBy(() -> Login.read(file))
        .hasMessage(
            file
                + " has a password or a token, but others may read or write it: chmod 600 "
                + file);
  }

  @Test
  void variables_make_a_login_and_mistyped_ones_are_refused() {
    assertThat(Login.read(Map.of("QUORATE_CACHE", "/tmp"))).isEmpty();
    assertThat(Login.read(Map.of("QUORATE_USER", "ann", "QUORATE_PASSWORD", "hunter2")))
        .contains(new Login.Password("ann", "hunter2"));
    assertThatThrownBy(() -> Login.read(Map.of("QUORATE_PASWORD", "hunter2")))
        .hasMessage("QUORATE_PASWORD: there is no such variable; did you mean QUORATE_PASSWORD?");
    assertThatThrownBy(() -> Login.read(Map.of("QUORATE_USER", "ann")))
        .hasMessage(
            "QUORATE_USER, QUORATE_PASSWORD, QUORATE_TOKEN: found user, expected user and password,"
                + " or token");
  }

  private Path file(String name, String content) throws IOException {
    return PrivateFiles.write(directory.resolve(name), content);
  }
}
