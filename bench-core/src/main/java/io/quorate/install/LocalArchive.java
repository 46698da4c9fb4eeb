package io.quorate.install;

import io.quorate.QuorateException;
import io.quorate.store.server.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.codec.digest.MessageDigestAlgorithms;

/**
 * Installs a program from a file of the user: the executable, or an archive that has it. The user
 * vouches for it; only one that is called like a pinned archive must also have its checksum. Jars
 * come from an archive, and all of them are pinned.
 */
final class LocalArchive implements ProgramSource {
  private final Path file;
  private final Path modules;
  private final DownloadLimits limits;

  LocalArchive(Path file, Path modules, DownloadLimits limits) {
    this.file = file.toAbsolutePath().normalize();
    this.modules = modules;
    this.limits = limits;
  }

  @Override
  public String title() {
    return "the given file";
  }

  @Override
  public String supply(Program program, Path work, Path into) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new QuorateException(file + ": there is no file of that name");
    }
    if (program.isOfJars()) {
      return jars(program, into);
    }
    if (!Archive.is(file)) {
      Path executable = into.resolve(program.id());
      try (InputStream in = Files.newInputStream(file)) {
        Files.copy(DownloadLimits.bounded(in, limits.unpackedBytes(), file.toString()), executable);
      }
      Staging.makeExecutable(executable);
      return "file " + file;
    }
    verify(program);
    List<String> found = Archive.extract(file, program.executables(), into, limits.unpackedBytes());
    if (!found.contains(program.id())) {
      throw new QuorateException(
          file + ": there is no " + program.id() + " at the top of the archive");
    }
    return "archive " + file;
  }

  private String jars(Program program, Path into) throws IOException {
    List<String> wanted = PinnedChecksums.read(modules, program).files();
    if (file.toString().endsWith(".jar") || !Archive.is(file)) {
      throw new QuorateException(
          file + ": expected a .tar.gz or .zip with the " + wanted.size() + " jars of it");
    }
    Archive.extract(file, wanted, into, limits.unpackedBytes());
    return "archive " + file;
  }

  private void verify(Program program) throws IOException {
    Optional<String> pinned =
        PinnedChecksums.read(modules, program).of(file.getFileName().toString());
    if (pinned.isPresent()
        && !pinned
            .get()
            .equals(new DigestUtils(MessageDigestAlgorithms.SHA_256).digestAsHex(file))) {
      throw new QuorateException(
          file + ": its SHA-256 is not " + pinned.get() + ", which is pinned for that name");
    }
  }
}
