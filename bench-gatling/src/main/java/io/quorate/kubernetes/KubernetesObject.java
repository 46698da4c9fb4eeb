package io.quorate.kubernetes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;

/**
 * The manifest of one object of Kubernetes, which can be changed.
 *
 * @param content maps, lists and plain values, as they are in YAML
 */
record KubernetesObject(Map<String, Object> content) {
  @SuppressWarnings("unchecked")
  static KubernetesObject of(Object document) {
    return new KubernetesObject((Map<String, Object>) document);
  }

  String kind() {
    return (String) content.get("kind");
  }

  String name() {
    return (String) at("metadata").get("name");
  }

  boolean is(String kind, String name) {
    return kind().equals(kind) && name().equals(name);
  }

  /** Returns the map at these keys, where numbers are places in lists. */
  @SuppressWarnings("unchecked")
  Map<String, Object> at(Object... keys) {
    Object found = content;
    for (Object key : keys) {
      found =
          key instanceof Integer index
              ? ((List<?>) found).get(index)
              : ((Map<?, ?>) found).get(key);
    }
    return (Map<String, Object>) found;
  }

  /**
   * Returns a copy with other texts.
   *
   * @param other returns the text that takes the place of one, from its key and from the text; that
   *     of a list's entry has the key of the list
   */
  KubernetesObject with(BinaryOperator<String> other) {
    return of(replaced("", content, other));
  }

  private static Object replaced(String key, Object value, BinaryOperator<String> other) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> copy = new LinkedHashMap<>();
      map.forEach((name, each) -> copy.put((String) name, replaced((String) name, each, other)));
      return copy;
    }
    if (value instanceof List<?> list) {
      return list.stream().map(each -> replaced(key, each, other)).toList();
    }
    return value instanceof String text ? other.apply(key, text) : value;
  }
}
