<#-- What published results are, and what must not be compared with them. -->
<#macro example incomparable>
<details class="example" open>
<summary>This is an example from one machine and not a reference. It names no winner and gives no score. Do not compare</summary>
<ul>
<#list incomparable as what>
<li>${what}</li>
</#list>
</ul>
</details>
</#macro>
