// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryTreeTest {
  @TempDir private Path directory;
  private Path tree;
  private Path precious;

  @BeforeEach
  void make() throws IOException {
    tree = Files.createDirectories(directory.resolve("tree/a/b")).getParent().getParent();
    precious = Files.createDirectory(directory.resolve("precious")).resolve("file");
    Files.writeString(precious, "precious");
  }

  @Test
  void links_are_removed_and_not_followed() throws IOException {
    Files.createSymbolicLink(tree.resolve("a/link"), precious.getParent());
    Files.createSymbolicLink(tree.resolve("a/file"), precious);
    Files.createSymbolicLink(tree.resolve("dangling"), directory.resolve("nothing"));
    new DirectoryTree(tree).remove();
    assertThat(tree).doesNotExist();
    assertThat(precious).hasContent("precious");
  }

  @Test
  void a_link_in_place_of_the_directory_is_removed_alone() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), precious.getParent());
    new DirectoryTree(link).remove();
    Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), Path.of("nothing"));
    new DirectoryTree(dangling).remove();
    assertThat(link).doesNotExist();
    assertThat(Files.isSymbolicLink(dangling)).isFalse();
    assertThat(precious).hasContent("precious");
  }

  @Test
  void a_directory_that_is_emptied_stays_and_a_link_is_not_emptied() throws IOException {
    Files.createSymbolicLink(tree.resolve("a/link"), precious.getParent());
    new DirectoryTree(tree).clear();
    assertThat(tree).isEmptyDirectory();
    Path link = Files.createSymbolicLink(directory.resolve("link"), precious.getParent());
    assertThatThrownBy(() -> new DirectoryTree(link).clear())
        .isInstanceOf(QuorateException.class)
        .hasMessageContaining("cannot empty " + link);
    assertThat(precious).hasContent("precious");
  }

  @Test
  void what_is_not_there_needs_no_removal() {
    new DirectoryTree(directory.resolve("nothing")).remove();
    new DirectoryTree(directory.resolve("nothing/at/all")).remove();
    assertThat(directory).exists();
  }

  @Test
  void a_link_that_comes_in_place_of_a_directory_meanwhile_is_not_followed() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Void> swapping = CompletableFuture.runAsync(() -> swap(done));
    try {
      for (int round = 0; round < 300; round++) {
        try {
          Path inside = Files.createDirectories(directory.resolve("swapped/inside"));
          for (int file = 0; file < 5; file++) {
            Files.createFile(inside.resolve("file-" + file));
          }
          new DirectoryTree(inside.getParent()).remove();
        } catch (QuorateException | IOException swappedAway) {
          continue;
        }
      }
    } finally {
      done.set(true);
      swapping.join();
    }
    assertThat(precious).hasContent("precious");
  }

  private void swap(AtomicBoolean done) {
    Path inside = directory.resolve("swapped/inside");
    Path aside = directory.resolve("aside");
    while (!done.get()) {
      try {
        new DirectoryTree(aside).remove();
        Files.move(inside, aside);
        Files.createSymbolicLink(inside, precious.getParent());
        Thread.yield();
        Files.deleteIfExists(inside);
      } catch (QuorateException | IOException notThereNow) {
        Thread.yield();
      }
    }
  }
}
