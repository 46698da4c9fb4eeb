package io.quorate.format;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.quorate.DiskSpace;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import io.quorate.tls.SafePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A small JSON file with which one process of this user passes state to a later one. It is believed
 * only if nobody else can have written it.
 */
public final class StateFile {
  private static final int MOST_BYTES = 1 << 20;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .defaultSetterInfo(JsonSetter.Value.construct(Nulls.FAIL, Nulls.FAIL))
          .withCoercionConfig(
              LogicalType.Textual,
              text ->
                  text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .build();

  private final Path path;

  public StateFile(Path path) {
    this.path = path;
  }

  /** Returns whether there is an entry of that name. */
  public boolean exists() {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Reads the file; empty if it does not exist.
   *
   * @throws QuorateException with file, line, column, what was found and what was expected, if it
   *     is not of this user or does not hold such a thing
   */
  public <T> Optional<T> read(Class<T> type) {
    try {
      checkFile();
      byte[] content;
      try (var in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
        content = in.readNBytes(MOST_BYTES + 1);
      }
      if (content.length > MOST_BYTES) {
        throw wrong("", "found more than " + MOST_BYTES + " bytes, expected a small file");
      }
      return Optional.of(parse(content, type));
    } catch (NoSuchFileException missing) {
      return Optional.empty();
    } catch (IOException failure) {
      throw new QuorateException(
          shown() + ": cannot be read: " + FileFailure.reason(failure), failure);
    }
  }

  private void checkFile() throws IOException {
    Map<String, Object> found =
        Files.readAttributes(path, "unix:uid,permissions,fileKey", LinkOption.NOFOLLOW_LINKS);
    if (Files.isSymbolicLink(path)) {
      throw wrong("", "found a symbolic link, expected a file");
    }
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw wrong("", "found a directory, expected a file");
    }
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw wrong("", "found a pipe or a device, expected a file");
    }
    int user = SafePath.thisUser();
    if ((Integer) found.get("uid") != user) {
      throw wrong("", "found a file of user " + found.get("uid") + ", expected one of " + user);
    }
    Set<PosixFilePermission> permissions =
        Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
    if (permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw wrong("", "found a file that everybody may write, expected that only you may");
    }
  }

  private <T> T parse(byte[] content, Class<T> type) throws IOException {
    try {
      T value = JSON.readValue(content, type);
      if (value == null) {
        throw wrong(":1:1", "found null, expected {...}");
      }
      return value;
    } catch (JsonMappingException wrong) {
      throw wrong(at(wrong.getLocation()), problem(wrong, content));
    } catch (JsonParseException wrong) {
      throw wrong(at(wrong.getLocation()), "found no JSON: " + wrong.getOriginalMessage());
    }
  }

  private static String problem(JsonMappingException wrong, byte[] content) {
    String field = field(wrong);
    for (Throwable cause = wrong; cause != null; cause = cause.getCause()) {
      if (cause instanceof IllegalArgumentException || cause instanceof QuorateException) {
        return field + cause.getMessage();
      }
      if (cause instanceof JsonParseException broken) {
        return "found no JSON: " + broken.getOriginalMessage();
      }
    }
    if (wrong instanceof UnrecognizedPropertyException unknown) {
      return field
          + "found a field that is not known, expected "
          + unknown.getKnownPropertyIds().stream()
              .sorted(Comparator.comparing(String::valueOf))
              .toList();
    }
    return field
        + "found "
        + found(wrong, content)
        + ", expected "
        + (wrong instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
            ? expected(JSON.constructType(mismatch.getTargetType()))
            : "something else");
  }

  /** Returns the path of the wrong field, such as {@code members[0].servers[1].pid: }. */
  private static String field(JsonMappingException wrong) {
    StringBuilder field = new StringBuilder();
    for (JsonMappingException.Reference part : wrong.getPath()) {
      if (part.getFieldName() == null) {
        field.append('[').append(part.getIndex()).append(']');
      } else {
        field.append(field.isEmpty() ? "" : ".").append(part.getFieldName());
      }
    }
    return field.isEmpty() ? "" : field + ": ";
  }

  private static String found(JsonMappingException wrong, byte[] content) {
    try {
      JsonNode node = JSON.readTree(content);
      for (JsonMappingException.Reference part : wrong.getPath()) {
        node =
            part.getFieldName() == null
                ? node.path(part.getIndex())
                : node.path(part.getFieldName());
      }
      return switch (node.getNodeType()) {
        case MISSING -> "nothing";
        case OBJECT -> "{...}";
        case ARRAY -> "[...]";
        case STRING -> "the text '" + node.textValue() + "'";
        default -> node.toString();
      };
    } catch (IOException broken) {
      return "no JSON";
    }
  }

  private static String expected(JavaType type) {
    if (type.isCollectionLikeType()) {
      return "[...]";
    }
    if (type.hasRawClass(String.class)) {
      return "text";
    }
    if (type.hasRawClass(boolean.class)) {
      return "true or false";
    }
    return type.isPrimitive() ? "a whole number" : "{...}";
  }

  private static String at(JsonLocation location) {
    return location == null
        ? ""
        : ":" + Math.max(1, location.getLineNr()) + ":" + Math.max(1, location.getColumnNr());
  }

  private QuorateException wrong(String at, String what) {
    return new QuorateException(shown() + at + ": " + VisibleText.line(what));
  }

  private String shown() {
    return VisibleText.line(path.toString());
  }

  /** Replaces the file, in one step; only this user may read and write it. */
  public void write(Object value) {
    Path part = path.resolveSibling(path.getFileName() + ".part");
    try {
      Files.createDirectories(path.getParent());
      Files.deleteIfExists(part);
      Files.createFile(
          part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(part, JSON.writeValueAsBytes(value), StandardOpenOption.WRITE);
      Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      throw new QuorateException(DiskSpace.unwritable(path, failure), failure);
    }
  }

  /** Removes the file if it exists. */
  public void delete() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException failure) {
      throw new QuorateException(
          shown() + ": cannot be removed: " + FileFailure.reason(failure), failure);
    }
  }
}
