package io.quorate.kubernetes;

import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Locale;
import java.util.Map;

/**
 * The manifests of a run.
 *
 * @param values for the template, by name; options that were not given are missing
 */
record RunManifests(Map<String, Object> values) {
  /** Returns the manifests as YAML. */
  String yaml() {
    Configuration configuration = new Configuration(Configuration.VERSION_2_3_34);
    configuration.setClassForTemplateLoading(RunManifests.class, "");
    configuration.setDefaultEncoding("UTF-8");
    configuration.setLocale(Locale.ROOT);
    configuration.setNumberFormat("c");
    configuration.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
    configuration.setLogTemplateExceptions(false);
    StringWriter text = new StringWriter();
    try {
      configuration.getTemplate("run.yaml.ftl").process(values, text);
    } catch (IOException | TemplateException impossible) {
      throw new IllegalStateException(impossible);
    }
    return text.toString();
  }
}
