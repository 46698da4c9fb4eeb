// SPDX-License-Identifier: Apache-2.0
package io.quorate.store.server;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A program that a store or its measurement needs. {@code ./quorate install} takes it from the
 * vendor's archive, builds it from {@code src/databases/<id>/go.mod}, or fetches its jars as {@code
 * src/databases/<id>/pom.xml} pins them.
 *
 * @param id name without a version
 * @param version version that is installed; empty if {@link #isInstallable()} is false
 * @param answer pattern of its output for {@code --version}; the first group, if there is one, is
 *     the version
 * @param packages packages to build; the first is the program itself, the others are installed next
 *     to it
 * @param vendor vendor that publishes archives of it, if there is one
 * @param source address of its source code, for users who have to build it
 * @param inVersion whether only this version of its executable is accepted
 * @param isOfJars whether it consists of jars, which a Java virtual machine runs
 */
public record Program(
    String id,
    String version,
    Licence licence,
    Pattern answer,
    List<GoPackage> packages,
    Optional<Vendor> vendor,
    String source,
    boolean inVersion,
    boolean isOfJars) {
  /** An executable and the Go package that it is built from. */
  public record GoPackage(String executable, String path) {}

  /**
   * The place of a vendor's release archives. In the texts, {@code {version}}, {@code {os}} and
   * {@code {arch}} are replaced.
   *
   * @param base address, without a slash at the end
   * @param directory directory of one version, below the base
   * @param name name of the archive, without its ending
   * @param linuxEnding ending of the archive for Linux; other archives end with {@code zip}
   */
  public record Vendor(String base, String directory, String name, String linuxEnding) {}

  /** Describes a program that can be installed, and is accepted in any version. */
  public Program(
      String id,
      String version,
      Licence licence,
      String answer,
      List<GoPackage> packages,
      Optional<Vendor> vendor) {
    this(id, version, licence, Pattern.compile(answer), packages, vendor, "", false, false);
  }

  /** Describes a program that the user has to build from the source at an address. */
  public static Program builtByHand(String id, Licence licence, String source) {
    return new Program(
        id, "", licence, Pattern.compile(""), List.of(), Optional.empty(), source, false, false);
  }

  /**
   * Describes a version of a program of jars, which its pinned module lists; its main jar has its
   * id.
   */
  public static Program ofJars(String id, String version, Licence licence) {
    return new Program(
        id, version, licence, Pattern.compile(""), List.of(), Optional.empty(), "", true, true);
  }

  /**
   * Returns another version of this program. It is installed next to this one, and has a separate
   * variable and pinned module.
   */
  public Program inVersion(String other) {
    return new Program(id, other, licence, answer, packages, vendor, source, true, isOfJars);
  }

  /**
   * Returns the name on the command line: its id, with the version if it is not the default one.
   */
  public String name() {
    return inVersion ? id + "@" + version : id;
  }

  /** Returns whether it is the user's own program, whose version is a name. */
  public boolean isOwn() {
    return inVersion && !version.matches("[0-9].*");
  }

  /** Returns the directory of its pinned module below {@code src/databases}. */
  public String module() {
    return inVersion ? id + "-" + version : id;
  }

  /** Returns the version of its Go modules. */
  public String release() {
    return "v" + version;
  }

  /** Returns the name of its main file: an executable, or a jar that has others next to it. */
  public String file() {
    return isOfJars ? id + "-" + version + ".jar" : id;
  }

  /** Returns whether {@code ./quorate install} knows a source of it. */
  public boolean isInstallable() {
    return isOfJars || !packages.isEmpty();
  }

  /** Returns the names of all executables that are installed; the first is the program itself. */
  public List<String> executables() {
    return packages.stream().map(GoPackage::executable).toList();
  }

  /** Returns the environment variable that names an executable, or a jar, to use instead. */
  public String variable() {
    return "QUORATE_" + name().toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }

  /** Returns the message for a user whose machine lacks the program. */
  public String missing() {
    if (inVersion) {
      return "%s is not installed: run ./quorate install %s%s (or set %s)"
          .formatted(name(), name(), isOwn() ? " --from FILE" : "", variable());
    }
    return isInstallable()
        ? "%s is not installed: run ./quorate install %s (or put %s on PATH, or set %s)"
            .formatted(id, id, id, variable())
        : "%s is missing: %s".formatted(id, howToGet());
  }

  public String howToGet() {
    return isInstallable()
        ? "run ./quorate install %s".formatted(name())
        : "Quorate cannot install it; build it from %s, then put it on PATH or set %s"
            .formatted(source, variable());
  }

  /**
   * Returns the reason why a database that needs these programs cannot be run; there must be at
   * least one.
   */
  public static String missing(List<Program> programs) {
    List<Program> installable = programs.stream().filter(Program::isInstallable).toList();
    if (installable.size() < 2) {
      return programs.stream().map(Program::missing).collect(Collectors.joining("; "));
    }
    String ids = installable.stream().map(Program::id).collect(Collectors.joining(" "));
    return "%s are not installed: run ./quorate install %s (or put them on PATH, or set %s)"
        .formatted(
            ids.replace(" ", " and "),
            ids,
            installable.stream().map(Program::variable).collect(Collectors.joining(" and ")));
  }

  @Override
  public String toString() {
    return id;
  }

  /**
   * The license of a program.
   *
   * @param id SPDX identifier of the license of the installed version
   * @param earlier license of earlier versions, if it was another one
   * @param note additional remark, a sentence without a full stop
   */
  public record Licence(String id, Optional<Earlier> earlier, Optional<String> note) {
    /** The license of earlier versions, as the program reports them. */
    public record Earlier(String id, Predicate<String> versions) {}

    public static final Licence APACHE =
        new Licence("Apache-2.0", Optional.empty(), Optional.empty());

    /** Returns the SPDX identifier of the license of a version, as the program reports it. */
    public String of(String reported) {
      return earlier.filter(other -> other.versions().test(reported)).map(Earlier::id).orElse(id);
    }
  }
}
