// SPDX-License-Identifier: Apache-2.0
package io.quorate.scenario.yaml;

import java.nio.file.Path;

/**
 * An existing scenario file.
 *
 * @param shown name of the file in messages: its path relative to the working directory, or to
 *     Quorate's home for a bundled scenario
 */
public record ScenarioFile(Path path, String shown) {}
