<#-- What a history of runs says, as one HTML file that needs no other. -->
<#import "document.ftl" as document>
<#import "plots.ftl" as pictures>
<#assign scripts = page.scripts>
<@document.start title=page.title scripts=scripts styles=["comparison.css", "history.css"] charts=true/>
<header>
<h1>${page.title}</h1>
</header>
<main>
<section aria-labelledby="changes-title">
<h2 id="changes-title">${page.counts}</h2>
<p class="parameters">${page.extent}</p>
<#list page.notes as note>
<p>${note}</p>
</#list>
<#if page.events?has_content>
<div class="wide" role="region" aria-labelledby="changes-title" tabindex="0">
<table class="changes">
<thead>
<tr><th scope="col">Since (UTC)</th><#if page.hasScenarios><th scope="col">Scenario</th></#if><th scope="col">Database</th><th scope="col">Metric</th><th scope="col">Before</th><th scope="col">After</th><th scope="col">Change</th><th scope="col">Verdict</th><th scope="col">Also changed</th></tr>
</thead>
<#list page.events as event>
<tbody>
<#list event.rows as row>
<tr class="${row.state}"><#if row?is_first><th scope="rowgroup" rowspan="${event.rows?size}">${event.since}<#if event.commits?has_content><small>${event.commits}</small></#if></th><#if page.hasScenarios><td class="plain" rowspan="${event.rows?size}">${event.scenario}</td></#if><td class="plain" rowspan="${event.rows?size}">${event.database}</td></#if><td class="plain">${row.metric}<small>${row.where}</small></td><td>${row.before}</td><td>${row.after}</td><td>${row.change}</td><td class="text">${row.verdict}<#if row.note?has_content><small>${row.note}</small></#if></td><#if row?is_first><td class="others" rowspan="${event.rows?size}"><#list event.others as other>${other}<#sep><br></#list></td></#if></tr>
</#list>
</tbody>
</#list>
</table>
</div>
<p class="legend">Before and after are means of the runs between two changes. A change is at least 5%. Of series of independent runs without a change, at most 1% show one; more do if neighboring runs are alike, although their correlation is taken into account. It is pending if fewer than 5 runs are before or after it. Commits are a range for Git: the last run before the change, and the first one after it.</p>
</#if>
</section>

<#if page.plots?has_content>
<@pictures.all page.plots "Series with changes are pale, and a thick line shows the mean between changes. A dot marks a change; a hollow dot is pending."/>
</#if>

<section id="reproduce" aria-labelledby="reproduce-title">
<h2 id="reproduce-title">Reproduce</h2>
<pre class="wide" role="region" aria-label="Command" tabindex="0"><code>${page.command}</code></pre>
<p>For programs: <a href="history.ndjson">history.ndjson</a>.</p>
</section>
</main>
<@document.end scripts/>
