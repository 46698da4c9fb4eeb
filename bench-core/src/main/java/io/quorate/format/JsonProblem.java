// SPDX-License-Identifier: Apache-2.0
package io.quorate.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is wrong with a text that is to be a value of a type: the path of the field, what was found,
 * and what was expected.
 */
record JsonProblem(JsonMapper mapper, JsonProcessingException wrong, String text) {
  private static final String INT = "a whole number from -2^31 to 2^31 - 1";
  private static final String LONG = "a whole number from -2^63 to 2^63 - 1";

  /** What is expected of a value of a type, for messages. */
  private static final Map<Class<?>, String> EXPECTED =
      Map.ofEntries(
          Map.entry(String.class, "text"),
          Map.entry(Instant.class, "a time from 1970 to 2262 such as 2026-11-21T07:51:46Z"),
          Map.entry(Duration.class, "a duration up to 292 years such as PT5S"),
          Map.entry(boolean.class, "true or false"),
          Map.entry(Boolean.class, "true or false"),
          Map.entry(BigDecimal.class, "a number"),
          Map.entry(double.class, "a number"),
          Map.entry(Double.class, "a number"),
          Map.entry(int.class, INT),
          Map.entry(long.class, LONG),
          Map.entry(Long.class, LONG));

  @Override
  public String toString() {
    if (!(wrong instanceof JsonMappingException mapping)) {
      return "found no complete JSON: " + reason(wrong);
    }
    String field = field(mapping);
    for (Throwable cause = wrong; cause != null; cause = cause.getCause()) {
      if (cause instanceof IllegalArgumentException || cause instanceof QuorateException) {
        return field + cause.getMessage();
      }
      if (cause instanceof InputCoercionException number) {
        return found(field, mapping) + expected(mapper.constructType(number.getTargetType()));
      }
      if (cause instanceof JsonProcessingException broken
          && !(cause instanceof JsonMappingException)) {
        return "found no complete JSON: " + reason(broken);
      }
    }
    if (wrong instanceof UnrecognizedPropertyException unknown) {
      return field
          + "found a field that is not known, expected "
          + unknown.getKnownPropertyIds().stream()
              .sorted(Comparator.comparing(String::valueOf))
              .toList();
    }
    return found(field, mapping)
        + (wrong instanceof InvalidTypeIdException type
            ? expected(type.getBaseType())
            : wrong instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
                ? expected(mapper.constructType(mismatch.getTargetType()))
                : "the end of the file");
  }

  /** Returns the reason of a syntax error without details that concern only programmers. */
  private static String reason(JsonProcessingException malformed) {
    return VisibleText.line(
        String.valueOf(malformed.getOriginalMessage())
            .replaceAll(",? ?from `[^`]*`", "")
            .replaceAll(" ?\\(start marker at .*", "")
            .replaceAll("\\s+", " "));
  }

  /** Returns the path of the wrong field, such as {@code members[0].servers[1].pid: }. */
  private static String field(JsonMappingException wrong) {
    StringBuilder field = new StringBuilder();
    for (JsonMappingException.Reference part : wrong.getPath()) {
      if (part.getFieldName() != null) {
        field.append(field.isEmpty() ? "" : ".").append(part.getFieldName());
      } else if (part.getIndex() >= 0) {
        field.append('[').append(part.getIndex()).append(']');
      }
    }
    return field.isEmpty() ? "" : field + ": ";
  }

  private String found(String field, JsonMappingException mapping) {
    try {
      JsonNode node = mapper.readTree(text);
      for (JsonMappingException.Reference part : mapping.getPath()) {
        if (part.getFieldName() != null) {
          node = node.path(part.getFieldName());
        } else if (part.getIndex() >= 0) {
          node = node.path(part.getIndex());
        }
      }
      String shown =
          switch (node.getNodeType()) {
            case MISSING -> "nothing";
            case OBJECT -> "{...}";
            case ARRAY -> "[...]";
            case STRING -> "the text '" + VisibleText.line(node.textValue()) + "'";
            default -> VisibleText.line(node.toString());
          };
      return field + "found " + shown + ", expected ";
    } catch (JsonProcessingException broken) {
      return field + "found no complete JSON, expected ";
    }
  }

  private String expected(JavaType type) {
    if (type.isReferenceType()) {
      return expected(type.getContentType() == null ? type : type.getContentType());
    }
    if (type.isCollectionLikeType()) {
      return "[...]";
    }
    if (type.isEnumType()) {
      return Arrays.stream(type.getRawClass().getEnumConstants())
          .map(each -> mapper.convertValue(each, String.class))
          .collect(Collectors.joining(", ", "one of ", ""));
    }
    Class<?> raw = type.getRawClass();
    if (raw.isSealed()) {
      return Arrays.stream(raw.getPermittedSubclasses())
          .map(
              each ->
                  Arrays.stream(each.getRecordComponents())
                      .map(RecordComponent::getName)
                      .toList()
                      .toString())
          .collect(Collectors.joining(" or ", "the fields ", ""));
    }
    return EXPECTED.getOrDefault(raw, "{...}");
  }
}
