<#-- What published results are, and what must not be compared with them. -->
<#macro example incomparable>
<details class="example">
<summary>Example from one machine, not a reference. What not to compare</summary>
<ul>
<#list incomparable as what>
<li>${what}</li>
</#list>
</ul>
</details>
</#macro>
