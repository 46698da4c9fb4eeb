<#-- What a run says, as one HTML file that needs no other. -->
<#import "document.ftl" as document>
<#import "strip.ftl" as strip>
<#import "example.ftl" as banner>
<#import "plots.ftl" as pictures>
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
<table border="1" cellpadding="4" class="${align}<#if table.columns?size gt 3> stacked</#if>">
<caption id="${id}-caption">${caption}</caption>
<thead>
<tr><td></td><#list table.columns as column><th scope="col">${column}</th></#list></tr>
</thead>
<tbody>
<#list table.rows as row>
<tr><th scope="row" align="left">${row.name}</th><#list row.cells as cell><td align="${align}"<#if table.columns?size gt 3> data-label="${table.columns[cell?index]}"</#if>><#if cell.best && ranked>${mark} <b>${cell.text}</b><#else>${cell.text}</#if></td></#list></tr>
</#list>
</tbody>
</table>
</div>
</#macro>
<#function isBest table>
<#return ranked && table.rows?filter(row -> row.cells?filter(cell -> cell.best)?has_content)?has_content>
</#function>
<#macro notes table>
<#list table.notes as note>
<p class="legend">${note}</p>
</#list>
</#macro>
<#macro chips name caption texts selected all="">
<fieldset class="tabs">
<legend class="unseen">${caption}</legend>
<#list texts as text><label><input type="radio" name="${name}"<#if text?counter == selected> checked</#if>><span>${text}</span></label></#list><#if all?has_content><label class="all"><input type="radio" name="${name}"><span>${all}</span></label></#if>
</fieldset>
</#macro>
<#macro ratios table>
<#assign chosen = table.groups?filter(group -> group.title != incomplete)>
<div class="choice">
<#if chosen?size gt 1><@chips "step" "Rows to show" chosen?map(group -> group.title) table.selected "all"/></#if>
<div class="wide" role="region" aria-labelledby="overview-caption" tabindex="0">
<table border="1" cellpadding="4">
<caption id="overview-caption" class="unseen">${overviewCaption}</caption>
<thead>
<tr><td></td><#list table.columns as column><th scope="col">${column}</th></#list></tr>
</thead>
<#list table.groups as group>
<tbody<#if group.title == incomplete> class="always"</#if>>
<#if group.title?has_content>
<tr class="group"><th scope="rowgroup" colspan="${table.columns?size + 1}">${group.title}</th></tr>
</#if>
<#list group.rows as row>
<tr><th scope="row" align="left"><#if page.colors[row.name]??><i class="square" style="background:${page.colors[row.name]}"></i></#if>${row.name}<#if page.loads[row.name]??>, ${page.loads[row.name]}</#if></th><#list row.cells as cell><td align="right"<#if cell.shade()?has_content> class="${cell.shade()}"</#if>><#if cell.best && ranked>${star} <b>${cell.text}</b><#else>${cell.text}</#if><#if cell.ratio()?has_content> <small class="ratio">${cell.ratio()}</small></#if></td></#list></tr>
</#list>
</tbody>
</#list>
</table>
</div>
</div>
</#macro>
<#function tab plot>
<#local title = plot.plot.title?keep_before(" (")>
<#return title?starts_with("Latency heat map")?then(title?keep_after(" of "), title?keep_before(" by ")?keep_before(",")?uncap_first)>
</#function>
<#macro tile plots>
<div class="choice">
<#if plots?size gt 1><@chips plots[0].id "Picture to show" plots?map(plot -> tab(plot)) 1/></#if>
<#list plots as plot><@pictures.drawing plot/></#list>
</div>
</#macro>
<#macro firstplot>
<#if first?has_content><@tile first/></#if>
</#macro>
<#macro fold id title>
<details class="fold" id="${id}">
<summary><h2>${title}</h2></summary>
<#nested>
</details>
</#macro>
<#assign ranked = !page.incomparable?has_content scripts = page.scripts first = page.first sections = page.sections() tie = page.tie>
<#assign resultsCaption>Results of each database<#if page.capacities?has_content>, of the probe before the search</#if>.</#assign>
<#assign overviewCaption>Results and their ratios<#if page.capacities?has_content>, of the probe before the search</#if>.</#assign>
<#assign incomplete = "not complete, so not compared">
<#assign best><small>best</small></#assign>
<#assign star><small role="img" aria-label="best">★</small></#assign>
<#assign more>
<#list 1..[24, page.overview.groups?size]?max as n>
.choice:has(label:nth-of-type(${n}) > :checked) tbody:nth-of-type(${n}), .choice:has(label:nth-of-type(${n}) > :checked) > .plot:nth-of-type(${n}),
</#list>
.choice:has(.all > :checked) tbody, .choice .always { display: revert; }
</#assign>
<@document.start title=page.title scripts=scripts more=more charts=true>
<#if page.files?filter(each -> each.links?filter(link -> link.href == "card.png")?has_content)?has_content>
<meta property="og:title" content="${page.title}">
<meta property="og:image" content="card.png">
</#if>
</@document.start>
<a class="skip" href="#verdict">Skip to the results</a>
<nav aria-label="Contents">
<ul>
<li><a href="#top">Results</a></li>
<#if page.tiles?has_content><li><a href="#plots">Plots</a></li></#if>
<#if page.faults.verified?has_content><li><a href="#fault-details">${page.faults.title()}</a></li></#if>
<#if page.recipes.locks().columns?has_content || page.recipes.sessions().columns?has_content><li><a href="#recipes">Locks and sessions</a></li></#if>
<#if page.diagnoses?has_content><li><a href="#doctor">Causes</a></li></#if>
<#if sections?has_content || page.undrawn?has_content><li><a href="#all-plots">All plots</a></li></#if>
<li><a href="#results">Table</a></li>
<li><a href="#about">About</a></li>
<#if page.details.columns?has_content>
<li><a href="#details">Configuration</a></li>
<li><a href="#errors">Errors</a></li>
</#if>
<li><a href="#files">Files</a></li>
</ul>
</nav>
<header id="top">
<h1>${page.title}</h1>
<#if page.parameters?has_content>
<p class="parameters">${page.parameters}</p>
</#if>
<#if page.chips?has_content>
<ul class="chips"><#list page.chips as chip><li<#if chip.state?has_content> class="${chip.state}"</#if>>${chip.text}</li></#list></ul>
</#if>
<#if page.incomparable?has_content>
<@banner.example page.incomparable/>
</#if>
<#list page.lost as sentence>
<p class="lost" role="alert"><b>${prose(sentence)}</b></p>
</#list>
</header>
<main>
<#if page.faults.verified?has_content>
<section id="faults" aria-labelledby="faults-title">
<h2 id="faults-title" class="unseen">${page.faults.title()}</h2>
<#assign overview = page.faults.overview()>
<#list overview.statements() as statement>
<p class="verdict<#if statement.violated> broken</#if>">${prose(statement.card)}</p>
</#list>
<#list page.faults.witnesses() as witness>
<div class="wide" role="region" aria-labelledby="witness-${witness?index}" tabindex="0">
<table border="1" cellpadding="4" class="stacked">
<caption id="witness-${witness?index}" class="lost">${witness.title}</caption>
<thead>
<tr><th scope="col">request</th><th scope="col">client</th><th scope="col">member</th><th scope="col">sent</th><th scope="col">ended</th><th scope="col">result</th></tr>
</thead>
<tbody>
<#list witness.requests as request>
<tr><th scope="row" align="left">${request.what()}</th><td align="right" data-label="client">${request.client?c}</td><td align="right" data-label="member"><#if request.member != 0>${request.member?c}<#else>-</#if></td><td align="right" data-label="sent">${request.sent()}</td><td align="right" data-label="ended">${request.ended()}</td><td align="left" data-label="result">${request.result()}</td></tr>
</#list>
</tbody>
</table>
</div>
</#list>
<#list page.faults.problems as problem>
<p class="lost">${prose(problem)}</p>
</#list>
<div class="wide" role="region" aria-labelledby="outages-caption" tabindex="0">
<table id="outages" border="1" cellpadding="4">
<caption id="outages-caption">Time without an acknowledged write</caption>
<thead>
<tr><td></td><th scope="col">median, range</th><th scope="col" class="dots" aria-label="each injection"><svg viewBox="0 0 344 16" role="presentation"><#list overview.marks() as mark><text x="${(22 + 300 * mark.place)?c}" y="12" text-anchor="middle" font-size="11" fill="currentColor">${mark.label}</text></#list></svg></th><th scope="col">expected</th><th scope="col">connections</th></tr>
</thead>
<#list overview.groups() as group>
<tbody>
<tr class="group"><th scope="rowgroup" colspan="5">${group.title}</th></tr>
<#list group.rows as row>
<tr<#if row.broken> class="broken"</#if>><th scope="row" align="left">${row.name}, ${row.clients}<#if row.broken> <small>a guarantee broke</small></#if></th><td align="right">${row.outage}</td><td class="dots"><svg viewBox="0 0 344 22" role="img" aria-label="${row.words}"><#list overview.marks() as mark><line x1="${(22 + 300 * mark.place)?c}" x2="${(22 + 300 * mark.place)?c}" y1="1" y2="21" stroke="currentColor" stroke-opacity=".2"/></#list><#if row.range?has_content><rect x="${(21 + 300 * row.range[0])?c}" y="4" width="${(2 + 300 * (row.range[1] - row.range[0]))?c}" height="14" rx="4" fill="none" stroke="currentColor" stroke-opacity=".6"/></#if><#list row.dots as dot><#if dot.ended><circle cx="${(22 + 300 * dot.place)?c}" cy="11" r="4" fill="currentColor" fill-opacity=".7"/><#else><path d="M${(19 + 300 * dot.place)?c} 6l8 5l-8 5z" fill="currentColor" fill-opacity=".7"/></#if></#list></svg></td><td align="right">${row.expected}</td><td align="left">${row.connections}</td></tr>
</#list>
</tbody>
</#list>
</table>
</div>
<p class="legend">Any client: no client had an acknowledged write; worst client: the one that waited longest for its own. Dots: injections, on a logarithmic axis; triangle: it did not end while observed. Outline: expected from the settings. Connections: a pinned one waits for its member, with failover it moves to another one. <a href="#fault-details">All values</a></p>
<#list overview.explanations() as sentence>
<p>${prose(sentence)}</p>
</#list>
<div class="wide" role="region" aria-labelledby="verified" tabindex="0">
<table border="1" cellpadding="4" class="stacked">
<caption id="verified">Violations of what the databases promise</caption>
<thead>
<tr><td></td><th scope="col">lost, stale or unexplained values in the load</th><th scope="col">clients with compare-and-set</th><th scope="col">values of all members</th></tr>
</thead>
<tbody>
<#list page.faults.verified as row>
<tr><th scope="row" align="left">${row.database}</th><td align="right" data-label="lost, stale or unexplained values in the load">${row.history}</td><td align="right" data-label="clients with compare-and-set">${row.contention}</td><td align="right" data-label="values of all members">${row.members}</td></tr>
</#list>
</tbody>
</table>
</div>
<#assign survival = page.faults.survival.table()>
<#if survival.columns?has_content>
<@table "survived" "What survived, for clients next to the load" "right" survival ""/>
<p class="legend">Sessions alive: those that their clients kept alive at the start of a fault, and that the store did not end during it. Ended early: within the TTL after an acknowledged keep-alive. Ended late by: how long after its TTL a dead client's key was still readable (median, range). Two lock holders: times at which two clients believed that they held the same lock. Events lost: by watches that had to report them; ZooKeeper and Consul promise only the latest change. Latest event: longest time from the acknowledgment of a write until all watches had reported it or a later one.</p>
</#if>
</section>
</#if>
<div class="first<#if first?has_content> drawn</#if><#if page.capacities?has_content> search</#if>">
<#if page.capacities?has_content>
<section id="capacity" aria-labelledby="capacity-title">
<h2 id="capacity-title">Capacity</h2>
<#list page.capacities as capacity>
<p class="verdict"><b>${prose(capacity.headline)}.</b> ${prose(capacity.gaveWay)}</p>
<#list capacity.strip as axis>
<div class="trials">
<@strip.row strip=axis words=(capacity.trials?size + " trials by load") height=(9 * capacity.lanes() + 5)><#list capacity.trials as trial><#assign y = 7 + 9 * trial.lane><g class="${trial.verdict}"><title>${trial.text}</title><#if trial.verdict == "fail"><text x="${trial.place}%" y="${y + 5}" text-anchor="middle" font-size="15" fill="currentColor">×</text><#else><circle cx="${trial.place}%" cy="${y}" r="4" stroke="currentColor" stroke-width="2" fill="${(trial.verdict == "pass")?then("currentColor", "none")}"/></#if></g></#list></@strip.row>
<@strip.axis axis/>
</div>
<details>
<summary>Trials (${capacity.trials?size}): <span class="pass">filled: passed</span>, hollow: undecided, <span class="fail">cross: failed</span>, pale: invalid</summary>
<ul>
<#list capacity.trials as trial>
<li>${trial.text}</li>
</#list>
</ul>
</details>
</#list>
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
<p class="legend"><#if page.overview.hasRatios()>Small numbers: ratio to the best value. </#if><#if ranked && page.overview.hasBest()>${star}: ahead of all others by more than ${tie}, without a failed or dropped request; for CPU, also not behind in throughput. </#if>Server CPU: mean of the members, 100% is one core.</p>
<@notes page.overview/>
</section>
</#if>
<#if !page.capacities?has_content><@firstplot/></#if>
<#if page.limits.rows?has_content>
<section id="limits" aria-labelledby="limits-title">
<h3 id="limits-title">Thresholds of the scenario</h3>
<div class="wide" tabindex="0" role="region" aria-label="Thresholds">
<table>
<thead>
<tr><th scope="col">threshold</th><#list page.limits.databases as database><th scope="col">${database}</th></#list></tr>
</thead>
<tbody>
<#list page.limits.rows as row>
<tr><th scope="row">${row.limit}</th><#list row.cells as cell><td>${cell.found} <#if cell.outcome == "broken"><strong>broken</strong><#else>${cell.outcome}</#if></td></#list></tr>
</#list>
</tbody>
</table>
</div>
</section>
</#if>
<#if page.caveats?has_content>
<section id="caveats" aria-label="Limitations">
<p class="limitation">${prose(page.caveats[0])}</p>
<#if page.caveats?size gt 1>
<details>
<summary>${page.caveats?size - 1} more limitation<#if page.caveats?size gt 2>s</#if></summary>
<ul>
<#list page.caveats[1..] as limit>
<li>${prose(limit)}</li>
</#list>
</ul>
</details>
</#if>
</section>
</#if>
<#if page.commands?has_content>
<section id="reproduce" aria-label="Repeat this run">
<pre class="wide" role="region" aria-label="Commands" tabindex="0"><code><#list page.commands as command>${command}
</#list></code></pre>
</section>
</#if>
</div>

<#if page.tiles?has_content>
<section id="plots" aria-labelledby="plots-title">
<h2 id="plots-title" class="unseen">Plots</h2>
<div class="tiles">
<#list page.tiles as plots><@tile plots/></#list>
</div>
</section>
</#if>

<#if page.faults.verified?has_content>
<#assign faultDetails = page.faults.details()>
<@fold "fault-details" page.faults.title() + " in detail">
<h3>Definitions</h3>
<@facts faultDetails.definitions()/>
<h3>Settings</h3>
<@facts faultDetails.timeouts()/>
<#if page.faults.maintenance()?has_content>
<ul>
<#list page.faults.maintenance() as sentence>
<li>${prose(sentence)}</li>
</#list>
</ul>
</#if>
<#list faultDetails.tables() as table>
<div class="wide" role="region" aria-labelledby="fault-${table?counter}" tabindex="0">
<table border="1" cellpadding="4"<#if table.columns?size gt 2> class="stacked"</#if>>
<caption id="fault-${table?counter}">${table.title}</caption>
<thead>
<tr><td></td><#list table.columns as column><th scope="col">${column}</th></#list></tr>
</thead>
<tbody>
<#list table.rows as row>
<tr><th scope="row" align="left">${row.name}</th><#list row.cells as cell><td align="right" data-label="${table.columns[cell?index]}">${cell.text}<#if cell.values?has_content> <small class="values">${cell.values}</small></#if></td></#list></tr>
</#list>
</tbody>
</table>
</div>
</#list>
</@fold>

</#if>
<#if page.soak.rows()?has_content>
<section id="soak" aria-labelledby="soak-title">
<h2 id="soak-title">Growth during the run</h2>
<div class="wide" role="region" aria-labelledby="soak-caption" tabindex="0">
<table border="1" cellpadding="4">
<caption id="soak-caption">Change in an hour, without the first tenth of the run</caption>
<thead>
<tr><th scope="col">database</th><th scope="col">metric</th><th scope="col">median</th><th scope="col">change</th><th scope="col">95% interval</th><th scope="col">verdict</th></tr>
</thead>
<tbody>
<#list page.soak.rows() as row>
<tr><th scope="row" align="left">${row.database}</th><td align="left">${row.trend.title()}</td><td align="right">${row.trend.median()}</td><td align="right">${row.trend.perHour()}</td><td align="right">${row.trend.interval()}</td><td align="left"><#if row.trend.grows()><b>${row.trend.verdict()}</b><#else>${row.trend.verdict()}</#if></td></tr>
</#list>
</tbody>
</table>
</div>
<p class="legend">A line through 40 windows; neighboring windows are alike, which the interval takes into account. A value grows if the whole interval is above 0, and if it grew by 2% of its median or more. p99: mean of the p99 of all seconds of a window, of the slowest operation.</p>
</section>

</#if>
<#if page.recipes.locks().columns?has_content || page.recipes.sessions().columns?has_content>
<section id="recipes" aria-labelledby="recipes-title">
<h2 id="recipes-title">Locks and sessions</h2>
<#if page.recipes.problems()?has_content>
<ul>
<#list page.recipes.problems() as sentence>
<li>${prose(sentence)}</li>
</#list>
</ul>
</#if>
<#if page.recipes.locks().columns?has_content>
<@table "locks" "Locks" "right" page.recipes.locks() ""/>
<p class="legend">Wait: from the request for a lock until the client held it. Hand-over: from the beginning of a release until the next client, which had been waiting, held the lock. After a crash: the same after the holder had stopped as if it had died, which includes the TTL. Fairness: Jain's index of how often each client held a lock; 1 is equal. Overtaken: holds by a client that had requested the lock later than one that still waited. Two holders: times at which two clients believed that they held the same lock.</p>
</#if>
<#if page.recipes.sessions().columns?has_content>
<@table "sessions" "Abandoned sessions" "right" page.recipes.sessions() ""/>
<p class="legend">Ended late by: time from the end of the TTL after the last acknowledged keep-alive until a watch reported the removal of the session's key. Expected: what the settings of the servers and the documented rules of the store allow; see the reference page on semantics.</p>
</#if>
</section>

</#if>
<#if page.watchers.columns?has_content>
<section id="watched" aria-labelledby="watched-title">
<h2 id="watched-title">Watchers</h2>
<@table "watchers" "Watch latency: from a put's scheduled send time until its first, median and last watcher received the event. Early: events before the acknowledgment. Setup: time to create all watches." "right" page.watchers best/>
</section>
</#if>

<#if page.costs.columns?has_content>
<@fold "costs" "Costs">
<@table "cost" "Costs of requests, for all servers together" "right" page.costs ""/>
<p class="legend">Per successful request. Write amplification: bytes written to disks by the bytes of acknowledged values. Member traffic: what members sent to each other, as they count it; a dash if they do not. Memory per key: mean resident memory of a server after the load, by all keys; with few keys, mostly the memory of an empty server.<#if page.costs.columns?seq_contains("traffic across zones per request")> Traffic across zones: what members and clients sent to other zones, as the relay counts it.</#if><#if page.costs.columns?seq_contains("price per million")> Price: that of the time of a million successful requests at the measured rate.</#if></p>
</@fold>

</#if>
<#if page.diagnoses?has_content>
<section id="doctor" aria-labelledby="doctor-title">
<h2 id="doctor-title">Causes</h2>
<#list page.diagnoses as each>
<h3>${each.name()}</h3>
<#list each.verdict() as sentence>
<p>${prose(sentence)}</p>
</#list>
<ul>
<#list each.sentences() as sentence>
<li>${prose(sentence)}</li>
</#list>
</ul>
<#if each.problems().columns?has_content>
<@table "problems-" + each.id() "Checks of " + each.name() + " that are not in order" "left" each.problems() ""/>
</#if>
</#list>
</section>

</#if>
<#if sections?has_content || page.undrawn?has_content>
<#assign folded = 0><#list sections as section><#assign folded += section.plots?size></#list>
<@fold "all-plots" "All plots (" + folded + ")">
<#list sections as section>
<h3 id="${section.id}">${section.title}<#if page.capacities?has_content && section.id != "plots-capacity"> in the probe before the search</#if></h3>
<div class="tiles">
<#list section.plots as plot><@pictures.drawing plot/></#list>
</div>
</#list>
<#if page.undrawn?has_content>
<h3>Not drawn</h3>
<ul>
<#list page.undrawn as reason>
<li>${reason}</li>
</#list>
</ul>
</#if>
</@fold>

</#if>
<#if page.diagnoses?has_content>
<@fold "checks" "All checks">
<#list page.diagnoses as each>
<h3>${each.name()}</h3>
<@table "checks-" + each.id() "Checks" "left" each.checks() ""/>
<#if each.latency().columns?has_content>
<@table "latency-" + each.id() "Mean latency of writes and its parts" "right" each.latency() ""/>
</#if>
<#if each.resources().columns?has_content>
<@table "resources-" + each.id() "Use of resources" "right" each.resources() ""/>
</#if>
</#list>
<p class="legend">Stall: a tenth of a second whose p99 is more than five times the usual one and at least 10 ms, or a time without success. A cause is named if its events overlap at least three stalls, or stalls of a second in total, more often than by chance (circular shift test). The load generator is checked first. Limits and sources: the reference page checks.md.</p>
</@fold>

</#if>
<@fold "results" "Table in dbtester's format">
<#if page.results.columns?has_content>
<@table "results" resultsCaption "right" page.results best/>
<#if isBest(page.results)>
<p class="legend">Best: ahead of all others by more than ${tie}, and without a failed or dropped request.</p>
</#if>
<@notes page.results/>
<#else>
<p>There is no table of all values: no database has a complete, readable run.</p>
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
</@fold>

<@fold "about" "About">
<#list page.description as paragraph>
<p class="lead">${paragraph}</p>
</#list>
<@facts page.identity/>
<#if page.scenario?has_content>
<h3>Scenario</h3>
<pre class="wide" role="region" aria-label="Scenario" tabindex="0"><code>${page.scenario}</code></pre>
</#if>
</@fold>

<#if page.details.columns?has_content>
<@fold "details" "Configuration">
<@table "details" "Configuration and outcome." "left" page.details best/>
<#if page.facts?has_content>
<h3>Identical for all databases</h3>
<@facts page.facts/>
</#if>
</@fold>

<@fold "errors" "Errors">
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
</@fold>

</#if>
<@fold "files" "Files">
<#list page.files as files>
<h3>${files.name}</h3>
<ul class="files">
<#list files.links as link>
<li><a href="${link.href}">${link.text}</a></li>
</#list>
</ul>
</#list>
</@fold>
</main>
<@document.end scripts/>
