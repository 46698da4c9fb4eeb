// SPDX-License-Identifier: Apache-2.0
package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.results.RunDirectory;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileFailureTest {
  @Test
  void a_reason_has_no_name_of_a_class() {
    assertThat(FileFailure.reason(new NoSuchFileException("a")))
        .isEqualTo("a: no such file or directory");
    assertThat(FileFailure.reason(new AccessDeniedException("a")))
        .isEqualTo("a: permission denied");
    assertThat(FileFailure.reason(new FileSystemException("a\u202e", null, "Not a directory")))
        .isEqualTo("a\\u202e: Not a directory");
    assertThat(FileFailure.reason(new IOException("Stream\nclosed"))).isEqualTo("Stream\\nclosed");
    assertThat(FileFailure.reason(new IOException())).isEqualTo("the system gives no reason");
  }

  @Test
  void results_below_a_file_are_refused_in_plain_words(@TempDir Path directory) throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> RunDirectory.create(file, "tiny", 1, Instant.EPOCH))
        .isInstanceOf(QuorateException.class)
        .hasMessage(file + "/tiny: cannot be made: " + file + "/tiny: Not a directory");
  }
}
