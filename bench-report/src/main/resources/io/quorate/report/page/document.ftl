<#-- What is at the start, before the body, and at the end of all pages; more: further styles. -->
<#macro start title scripts={} styles=[] more="" charts=false generator="Quorate">
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; <#if scripts.hashes?has_content>script-src ${scripts.hashes?no_esc}; </#if>base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${generator}">
<#nested>
<title>${title}</title>
<style>
<#include "page.css">
<#list styles as style>
<#include style>
</#list>
${more}<#rt>
<#if charts && scripts.sources?has_content>
${scripts.styles?no_esc}
<#include "chart.css">
</#if>
</style>
</head>
<body>
</#macro>
<#macro end scripts={}>
<#if scripts.data?has_content>
<script type="application/json" id="charts">${scripts.data?no_esc}</script>
</#if>
<#list scripts.sources![] as source>
<script>${source?no_esc}</script>
</#list>
</body>
</html>
</#macro>
