// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OwnedProcessTest {
  @Test
  void a_process_that_is_closed_ends_with_its_descendants() throws Exception {
    ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-c", "sleep 300 & echo $!; wait");
    List<ProcessHandle> started;
    try (OwnedProcess owned = OwnedProcess.start(shell)) {
      BufferedReader output = owned.process().inputReader();
      ProcessHandle sleeping = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
      started = Stream.of(owned.process().toHandle(), sleeping).toList();
      assertThat(started).allMatch(ProcessHandle::isAlive);
    }
    try {
      for (ProcessHandle each : started) {
        each.onExit().get(1, TimeUnit.MINUTES);
      }
    } finally {
      started.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
