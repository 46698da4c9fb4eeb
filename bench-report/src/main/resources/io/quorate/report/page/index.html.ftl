<#-- What a run says, as one HTML file that needs no other. -->
<#-- A number and its unit stay on one line. -->
<#function prose text>
<#return text?replace("([0-9]) (%|ms|s|[kMGTP]?B|times|cores?)\\b", "$1\xA0$2", "r")?replace("([0-9]) %", "$1\xA0%", "r")>
</#function>
<#macro sentences list><#list list as sentence>${prose(sentence)}<#sep> </#sep></#list></#macro>
<#macro facts list>
<dl>
<#list list as fact>
<div><dt>${fact.name}</dt><dd>${fact.value}</dd></div>
</#list>
</dl>
</#macro>
<#-- Attributes of the table count where styles are forbidden. -->
<#macro table id caption align table mark>
<div class="wide" role="region" aria-labelledby="${id}-caption" tabindex="0">
<table border="1" cellpadding="4">
<caption id="${id}-caption">${caption}</caption>
<thead>
<tr><td></td><#list table.columns as column><th scope="col">${column}</th></#list></tr>
</thead>
<tbody>
<#list table.rows as row>
<tr><th scope="row" align="left">${row.name}</th><#list row.cells as cell><td align="${align}"><#if cell.best>${mark} <b>${cell.text}</b><#else>${cell.text}</#if></td></#list></tr>
</#list>
</tbody>
</table>
</div>
</#macro>
<#function isBest table>
<#return table.rows?filter(row -> row.cells?filter(cell -> cell.best)?has_content)?has_content>
</#function>
<#macro notes table>
<#list table.notes as note>
<p class="legend">${note}</p>
</#list>
</#macro>
<#macro ratios table>
<div class="wide" role="region" aria-labelledby="overview-caption" tabindex="0">
<table border="1" cellpadding="4">
<caption id="overview-caption">${overviewCaption}</caption>
<thead>
<tr><td></td><#list table.columns as column><th scope="col">${column}</th></#list></tr>
</thead>
<#list table.groups as group>
<tbody>
<#if group.title?has_content>
<tr class="group"><th scope="rowgroup" colspan="${table.columns?size + 1}">${group.title}</th></tr>
</#if>
<#list group.rows as row>
<tr><th scope="row" align="left">${row.name}</th><#list row.cells as cell><td align="right"<#if cell.shade()?has_content> class="${cell.shade()}"</#if>><#if cell.best>${star} <b>${cell.text}</b><#else>${cell.text}</#if><#if cell.ratio()?has_content> <small class="ratio">${cell.ratio()}</small></#if></td></#list></tr>
</#list>
</tbody>
</#list>
</table>
</div>
</#macro>
<#macro plotfiles plot>
<#if plot.files?has_content>
<p class="links">Files: <#list plot.files as file><a href="${file.href}">${file.text}</a><#sep>, </#sep></#list></p>
</#if>
</#macro>
<#macro drawing plot>
<div class="plot" role="group" id="${plot.id}" aria-label="${plot.plot.title}">
<div class="picture">${plot.plot.svg?no_esc}</div>
<div class="caption">
<#nested>
</div>
</div>
</#macro>
<#macro firstplot>
<#list first as plot>
<@drawing plot>
<p><a href="#${plot.id}-more">Values and files</a></p>
</@drawing>
</#list>
</#macro>
<#assign scripts = page.scripts first = page.first() sections = page.sections() tie = page.tiePercent>
<#assign resultsCaption>Results of each database<#if page.capacities?has_content>, of the probe before the search</#if>.</#assign>
<#assign overviewCaption>Results and their ratios<#if page.capacities?has_content>, of the probe before the search</#if>.</#assign>
<#assign best><small>best</small></#assign>
<#assign star><small role="img" aria-label="best">★</small></#assign>
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; <#if scripts.hashes?has_content>script-src ${scripts.hashes?no_esc}; </#if>base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Quorate">
<title>${page.title}</title>
<style>
<#include "page.css">
<#if scripts.sources?has_content>
${scripts.styles?no_esc}
<#include "chart.css">
</#if>
</style>
</head>
<body>
<header>
<h1>${page.title}</h1>
<#if page.parameters?has_content>
<p class="parameters">${page.parameters}</p>
</#if>
<#if page.chips?has_content>
<ul class="chips"><#list page.chips as chip><li<#if chip.state?has_content> class="${chip.state}"</#if>>${chip.text}</li></#list></ul>
</#if>
<#list page.lost as sentence>
<p class="lost" role="alert"><b>${prose(sentence)}</b></p>
</#list>
</header>
<main>
<#if page.faults.verified?has_content>
<section id="faults" aria-labelledby="faults-title">
<h2 id="faults-title" class="unseen">Faults</h2>
<#list page.faults.problems as problem>
<p class="verdict">${prose(problem)}</p>
</#list>
<div class="wide" role="region" aria-labelledby="verified" tabindex="0">
<table border="1" cellpadding="4">
<caption id="verified">Violations of what the stores promise</caption>
<thead>
<tr><td></td><th scope="col">lost, stale or unexplained values</th><th scope="col">clients with compare-and-set</th><th scope="col">values of all members</th></tr>
</thead>
<tbody>
<#list page.faults.verified as row>
<tr><th scope="row" align="left">${row.database}</th><td align="right">${row.history}</td><td align="right">${row.contention}</td><td align="right">${row.members}</td></tr>
</#list>
</tbody>
</table>
</div>
<#list page.faults.tables as table>
<div class="wide" role="region" aria-labelledby="fault-${table?counter}" tabindex="0">
<table border="1" cellpadding="4">
<caption id="fault-${table?counter}">${table.title}; connections: ${page.faults.binding}</caption>
<thead>
<tr><#list table.columns as column><#if column?has_content><th scope="col">${column}</th><#else><td></td></#if><#if column?index == 1><th scope="col">10 ms to 100 s</th></#if></#list></tr>
</thead>
<tbody>
<#list table.rows as row>
<tr><#list row.cells as cell><#if cell?index == 0><th scope="row" align="left">${cell}</th><#else><td align="right">${cell}</td></#if><#if cell?index == 1><td class="dots"><svg viewBox="0 0 204 20" width="204" height="20" role="img" aria-label="${row.words}"><#list [2, 52, 102, 152, 202] as x><line x1="${x}" x2="${x}" y1="2" y2="18" stroke="currentColor" stroke-opacity=".2"/></#list><#if row.expected?has_content><rect x="${(2 + 200 * row.expected[0])?c}" y="4" width="${(1 + 200 * (row.expected[1] - row.expected[0]))?c}" height="12" fill="none" stroke="currentColor" stroke-opacity=".55"/></#if><#list row.dots as dot><circle cx="${(2 + 200 * dot)?c}" cy="10" r="3.5" fill="currentColor" fill-opacity=".65"/></#list></svg></td></#if></#list></tr>
</#list>
</tbody>
</table>
</div>
</#list>
<p class="legend">Median of all injections, with the shortest and the longest. Dots: each injection, on a logarithmic axis; box: expected from the settings. Writes stopped: longest time without an acknowledged write of any client, from the start of the fault. First write: acknowledgment of the first write that was sent after the start. Worst client: the same time of the client with the longest one. New leader: when another member first reported that it leads, asked every 10 ms. Failed and unknown: numbers of requests; an unknown write may have had an effect. Connections: kind of client; a pinned connection waits for its member, with failover it moves to another one. SIGKILL keeps what the system has cached, so it is not a power cut.</p>
</section>
</#if>
<div class="first<#if first?has_content> drawn</#if><#if page.capacities?has_content> search</#if>">
<#if page.capacities?has_content>
<section id="capacity" aria-labelledby="capacity-title">
<h2 id="capacity-title">Capacity</h2>
<#list page.capacities as capacity>
<p class="verdict"><b>${prose(capacity.headline)}.</b> ${prose(capacity.gaveWay)}</p>
<#if capacity.details?has_content>
<ul>
<#list capacity.details as detail>
<li>${prose(detail)}</li>
</#list>
</ul>
</#if>
</#list>
<p class="legend">Everything below except the capacity plots describes the initial closed-loop probe before the search.</p>
</section>
</#if>
<#if page.capacities?has_content><@firstplot/></#if>
<section id="verdict" aria-labelledby="verdict-title">
<h2 id="verdict-title"<#if !page.capacities?has_content> class="unseen"</#if>><#if page.capacities?has_content>Probe before the search<#else>Verdict</#if></h2>
<p class="verdict"><@sentences page.headline/></p>
</section>
<#if page.overview.columns?has_content>
<section id="overview" aria-label="Overview">
<@ratios page.overview/>
<p class="legend">Small numbers: ratio to the best value of the group. ${star}: ahead of all others by more than ${tie}%, without a failed or dropped request; for CPU, also not behind in throughput. Server CPU: mean of the members, 100% is one core.</p>
<@notes page.overview/>
</section>
</#if>
<#if !page.capacities?has_content><@firstplot/></#if>
<#if page.limits.rows?has_content>
<section id="limits" aria-labelledby="limits-title">
<h3 id="limits-title">Limits of the scenario</h3>
<div class="wide" tabindex="0" role="region" aria-label="Limits">
<table>
<thead>
<tr><th scope="col">limit</th><#list page.limits.databases as database><th scope="col">${database}</th></#list></tr>
</thead>
<tbody>
<#list page.limits.rows as row>
<tr><th scope="row">${row.limit}</th><#list row.cells as cell><td>${cell.found} <#if cell.kept>kept<#else><strong>broken</strong></#if></td></#list></tr>
</#list>
</tbody>
</table>
</div>
</section>
</#if>
<#if page.caveats?has_content>
<section id="caveats" aria-labelledby="caveats-title">
<details>
<summary><h3 id="caveats-title">Limitations (${page.caveats?size})</h3></summary>
<ul>
<#list page.caveats as limit>
<li>${prose(limit)}</li>
</#list>
</ul>
</details>
</section>
</#if>
</div>

<nav aria-label="Contents">
<ul>
<li><a href="#about">About</a></li>
<li><a href="#results">Results</a></li>
<#if sections?has_content || page.undrawn?has_content><li><a href="#plots">Plots</a></li></#if>
<#if page.details.columns?has_content>
<li><a href="#details">Details</a></li>
<li><a href="#errors">Errors</a></li>
</#if>
<#if page.commands?has_content><li><a href="#reproduce">Reproduce</a></li></#if>
<li><a href="#files">Files</a></li>
</ul>
</nav>

<section id="about" aria-labelledby="about-title">
<h2 id="about-title">About</h2>
<#list page.description as paragraph>
<p class="lead">${paragraph}</p>
</#list>
<@facts page.identity/>
</section>

<section id="results" aria-labelledby="results-title">
<h2 id="results-title">Results</h2>
<#if page.results.columns?has_content>
<@table "results" resultsCaption "right" page.results best/>
<#if isBest(page.results)>
<p class="legend">Best: ahead of all others by more than ${tie}%, and without a failed or dropped request.</p>
</#if>
<@notes page.results/>
<#else>
<p>There is no table: no database completed its run.</p>
</#if>
<#if page.watchers.columns?has_content>
<h3 id="watchers">Watchers</h3>
<@table "watchers" "Watch latency: from a put's scheduled send time until its first, median and last watcher received the event. Early: events before the acknowledgment. Setup: time to create all watches." "right" page.watchers best/>
</#if>
<#if page.shards.columns?has_content>
<h3 id="shards">Shards</h3>
<@table "shards" "Load generators that shared the load. The directory shards/ contains the results of each." "right" page.shards best/>
</#if>
<#if page.notes?has_content>
<h3>Notes</h3>
<ul>
<#list page.notes as note>
<li>${note}</li>
</#list>
</ul>
</#if>
</section>

<#if sections?has_content || page.undrawn?has_content>
<section id="plots" aria-labelledby="plots-title">
<h2 id="plots-title">Plots</h2>
<#list sections as section>
<h3 id="${section.id}">${section.title}<#if page.capacities?has_content && section.id != "plots-capacity"> in the probe before the search</#if></h3>
<#list section.plots as plot>
<#if first?has_content && plot.id == first[0].id>
<div id="${plot.id}-more">
<p><b>${plot.plot.title}</b> <a href="#${plot.id}">is at the top.</a> ${plot.plot.description}</p>
<@plotfiles plot/>
</div>
<#else>
<@drawing plot>
<p>${plot.plot.description}</p>
<@plotfiles plot/>
</@drawing>
</#if>
</#list>
</#list>
<#if page.undrawn?has_content>
<h3>Not drawn</h3>
<ul>
<#list page.undrawn as reason>
<li>${reason}</li>
</#list>
</ul>
</#if>
</section>
</#if>

<#if page.details.columns?has_content>
<section id="details" aria-labelledby="details-title">
<h2 id="details-title">Details</h2>
<@table "details" "Configuration and outcome." "left" page.details best/>
<#if page.facts?has_content>
<h3>Identical for all databases</h3>
<@facts page.facts/>
</#if>
</section>

<section id="errors" aria-labelledby="errors-title">
<h2 id="errors-title">Errors</h2>
<#list page.errors as errors>
<h3>${errors.database}</h3>
<div class="wide" role="region" aria-labelledby="errors-${errors?counter}-caption" tabindex="0">
<table border="1" cellpadding="4">
<caption id="errors-${errors?counter}-caption">Failed requests of ${errors.database}, the most frequent first.</caption>
<thead><tr><th scope="col">kind</th><th scope="col">message</th><th scope="col">count</th><th scope="col">of its requests</th></tr></thead>
<tbody>
<#list errors.kinds as kind>
<tr><td class="text">${kind.kind}</td><td class="text message">${kind.message}</td><td align="right">${kind.count}</td><td align="right">${kind.part}</td></tr>
</#list>
</tbody>
</table>
</div>
<#if errors.more?has_content><p>${errors.more}</p></#if>
<#else>
<p>No failed request was recorded.</p>
</#list>
</section>

</#if>
<#if page.commands?has_content>
<section id="reproduce" aria-labelledby="reproduce-title">
<h2 id="reproduce-title">Reproduce</h2>
<p>In a checkout of Quorate, with the same versions of the databases:</p>
<pre class="wide" role="region" aria-label="Commands" tabindex="0"><code><#list page.commands as command>${command}
</#list></code></pre>
<#if page.scenario?has_content>
<details>
<summary>Scenario text</summary>
<pre class="wide" role="region" aria-label="Scenario" tabindex="0"><code>${page.scenario}</code></pre>
</details>
</#if>
</section>

</#if>
<section id="files" aria-labelledby="files-title">
<h2 id="files-title">Files</h2>
<#list page.files as files>
<h3>${files.name}</h3>
<ul class="files">
<#list files.links as link>
<li><a href="${link.href}">${link.text}</a></li>
</#list>
</ul>
</#list>
</section>
</main>
<#if scripts.sources?has_content>
<script type="application/json" id="charts">${scripts.data?no_esc}</script>
<#list scripts.sources as source>
<script>${source?no_esc}</script>
</#list>
</#if>
</body>
</html>
