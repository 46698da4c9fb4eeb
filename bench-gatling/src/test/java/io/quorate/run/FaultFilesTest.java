// SPDX-License-Identifier: Apache-2.0
package io.quorate.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import io.quorate.results.DatabaseDirectory;
import io.quorate.results.LockRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultFilesTest {
  @TempDir Path temporary;

  @Test
  void a_failed_write_does_not_stop_the_clients_but_the_run() throws Exception {
    DatabaseDirectory directory = new DatabaseDirectory(temporary);
    Path locks = Files.createDirectory(temporary.resolve("locks.jsonl"));
    FaultFiles files = new FaultFiles(directory);
    LockRecord first = new LockRecord(0, 0, 1, 0, 1, 2, false);
    LockRecord second = new LockRecord(0, 1, 2, 0, 3, 4, false);

    files.lock(first);
    Files.delete(locks);
    files.lock(second);

    assertThat(LockRecord.FILE.read(directory)).containsExactly(second);
    assertThatThrownBy(files::requireWritten)
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining(locks.toString());
  }

  @Test
  void all_was_written() {
    FaultFiles files = new FaultFiles(new DatabaseDirectory(temporary));

    files.lock(new LockRecord(0, 0, 1, 0, 1, 2, false));

    files.requireWritten();
  }
}
