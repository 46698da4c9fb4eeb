// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockFileTest {
  @TempDir private Path directory;

  @Test
  void aSecondAttemptOfTheSameProcessDoesNotReleaseTheLock() throws IOException {
    Path file = directory.resolve("lock");
    try (LockFile held = LockFile.tryAcquire(file).orElseThrow()) {
      held.write("mine");
      assertThat(LockFile.tryAcquire(file)).isEmpty();
      assertThat(LockFile.tryAcquire(directory.resolve("../" + directory.getFileName() + "/lock")))
          .isEmpty();
      assertThat(LockFile.textOfOther(file, 10)).isEmpty();
      assertThat(isLocked(file)).isTrue();
    }
    assertThat(isLocked(file)).isFalse();
    assertThat(LockFile.textOfOther(file, 3)).hasValue("min");
    LockFile.tryAcquire(file).orElseThrow().close();
  }

  @Test
  void anotherThreadWaitsUntilTheLockIsReleased() throws Exception {
    Path file = directory.resolve("lock");
    LockFile held = LockFile.tryAcquire(file).orElseThrow();
    CountDownLatch waits = new CountDownLatch(1);
    CompletableFuture<Void> other =
        CompletableFuture.runAsync(() -> LockFile.acquire(file, waits::countDown).close());
    waits.await();
    assertThat(isLocked(file)).isTrue();
    assertThat(other).isNotDone();
    held.close();
    other.get();
  }

  /** Returns whether the kernel knows a lock of this file. */
  private static boolean isLocked(Path file) throws IOException {
    String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
    return Files.readAllLines(Path.of("/proc/locks")).stream()
        .anyMatch(lock -> lock.contains(inode));
  }
}
