// SPDX-License-Identifier: Apache-2.0
package io.quorate.install;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;

/** Archives, honest and other. */
final class ArchiveBytes {
  static final String ETCD = "#!/bin/sh\necho etcd Version: 3.7.3\n";
  static final String CONSUL = "#!/bin/sh\necho Consul v1.22.7\n";
  private static final String TOP = "etcd-v3.7.3-linux-amd64/";

  /** Kind of an entry of an archive. */
  enum Kind {
    FILE,
    SYMBOLIC_LINK,
    HARD_LINK,
    DEVICE
  }

  private record Entry(String name, Kind kind, byte[] content) {}

  private final List<Entry> entries = new ArrayList<>();

  /** Returns an archive like those that etcd's vendor releases. */
  static ArchiveBytes ofEtcd() {
    return new ArchiveBytes()
        .with(TOP + "README.md", "read me")
        .with(TOP + "etcd", ETCD)
        .with(TOP + "Documentation/deep/etcd", "not the program")
        .with(TOP + "etcdctl", ETCD)
        .with(TOP + "etcdutl", ETCD);
  }

  ArchiveBytes with(String name, String content) {
    return with(name, content.getBytes(StandardCharsets.UTF_8));
  }

  ArchiveBytes with(String name, byte[] content) {
    entries.add(new Entry(name, Kind.FILE, content));
    return this;
  }

  ArchiveBytes with(String name, Kind kind) {
    entries.add(new Entry(name, kind, "/etc/passwd".getBytes(StandardCharsets.UTF_8)));
    return this;
  }

  byte[] tarGz() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new GzipCompressorOutputStream(bytes))) {
      for (Entry each : entries) {
        boolean file = each.kind == Kind.FILE;
        TarArchiveEntry entry = new TarArchiveEntry(each.name, type(each.kind), true);
        entry.setLinkName(each.kind == Kind.FILE ? "" : "/etc/passwd");
        entry.setSize(file ? each.content.length : 0);
        tar.putArchiveEntry(entry);
        tar.write(each.content, 0, file ? each.content.length : 0);
        tar.closeArchiveEntry();
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return bytes.toByteArray();
  }

  byte[] zip() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(bytes)) {
      for (Entry each : entries) {
        ZipArchiveEntry entry = new ZipArchiveEntry(each.name);
        entry.setUnixMode(each.kind == Kind.FILE ? 0100644 : 0120777);
        zip.putArchiveEntry(entry);
        zip.write(each.content);
        zip.closeArchiveEntry();
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return bytes.toByteArray();
  }

  private static byte type(Kind kind) {
    return switch (kind) {
      case FILE -> TarConstants.LF_NORMAL;
      case SYMBOLIC_LINK -> TarConstants.LF_SYMLINK;
      case HARD_LINK -> TarConstants.LF_LINK;
      case DEVICE -> TarConstants.LF_CHR;
    };
  }
}
