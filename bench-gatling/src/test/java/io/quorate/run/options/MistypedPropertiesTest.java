package io.quorate.run.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.QuorateException;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MistypedPropertiesTest {
  private static final String OPTIONS =
      "\n"
          + "the options are -Dscenario, -Dscale, -Ddatabase, -Dendpoints, -Dagents, -Dagent.keys,"
          + " -Drun.name, -Dkeep.keys, -Dmetrics, -Drealtime, -Dresults, -Dcontinue, -Dretry, -Dtls.ca, -Dtls.certificate,"
          + " -Dtls.key,"
          + " -Dtls.name-check, -Dcredentials, -Dcapacity.limits, -Dcapacity.search,"
          + " -Dcapacity.continue, -Dcapacity.load, -Dcapacity.preload, -Dshard, -Dstart-at,"
          + " -Dbarrier, -Detcd.client, -Dconsul.client";

  @ParameterizedTest
  @CsvSource({
    "scenrio, scenario",
    "scenarios, scenario",
    "sceanrio, scenario",
    "Scenario, scenario",
    "SCENARIO, scenario",
    "s\u0441enario, scenario",
    "scenario.file, scenario",
    "scenario-name, scenario",
    "quorate.scenario, scenario",
    "scal, scale",
    "sacle, scale",
    "scale.factor, scale",
    "datbase, database",
    "databse, database",
    "databases, database",
    "data.base, database",
    "endpoint, endpoints",
    "endpionts, endpoints",
    "end-points, endpoints",
    "agent, agents",
    "agnets, agents",
    "agent.key, agent.keys",
    "agent-keys, agent.keys",
    "agentKeys, agent.keys",
    "agents.keys, agent.keys",
    "quorate.agent_keys, agent.keys",
    "capacity.limit, capacity.limits",
    "capacity.preloads, capacity.preload",
    "consul-client, consul.client",
    "consulClient, consul.client",
    "etcdClient, etcd.client",
    "consul.clinet, consul.client",
    "contineu, continue",
    "retry-failed, retry",
    "shards, shard",
    "shrad, shard",
    "result, results",
    "results.dir, results",
    "quorate.jvmargs, quorate.jvmArgs",
  })
  void what_is_like_an_option_is_refused(String name, String meant) {
    assertThatThrownBy(() -> MistypedProperties.refuse(properties(name)))
        .isInstanceOf(QuorateException.class)
        .hasMessage(
            "-D" + name + ": there is no such option; did you mean -D" + meant + "?" + OPTIONS);
  }

  @Test
  void all_of_them_are_told_at_once_and_fit_for_a_terminal() {
    assertThatThrownBy(
            () ->
                MistypedProperties.refuse(
                    properties("scenrio", "datab\u001base", "scal", "quorate.xyz", "scenario")))
        .hasMessage(
            """
            -Ddatab\\x1base: there is no such option; did you mean -Ddatabase?
            -Dquorate.xyz: there is no such option
            -Dscal: there is no such option; did you mean -Dscale?
            -Dscenrio: there is no such option; did you mean -Dscenario?\
            """
                + OPTIONS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scenario",
        "scale",
        "database",
        "endpoints",
        "agents",
        "agent.keys",
        "consul.client",
        "results",
        "quorate.home",
        "quorate.directory",
        "quorate.results",
        "quorate.jvmArgs",
        "quorate.run",
        "quorate.progress.seconds",
        "quorate.terminal",
        "gatling.simulationClass",
        "gatling.skip",
        "gatling.jvmArgs",
        "gatling.noReports",
        "gatling.conf.file",
        "gatling.resultsFolder",
        "maven.test.skip",
        "maven.repo.local",
        "skipTests",
        "test",
        "it.test",
        "scan",
        "sha1",
        "revision",
        "changelist",
        "style.color",
        "jansi.mode",
        "git.build.version",
        "git.dirty",
        "surefire.failIfNoSpecifiedTests",
        "spotless.check.skip",
        "checkstyle.skip",
        "user.agent",
        "http.agent",
        "javaagent",
        "require.databases",
        "require.chromium",
        "jmh.include",
        "file.encoding",
        "java.io.tmpdir",
        "settings.security",
        "altDeploymentRepository",
        "age",
        "datasource",
        "events",
        "output",
        "resources",
        "client",
        "keys",
        "arguments"
      })
  void what_belongs_to_others_is_left_alone(String name) {
    MistypedProperties.refuse(properties(name));
  }

  @Test
  void the_properties_of_this_jvm_are_left_alone() {
    Properties ours = new Properties();
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> !name.startsWith("quorate."))
        .forEach(name -> ours.setProperty(name, ""));
    assertThat(ours.stringPropertyNames()).contains("java.version");
    MistypedProperties.refuse(ours);
  }

  private static Properties properties(String... names) {
    Properties properties = new Properties();
    for (String name : names) {
      properties.setProperty(name, "x");
    }
    return properties;
  }
}
