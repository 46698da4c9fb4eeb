// SPDX-License-Identifier: Apache-2.0
package io.quorate.report.page;

import freemarker.core.HTMLOutputFormat;
import freemarker.core.TemplateClassResolver;
import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;

/** Fills the templates of pages and of junit.xml, which escape all texts. */
public final class PageTemplate {
  /** Parses each template once. */
  private static final Configuration TEMPLATES = configuration();

  private PageTemplate() {}

  private static Configuration configuration() {
    Configuration configuration = new Configuration(Configuration.VERSION_2_3_34);
    configuration.setClassForTemplateLoading(PageTemplate.class, "");
    configuration.setDefaultEncoding("UTF-8");
    configuration.setLocale(Locale.ROOT);
    configuration.setNumberFormat("c");
    configuration.setOutputFormat(HTMLOutputFormat.INSTANCE);
    configuration.setNewBuiltinClassResolver(TemplateClassResolver.ALLOWS_NOTHING_RESOLVER);
    configuration.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
    configuration.setLogTemplateExceptions(false);
    return configuration;
  }

  public static String html(String template, Record page) {
    StringWriter text = new StringWriter();
    try {
      TEMPLATES.getTemplate(template).process(Map.of("page", page), text);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    } catch (TemplateException wrong) {
      throw new IllegalStateException(wrong);
    }
    return text.toString();
  }
}
