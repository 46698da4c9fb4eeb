<#-- Limits and gates as JUnit's XML. -->
<#macro value text>
<#-- An apostrophe stays as it is. -->
<#list page.visible(text)?split("'") as part>${part}<#sep>'</#list><#t>
</#macro>
<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="<@value page.name/>" tests="${page.tests?size}" failures="${page.tests?filter(each -> each.failure.isPresent())?size}" errors="0" skipped="${page.tests?filter(each -> each.skipped.isPresent())?size}">
<#list page.tests as each>
  <testcase classname="<@value each.group/>" name="<@value each.name/>"><#if each.failure.isPresent()><failure type="threshold" message="<@value each.failure.get()/>"></failure><#elseif each.skipped.isPresent()><skipped message="<@value each.skipped.get()/>"></skipped></#if></testcase>
</#list>
</testsuite>
