package io.quorate.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.flipkart.zjsonpatch.JsonPatch;
import com.flipkart.zjsonpatch.JsonPatchApplicationException;
import io.quorate.FileFailure;
import io.quorate.QuorateException;
import io.quorate.VisibleText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Builds manifests from a directory with a {@code kustomization.yaml} as {@code kubectl kustomize}
 * does. Of its format it knows what the directories in {@code src/kubernetes} use: resources, and
 * patches that delete a resource or change one by RFC 6902 (JSON Patch).
 */
final class Kustomization {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> KEYS = Set.of("apiVersion", "kind", "resources", "patches");

  private final List<KubernetesObject> manifests = new ArrayList<>();

  /** Adds the resources of a directory, or applies its patches if it is a component. */
  void add(Path directory) {
    Path file = directory.resolve("kustomization.yaml");
    for (Object document : documents(file)) {
      Map<?, ?> content = (Map<?, ?>) document;
      if (!KEYS.containsAll(content.keySet())) {
        throw damaged(file, "found " + content.keySet() + ", expected " + KEYS);
      }
      list(content, "resources").forEach(each -> resource(directory.resolve(each.toString())));
      list(content, "patches").forEach(each -> patch(directory, (Map<?, ?>) each));
    }
  }

  /** Returns all manifests, in the order in which they were added. */
  List<KubernetesObject> manifests() {
    return List.copyOf(manifests);
  }

  private static List<?> list(Map<?, ?> content, String key) {
    return content.get(key) instanceof List<?> list ? list : List.of();
  }

  private void resource(Path path) {
    if (Files.isDirectory(path)) {
      add(path);
    } else {
      documents(path).forEach(each -> manifests.add(KubernetesObject.of(each)));
    }
  }

  private void patch(Path directory, Map<?, ?> patch) {
    Path file = directory.resolve(patch.get("path").toString());
    for (Object document : documents(file)) {
      if (patch.get("target") instanceof Map<?, ?> target) {
        String kind = target.get("kind").toString();
        KubernetesObject found = manifest(file, kind, target.get("name").toString());
        manifests.set(manifests.indexOf(found), changed(file, found, document));
      } else if (document instanceof Map<?, ?> map && "delete".equals(map.get("$patch"))) {
        KubernetesObject deleted = KubernetesObject.of(document);
        manifests.remove(manifest(file, deleted.kind(), deleted.name()));
      } else {
        throw damaged(file, "expected a target, or $patch: delete");
      }
    }
  }

  private KubernetesObject manifest(Path file, String kind, String name) {
    return manifests.stream()
        .filter(each -> each.is(kind, name))
        .findFirst()
        .orElseThrow(() -> damaged(file, "there is no " + kind + " " + name));
  }

  private static KubernetesObject changed(Path file, KubernetesObject manifest, Object patch) {
    try {
      JsonNode changed =
          JsonPatch.apply(JSON.valueToTree(patch), JSON.valueToTree(manifest.content()));
      return KubernetesObject.of(JSON.convertValue(changed, Map.class));
    } catch (JsonPatchApplicationException wrong) {
      throw damaged(file, wrong.getMessage());
    }
  }

  private static List<Object> documents(Path file) {
    try {
      List<Object> documents = new ArrayList<>();
      new Load(LoadSettings.builder().setLabel(file.toString()).build())
          .loadAllFromString(Files.readString(file))
          .forEach(documents::add);
      return documents;
    } catch (IOException impossible) {
      throw damaged(file, FileFailure.reason(impossible));
    } catch (YamlEngineException wrong) {
      throw damaged(file, wrong.getMessage());
    }
  }

  private static QuorateException damaged(Path file, String what) {
    return new QuorateException(
        "%s: cannot be used, though it came with Quorate: %s"
            .formatted(VisibleText.of(file.toString()), VisibleText.of(what)));
  }
}
