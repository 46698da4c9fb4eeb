<#-- What a matrix of runs says, for those who read Markdown. -->
<#macro plain table>
|<#list table.columns as column> ${column} |</#list>
|<#list table.columns as column>---:|</#list>
<#list table.rows as row>
|<#list row as cell> ${cell} |</#list>
</#list>
</#macro>
# ${page.title}

<#list page.impossible as sentence>
**${sentence}**

</#list>
<#list page.summary as sentence>${sentence}<#sep> </#sep></#list>

<#list page.notes as note>
${note}

</#list>
The same as a page: [index.html](index.html). Files: <#list page.files as file>[${file}](${file?no_esc})<#sep>, </#sep></#list>, and the runs in [cells](cells/).

<#list page.description as paragraph>
${paragraph}

</#list>
<#list page.findings as findings>
## ${findings.axis}

<#list findings.sentences as sentence>
- ${sentence}
</#list>

</#list>
<#if page.heat.rows?has_content>
## All cells

|  |<#list page.heat.columns as column> ${column} |</#list>
|---|<#list page.heat.columns as column>---:|</#list>
<#list page.heat.rows as row>
| ${row.name} |<#list row.cells as cell> ${cell.text} |</#list>
</#list>

</#if>
<#if page.difference.rows?has_content>
## Difference

<@plain page.difference/>

</#if>
## Tables

<#list page.tables as table>
### ${table.title}

<@plain table/>

</#list>
<#if page.troubles?has_content>
## Not complete

<#list page.troubles as sentence>
- ${sentence}
</#list>

</#if>
