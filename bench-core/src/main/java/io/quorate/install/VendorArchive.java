package io.quorate.install;

import io.quorate.QuorateException;
import io.quorate.store.server.Program;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Installs a program from its vendor's release archive, from the vendor or from a mirror. Nothing
 * is fetched unless its checksum is pinned.
 */
final class VendorArchive implements ProgramSource {
  private final Path modules;
  private final Optional<Mirror> mirror;
  private final Platform platform;
  private final Download download;
  private final DownloadLimits limits;

  VendorArchive(
      Path modules,
      Optional<Mirror> mirror,
      Platform platform,
      DownloadLimits limits,
      InstallOutput console) {
    this.modules = modules;
    this.mirror = mirror;
    this.platform = platform;
    this.download = new Download(console, limits);
    this.limits = limits;
  }

  @Override
  public String title() {
    return "release archive";
  }

  @Override
  public String supply(Program program, Path work, Path into) throws IOException {
    Program.Vendor vendor =
        program
            .vendor()
            .orElseThrow(() -> new QuorateException("the vendor of " + program.id() + " has none"));
    String name = name(program, vendor);
    String sha256 =
        PinnedChecksums.read(modules, program)
            .of(name)
            .orElseThrow(
                () ->
                    new QuorateException(
                        String.format(
                            "no checksum is pinned for %s %s %s-%s: see src/databases/README.md,"
                                + " how to pin one",
                            program.id(), program.version(), platform.os(), platform.arch())));
    String base = mirror.map(each -> each.base(program)).orElse(vendor.base());
    URI address = URI.create(base + "/" + fill(vendor.directory(), program) + "/" + name);
    Path archive = work.resolve("archive");
    download.fetch(address, sha256, archive);
    List<String> missing = new ArrayList<>(program.executables());
    missing.removeAll(
        Archive.extract(archive, program.executables(), into, limits.unpackedBytes()));
    if (!missing.isEmpty()) {
      throw new QuorateException(address + ": the archive has no " + String.join(", ", missing));
    }
    return "archive " + address;
  }

  private String name(Program program, Program.Vendor vendor) {
    String ending = platform.os().equals("linux") ? vendor.linuxEnding() : "zip";
    return fill(vendor.name(), program) + "." + ending;
  }

  private String fill(String text, Program program) {
    return text.replace("{version}", program.version())
        .replace("{os}", platform.os())
        .replace("{arch}", platform.arch());
  }
}
