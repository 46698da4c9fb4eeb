// SPDX-License-Identifier: Apache-2.0
package io.quorate.jenkins;

import com.lesfurets.jenkins.unit.PipelineTestHelper;
import groovy.lang.Binding;
import groovy.lang.Closure;
import groovy.lang.Script;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs a Jenkinsfile with JenkinsPipelineUnit, whose version here knows steps but not declarative
 * pipelines: what those mean (stages one after the other, none after one that failed, {@code post}
 * whatever happened) is said here.
 */
final class Pipeline {
  static final String SUCCESS = "SUCCESS";
  static final String UNSTABLE = "UNSTABLE";
  static final String FAILURE = "FAILURE";
  static final String ABORTED = "ABORTED";

  private final PipelineTestHelper helper = new PipelineTestHelper();
  private final Binding binding = new Binding();
  private final List<String> causes = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private final List<String> scripts = new ArrayList<>();
  private final Map<String, Map<?, ?>> parameters = new LinkedHashMap<>();
  private final Map<String, Object> given = new HashMap<>();
  private final List<Closure<?>> posts = new ArrayList<>();
  private Consumer<String> shell = script -> {};
  private final Set<String> absent = new HashSet<>();
  private final Map<String, Object> json = new HashMap<>();
  private String output = "";
  private String broken = "";
  private final Map<String, Integer> exitCodes = new LinkedHashMap<>();
  private String result = SUCCESS;

  /** True if no further stage begins. */
  private boolean over;

  /**
   * @param shell is given each script, and may fail or abort
   */
  Pipeline shell(Consumer<String> shell) {
    this.shell = shell;
    return this;
  }

  /** Takes away the plugin that has a step. */
  Pipeline without(String step) {
    absent.add(step);
    return this;
  }

  /**
   * @param output of every script whose output is asked for
   */
  Pipeline output(String output) {
    this.output = output;
    return this;
  }

  /**
   * @param broken output of the script that reads test results
   */
  Pipeline broken(String broken) {
    this.broken = broken;
    return this;
  }

  /**
   * @param part text of the scripts that end with the exit code, if it is asked for; others end
   *     with 0
   */
  Pipeline exitCode(String part, int exitCode) {
    exitCodes.put(part, exitCode);
    return this;
  }

  /** The only files of the workspace that are looked for. */
  Pipeline file(String path, Object content) {
    json.put(path, content);
    return this;
  }

  Pipeline parameter(String name, Object value) {
    given.put(name, value);
    return this;
  }

  /** Starts it at the time of its trigger. */
  Pipeline byTimer() {
    causes.add("hudson.triggers.TimerTrigger$TimerTriggerCause");
    return this;
  }

  /** The build of a pipeline, and the classes of its causes. */
  public record Build(List<String> causes) {
    public List<String> getBuildCauses(String type) {
      return causes.stream().filter(type::equals).toList();
    }
  }

  /** Runs it as Jenkins would. */
  Pipeline run(Path jenkinsfile) {
    helper.setScriptRoots(jenkinsfile.getParent().toString());
    helper.setScriptExtension("");
    helper.setBaseScriptRoot("");
    helper.setBaseClassloader(Pipeline.class.getClassLoader());
    helper.init();
    blocks();
    steps();
    binding.setVariable("any", "any");
    binding.setVariable("params", given);
    binding.setVariable("currentBuild", new Build(causes));
    binding.setVariable("env", Map.of("JOB_NAME", "folder/job"));
    Script script = helper.loadScript(jenkinsfile.getFileName().toString(), binding);
    helper.runScript(script);
    return this;
  }

  private void blocks() {
    for (String plain :
        List.of("parameters", "options", "environment", "script", "always", "when", "triggers")) {
      block(plain, this::call);
    }
    block("expression", this::expression);
    block("stages", this::attempt);
    block("steps", this::attempt);
    block("pipeline", this::withPost);
    block("post", posts::add);
    method("stage", List.of(String.class, Closure.class), this::stage);
    method("catchError", List.of(Map.class, Closure.class), this::catchError);
    for (String inside : List.of("node", "dir")) {
      method(
          inside,
          List.of(String.class, Closure.class),
          arguments -> {
            log.add(inside + " " + arguments[0]);
            call((Closure<?>) arguments[1]);
          });
    }
    method("withEnv", List.of(List.class, Closure.class), this::withEnv);
    method("parallel", List.of(Map.class), arguments -> parallel((Map<?, ?>) arguments[0]));
  }

  /** The condition of a stage, which is its first part. */
  private void expression(Closure<?> condition) {
    if (!Boolean.TRUE.equals(helper.callClosure(condition))) {
      throw new Skipped();
    }
  }

  private void withEnv(Object... arguments) {
    log.add("with " + arguments[0]);
    call((Closure<?>) arguments[1]);
  }

  /** One after the other; all of them, even if one has failed. */
  private void parallel(Map<?, ?> branches) {
    RuntimeException first = null;
    for (Map.Entry<?, ?> branch : branches.entrySet()) {
      log.add("branch " + branch.getKey());
      try {
        call((Closure<?>) branch.getValue());
      } catch (Failed | Aborted ended) {
        first = first == null ? ended : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** A step of which only the name and the arguments are of interest. */
  private void step(String name) {
    for (List<Class<?>> types :
        List.of(
            List.<Class<?>>of(), List.<Class<?>>of(String.class), List.<Class<?>>of(Map.class))) {
      method(
          name,
          types,
          arguments -> {
            needs(name);
            log.add(arguments.length == 0 ? name : name + " " + arguments[0]);
          });
    }
  }

  private void stage(Object... arguments) {
    if (!over) {
      log.add("stage " + arguments[0]);
      try {
        withPost((Closure<?>) arguments[1]);
      } catch (Skipped skipped) {
        log.add("skipped");
      }
    }
  }

  /** Its post comes last, and even if one of its steps threw something. */
  private void withPost(Closure<?> body) {
    int outer = posts.size();
    call(body);
    List<Closure<?>> mine = List.copyOf(posts.subList(outer, posts.size()));
    posts.subList(outer, posts.size()).clear();
    mine.forEach(this::attempt);
  }

  private void attempt(Closure<?> body) {
    try {
      call(body);
    } catch (Aborted aborted) {
      over = true;
      result = ABORTED;
    } catch (Failed failed) {
      over = true;
      result = FAILURE;
    }
  }

  private void catchError(Object... arguments) {
    Map<?, ?> options = (Map<?, ?>) arguments[0];
    Object interruptions = options.get("catchInterruptions");
    Object failure = options.get("buildResult");
    try {
      call((Closure<?>) arguments[1]);
    } catch (Failed failed) {
      result = result.equals(ABORTED) ? ABORTED : failure == null ? FAILURE : failure.toString();
    } catch (Aborted aborted) {
      if (Boolean.FALSE.equals(interruptions)) {
        throw aborted;
      }
      result = ABORTED;
    }
  }

  private void steps() {
    for (String kind : List.of("choice", "string", "text", "booleanParam", "usernamePassword")) {
      function(kind, List.of(Map.class), arguments -> declare((Map<?, ?>) arguments[0]));
    }
    method("agent", List.of(String.class), arguments -> {});
    block("agent", this::call);
    method("label", List.of(String.class), arguments -> log.add("label '" + arguments[0] + "'"));
    method("cron", List.of(String.class), arguments -> log.add("cron " + arguments[0]));
    method("disableConcurrentBuilds", List.of(), arguments -> log.add("one build at a time"));
    method("logRotator", List.of(Map.class), arguments -> {});
    method("buildDiscarder", List.of(Object.class), arguments -> {});
    method("timeout", List.of(Map.class), arguments -> log.add("timeout " + arguments[0]));
    for (String inside : List.of("timeout", "withCredentials")) {
      Class<?> kind = inside.equals("timeout") ? Map.class : List.class;
      method(inside, List.of(kind, Closure.class), arguments -> inside(inside, arguments));
    }
    method("echo", List.of(String.class), arguments -> log.add("echo " + arguments[0]));
    method("error", List.of(String.class), arguments -> fail(arguments[0].toString()));
    method("sh", List.of(String.class), arguments -> sh(arguments[0].toString()));
    method("junit", List.of(Map.class), arguments -> log.add("junit " + arguments[0]));
    method("archiveArtifacts", List.of(Map.class), arguments -> log.add("archive " + arguments[0]));
    function("sh", List.of(Map.class), arguments -> answer((Map<?, ?>) arguments[0]));
    function("fileExists", List.of(String.class), arguments -> json.containsKey(arguments[0]));
    function("readJSON", List.of(Map.class), arguments -> readJson((Map<?, ?>) arguments[0]));
    for (String named :
        List.of(
            "copyArtifacts",
            "stash",
            "unstash",
            "deleteDir",
            "gatlingArchive",
            "publishHTML",
            "plot",
            "writeFile")) {
      step(named);
    }
  }

  /** A parameter of the pipeline, or credentials, which have other keys. */
  private Object declare(Map<?, ?> parameter) {
    if (parameter.containsKey("credentialsId")) {
      return parameter;
    }
    String name = parameter.get("name").toString();
    parameters.put(name, parameter);
    Object choices = parameter.get("choices");
    given.putIfAbsent(name, choices == null ? parameter.get("defaultValue") : first(choices));
    return null;
  }

  private void inside(String name, Object... arguments) {
    needs(name);
    log.add(name + " " + arguments[0]);
    call((Closure<?>) arguments[1]);
  }

  private void needs(String step) {
    if (absent.contains(step)) {
      throw new NoSuchMethodError("No such DSL method '" + step + "' found among steps");
    }
  }

  private Object readJson(Map<?, ?> arguments) {
    needs("readJSON");
    return json.get(arguments.get("file"));
  }

  private static Object first(Object choices) {
    return ((List<?>) choices).get(0);
  }

  private void fail(String message) {
    log.add("error " + message);
    throw new Failed();
  }

  private void sh(String script) {
    scripts.add(script);
    log.add("sh " + script.strip().lines().reduce("", (before, line) -> line.strip()));
    shell.accept(script);
  }

  /** Returns the exit code or the output of a script. */
  private Object answer(Map<?, ?> arguments) {
    String script = arguments.get("script").toString();
    sh(script);
    return arguments.containsKey("returnStatus")
        ? (Object) exitCode(script)
        : script.contains("junit.xml") ? broken : output;
  }

  private int exitCode(String script) {
    return exitCodes.entrySet().stream()
        .filter(each -> script.contains(each.getKey()))
        .mapToInt(Map.Entry::getValue)
        .findFirst()
        .orElse(0);
  }

  private void block(String name, Consumer<Closure<?>> meaning) {
    method(name, List.of(Closure.class), arguments -> meaning.accept((Closure<?>) arguments[0]));
  }

  private void call(Closure<?> body) {
    helper.callClosure(body);
  }

  private void method(String name, List<Class<?>> types, Consumer<Object[]> meaning) {
    function(
        name,
        types,
        arguments -> {
          meaning.accept(arguments);
          return null;
        });
  }

  /** JenkinsPipelineUnit has raw types. */
  @SuppressWarnings({"rawtypes", "unchecked"})
  private void function(String name, List<Class<?>> types, Function<Object[], Object> meaning) {
    helper.registerAllowedMethod(
        name,
        (List) types,
        new Closure<Object>(this) {
          private static final long serialVersionUID = 1L;

          @Override
          public Object call(Object... arguments) {
            return meaning.apply(arguments);
          }

          @Override
          public Class<?>[] getParameterTypes() {
            return types.toArray(Class<?>[]::new);
          }

          @Override
          public int getMaximumNumberOfParameters() {
            return types.size();
          }
        });
  }

  /** Returns what the steps did, in their order; of a script its last line. */
  List<String> log() {
    return log;
  }

  /** The shell scripts, in their order. */
  List<String> scripts() {
    return scripts;
  }

  /** Returns the declaration of a parameter. */
  Map<?, ?> declared(String parameter) {
    return parameters.get(parameter);
  }

  /** Returns the environment that the pipeline sets for its scripts. */
  String environment(String name) {
    return binding.getVariable(name).toString();
  }

  String result() {
    return result;
  }

  /** Thrown if the condition of a stage does not hold. */
  private static final class Skipped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Thrown by a step that fails. */
  static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
