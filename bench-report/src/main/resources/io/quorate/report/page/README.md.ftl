<#-- What a run says, for those who read Markdown. -->
<#macro facts list>
<#list list as fact>
- **${fact.name}**: ${fact.value}
</#list>
</#macro>
# ${page.title}

<#list page.lost as sentence>
**${sentence}**

</#list>
<#if page.capacities?has_content>
## Capacity

<#list page.capacities as capacity>
**${capacity.headline}.** ${capacity.gaveWay}

<#list capacity.details>
<#items as detail>
- ${detail}
</#items>

</#list>
</#list>
All other tables and plots show the probe before the search.

</#if>
<#if page.overview.columns?has_content>
|  |<#list page.overview.columns as column> ${column} |</#list>
|---|<#list page.overview.columns as column>---:|</#list>
<#list page.overview.rows as row>
| ${row.name} |<#list row.cells as cell> <#if cell.best>**${cell.text}** best<#else>${cell.text}</#if> |</#list>
</#list>

Server CPU: mean of the members, 100 % is one core.

<#list page.overview.notes as note>
${note}

</#list>
</#if>
<#list first as plot>
<#if plot.image?has_content>
![${plot.plot.title}](${plot.image?no_esc})

</#if>
</#list>
## <#if page.capacities?has_content>Probe before the search<#else>Verdict</#if>

<#list page.verdict as sentence>${sentence}<#sep> </#sep></#list>

<#if page.limits.rows?has_content>
| limit |<#list page.limits.databases as database> ${database} |</#list>
|---|<#list page.limits.databases as database>---:|</#list>
<#list page.limits.rows as row>
| ${row.limit} |<#list row.cells as cell> ${cell.found} <#if cell.kept>kept<#else>**broken**</#if> |</#list>
</#list>

</#if>
<#list page.caveats>
What limits it:

<#items as limit>
- ${limit}
</#items>

</#list>
<#if sections?has_content>All of this with every plot<#else>The same as a page</#if>: [index.html](index.html).

## About

<#list page.description as paragraph>
${paragraph}

</#list>
<@facts page.identity/>

## Results

<#if page.resultsText?has_content>
${fence?no_esc}
${page.resultsText?no_esc}${fence?no_esc}
<#else>
There is no table: no database came to the end of its run.
</#if>

<#if page.watchers.columns?has_content>
How long after a put was due its first, median and last watcher had the event, of the puts that so many watchers heard of. Early are events before the put was answered; made in: how long setting up the watches took:

|  |<#list page.watchers.columns as column> ${column} |</#list>
|---|<#list page.watchers.columns as column>---:|</#list>
<#list page.watchers.rows as row>
| ${row.name} |<#list row.cells as cell> ${cell.text} |</#list>
</#list>

</#if>
<#if page.shards.columns?has_content>
The load generators that made the load together:

|  |<#list page.shards.columns as column> ${column} |</#list>
|---|<#list page.shards.columns as column>---:|</#list>
<#list page.shards.rows as row>
| ${row.name} |<#list row.cells as cell> ${cell.text} |</#list>
</#list>

</#if>
<#list page.findings>
<#items as finding>
- ${finding}
</#items>

</#list>
<#list sections as section>
## ${section.title}<#if page.capacities?has_content && section.id != "plots-capacity"> in the probe before the search</#if>

<#list section.plots as plot>
<#if plot.image?has_content>
![${plot.plot.title}](${plot.image?no_esc})

</#if>
${plot.plot.title}. ${plot.plot.description}

</#list>
</#list>
<#list page.undrawn>
## Not drawn

<#items as reason>
- ${reason}
</#items>

</#list>
<#if page.details.columns?has_content>
## Details

|  |<#list page.details.columns as column> ${column} |</#list>
|---|<#list page.details.columns as column>---|</#list>
<#list page.details.rows as row>
| ${row.name} |<#list row.cells as cell> ${cell.text} |</#list>
</#list>

<@facts page.facts/>

</#if>
<#if page.commands?has_content>
## How to reproduce

${fence?no_esc}
<#list page.commands as command>
${command?no_esc}
</#list>
${fence?no_esc}

</#if>
## Files

<#list page.files as files>
- [${files.name}](${files.href?no_esc})
</#list>
