package io.quorate.scenario.yaml;

import java.nio.file.Path;

/**
 * A scenario file that was found.
 *
 * @param path where it is
 * @param shown what to call it before the person who named it: the path from where the person is,
 *     or from the home of Quorate for one that comes with it
 */
public record ScenarioFile(Path path, String shown) {}
