<#-- What a comparison of runs says, as one HTML file that needs no other. -->
<#import "document.ftl" as document>
<#import "strip.ftl" as strip>
<#import "plots.ftl" as pictures>
<#assign scripts = page.scripts>
<#macro lines list>
<ul>
<#list list as each>
<li>${each}</li>
</#list>
</ul>
</#macro>
<@document.start title=page.title scripts=scripts styles=["comparison.css"] charts=true/>
<header>
<h1>${page.title}</h1>
</header>
<main>
<#list page.sections as section>
<section aria-labelledby="candidate-${section?counter}">
<h2 id="candidate-${section?counter}"><#if section.title?has_content>${section.title}: ${section.counts}<#else>Changes</#if></h2>
<#list section.sides as side>
<p class="parameters">${side}</p>
</#list>
<#if section.gate?has_content>
<ul class="gate"><#list section.gate as line><li<#if line.state?has_content> class="${line.state}"</#if>>${line.text}</li></#list></ul>
</#if>
<#if section.differences?has_content>
<h3>Not comparable</h3>
<p>The two were compared as requested, although these conditions differ:</p>
<@lines section.differences/>
</#if>
<#assign hasIntervals = section.groups?filter(group -> group.rows?filter(row -> row.interval?has_content)?has_content)?has_content>
<div class="wide" role="region" aria-labelledby="candidate-${section?counter}" tabindex="0">
<table class="changes">
<thead>
<tr><td></td><th scope="col">baseline</th><th scope="col">candidate</th><th scope="col">change</th><th scope="col" class="strip" aria-label="Interval"><@strip.axis section.strip/></th><#if hasIntervals><th scope="col" class="more">95% interval</th></#if><#if section.hasBand><th scope="col" class="more">A/A</th></#if><th scope="col" class="text">verdict</th></tr>
</thead>
<#list section.groups as group>
<tbody>
<tr class="group"><th scope="rowgroup" colspan="${6 + hasIntervals?then(1, 0) + section.hasBand?then(1, 0)}">${group.title}</th></tr>
<#list group.rows as row>
<tr<#if row.state?has_content> class="${row.state}"</#if>><th scope="row">${row.metric}</th><td title="${row.baselineRange}">${row.baseline.text}<#if row.baseline.ratio()?has_content> <small class="ratio">${row.baseline.ratio()}</small></#if></td><td title="${row.candidateRange}">${row.candidate.text}<#if row.candidate.ratio()?has_content> <small class="ratio">${row.candidate.ratio()}</small></#if></td><td>${row.change}</td><td class="strip"><#list row.picture as at><@strip.row strip=section.strip words=(row.change + row.interval?has_content?then(" (" + row.interval + ")", "")) height=18><line x1="${at.zero}%" x2="${at.zero}%" y1="0" y2="18" stroke="currentColor" stroke-opacity=".6"/><line x1="${at.low}%" x2="${at.high}%" y1="9" y2="9" stroke="currentColor" stroke-width="3"/><circle cx="${at.estimate}%" cy="9" r="4" fill="currentColor"/></@strip.row></#list></td><#if hasIntervals><td class="more">${row.interval}</td></#if><#if section.hasBand><td class="more">${row.band}</td></#if><td class="text">${row.verdict}</td></tr>
</#list>
</tbody>
</#list>
</table>
</div>
<#if section.obstacles?has_content>
<p class="legend">Not compared: <#list section.obstacles as why>${why}<#sep>; </#list>.</p>
</#if>
<#if section.warnings?has_content>
<details open>
<summary><h3>Warnings (${section.warnings?size})</h3></summary>
<@lines section.warnings/>
</details>
</#if>
</section>
</#list>
<p class="legend">Picture: the change as a dot, its interval as a line, on a logarithmic axis around no change; without a picture, a value is not compared. Values are medians over runs; point at one for its range. Small numbers: ratio to the better side. Change: Hodges-Lehmann estimate over runs. A change is colored if its whole interval is beyond the threshold, after a correction for the number of all changes of the database; with fewer than four runs of a side, if each run of one side differs from each of the other by more than 10%. The A/A band decides nothing.</p>

<#if page.plots?has_content>
<@pictures.all page.plots "The run with the median throughput of each side."/>
</#if>

<section id="reproduce" aria-labelledby="reproduce-title">
<h2 id="reproduce-title">Reproduce</h2>
<pre class="wide" role="region" aria-label="Command" tabindex="0"><code>${page.command}</code></pre>
<p>For programs: <#list page.sections as section><#assign number><#if section?counter gt 1>-${section?counter}</#if></#assign><a href="comparison${number}.json">comparison${number}.json</a>, </#list>for a pull request: <#list page.sections as section><#assign number><#if section?counter gt 1>-${section?counter}</#if></#assign><a href="comparison${number}.md">comparison${number}.md</a><#sep>, </#list>.</p>
</section>
</main>
<@document.end scripts/>
