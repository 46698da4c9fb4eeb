<#-- What 'quorate kubernetes render' prints. Values that are not checked to be plain words are in quotes. -->
<#macro metadata object instance=true>
metadata:
  name: ${object}
<#if namespace??>
  namespace: "${namespace}"
</#if>
  labels:
    app.kubernetes.io/name: quorate
<#if instance>
    app.kubernetes.io/instance: "${name}"
</#if>
</#macro>
<#macro labels component>
      labels:
        app.kubernetes.io/name: quorate
        app.kubernetes.io/instance: "${name}"
        app.kubernetes.io/component: ${component}
</#macro>
<#macro ttlOfJob>
<#if ttl??>
  # after this many seconds from its end, Kubernetes removes the Job and its Pods
  ttlSecondsAfterFinished: ${ttl?number}
</#if>
</#macro>
<#macro pod>
      restartPolicy: Never
      automountServiceAccountToken: false
      enableServiceLinks: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile:
          type: RuntimeDefault
<#if imagePullSecrets?has_content>
      imagePullSecrets:
<#list imagePullSecrets as each>
        - name: "${each}"
</#list>
</#if>
<#if nodeSelectors?has_content>
      nodeSelector:
<#list nodeSelectors as label>
        "${label?keep_before("=")}": "${label?keep_after("=")}"
</#list>
</#if>
</#macro>
<#macro resources cpu memory>
          # limits are the requests: what a container has does not depend on its neighbors
          resources:
            requests:
              cpu: "${cpu}"
              memory: "${memory}"
            limits:
              cpu: "${cpu}"
              memory: "${memory}"
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop:
                - ALL
</#macro>
<#macro copied volume command>
        - name: ${volume}
          image: "${image}"
          imagePullPolicy: IfNotPresent
          command:
            - sh
            - -c
            - ${command}
<@resources "100m" "64Mi"/>
          volumeMounts:
            - name: ${volume}-secret
              mountPath: /secret
              readOnly: true
            - name: ${volume}
              mountPath: /private
</#macro>
<#macro secret volume secret keys>
        - name: ${volume}
          secret:
            secretName: "${secret}"
            items:
<#list keys as key>
              - key: ${key}
                path: ${key}
</#list>
</#macro>
<#macro inMemory volume>
        - name: ${volume}
          emptyDir:
            medium: Memory
            sizeLimit: 1Mi
</#macro>
# ${scenario} of ${database} by ${shards} load generator<#if shards != 1>s</#if>; results: ${name}<#if shards != 1>/merged</#if> in the volume of ${claim!"quorate-results"}
<#assign inNamespace><#if namespace??>-n ${namespace} </#if></#assign>
#   kubectl logs -f ${inNamespace}-l app.kubernetes.io/instance=${name} --all-containers --prefix --max-log-requests ${shards + 1}
#   kubectl delete job,service,configmap ${inNamespace}-l app.kubernetes.io/instance=${name}
---
# The file of the scenario; its name without .yaml is SCENARIO below.
apiVersion: v1
kind: ConfigMap
<@metadata name + "-scenario"/>
data:
<#-- YAML 1.1 and 1.2 differ in which other characters end a line. -->
<#if text?matches("[^\r\x85\x2028\x2029]*")>
  "${scenario}.yaml": |2
<#list text?chop_linebreak?split("\n") as line>
<#if line?has_content>
    ${line}
<#else>

</#if>
</#list>
<#else>
  "${scenario}.yaml": "${text?json_string}"
</#if>
---
# What is different for each run. QUORATE_SHARDS is also completions and parallelism of the Job of load generators.
apiVersion: v1
kind: ConfigMap
<@metadata name + "-run"/>
data:
  # the directory of the results on the volume: a new one for each run
  RUN: "${name}"
  SCENARIO: "${scenario}"
  SCALE: "${scale}"
  DATABASE: ${database}
  ENDPOINTS: "${endpoints}"
  QUORATE_SHARDS: "${shards}"
<#if !claim??>
---
# The results of all runs. All load generators and the merge write to it, on several nodes, so it needs a storage class that can do that.
apiVersion: v1
kind: PersistentVolumeClaim
<@metadata "quorate-results" false/>
spec:
  accessModes:
    - ReadWriteMany
<#if storageClass??>
  storageClassName: "${storageClass}"
</#if>
  resources:
    requests:
      storage: "${storageSize!"10Gi"}"
</#if>
---
# Gives each load generator a name, ${name}-load-0.${name}-load, at which Prometheus finds its metrics.
apiVersion: v1
kind: Service
<@metadata name + "-load"/>
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    app.kubernetes.io/instance: "${name}"
    app.kubernetes.io/component: load-generator
  ports:
    - name: metrics
      port: 9464
---
# The load generators: one Pod for each shard, all at the same time.
apiVersion: batch/v1
kind: Job
<@metadata name + "-load"/>
spec:
  completionMode: Indexed
  completions: ${shards}
  parallelism: ${shards}
  # a restarted shard comes too late to measure with the others, so one that fails ends the run
  backoffLimit: 0
  podReplacementPolicy: Failed
<@ttlOfJob/>
  template:
    metadata:
<@labels "load-generator"/>
    spec:
      subdomain: ${name}-load
<@pod/>
      # what was measured until then is written
      terminationGracePeriodSeconds: 60
      affinity:
        podAntiAffinity:
          # never on the node of a server
          requiredDuringSchedulingIgnoredDuringExecution:
            - topologyKey: kubernetes.io/hostname
              namespaceSelector: {}
              labelSelector:
<#if servers??>
                matchLabels:
                  "${servers?keep_before("=")}": "${servers?keep_after("=")}"
<#else>
                matchExpressions:
                  - key: app.kubernetes.io/name
                    operator: In
                    values:
                      - etcd
                      - zookeeper
                      - consul
</#if>
          # each on a separate node, if there are enough
          preferredDuringSchedulingIgnoredDuringExecution:
            - weight: 100
              podAffinityTerm:
                topologyKey: kubernetes.io/hostname
                labelSelector:
                  matchLabels:
                    app.kubernetes.io/component: load-generator
<#if clientCertificate?? || credentials??>
      # A Secret's files belong to root and are readable by a group, which Quorate refuses; so they are copied in memory.
      initContainers:
<#if clientCertificate??>
<@copied "client-certificate" "umask 077 && cp /secret/tls.crt /private/tls.crt && cp /secret/tls.key /private/tls.key"/>
</#if>
<#if credentials??>
<@copied "credentials" "umask 077 && cp /secret/credentials /private/credentials"/>
</#if>
<#else>
      initContainers: []
</#if>
      containers:
        - name: load-generator
          image: "${image}"
          imagePullPolicy: IfNotPresent
          args:
            - run
            - /scenario/$(SCENARIO).yaml
            - --database
            - $(DATABASE)
            - --endpoints
            - $(ENDPOINTS)
            - --scale
            - $(SCALE)
            - --results
            - /results/$(RUN)
            - --barrier
            - /results/$(RUN)/barrier
            - --metrics
            - 0.0.0.0:9464
<#if tls??>
            - --tls-ca
            - /tls/ca.crt
</#if>
<#if clientCertificate??>
            - --tls-certificate
            - /client-certificate/tls.crt
            - --tls-key
            - /client-certificate/tls.key
</#if>
<#if credentials??>
            - --credentials
            - /credentials/credentials
</#if>
          envFrom:
            - configMapRef:
                name: ${name}-run
          ports:
            - name: metrics
              containerPort: 9464
<@resources cpus memory/>
          volumeMounts:
            - name: scenario
              mountPath: /scenario
              readOnly: true
            - name: results
              mountPath: /results
            - name: tmp
              mountPath: /tmp
<#if tls??>
            - name: tls
              mountPath: /tls
              readOnly: true
</#if>
<#if clientCertificate??>
            - name: client-certificate
              mountPath: /client-certificate
              readOnly: true
</#if>
<#if credentials??>
            - name: credentials
              mountPath: /credentials
              readOnly: true
</#if>
      volumes:
        - name: scenario
          configMap:
            name: ${name}-scenario
        - name: results
          persistentVolumeClaim:
            claimName: "${claim!"quorate-results"}"
        - name: tmp
          emptyDir: {}
<#if tls??>
<@secret volume="tls" secret=tls keys=["ca.crt"]/>
</#if>
<#if clientCertificate??>
<@secret volume="client-certificate-secret" secret=clientCertificate keys=["tls.crt", "tls.key"]/>
<@inMemory "client-certificate"/>
</#if>
<#if credentials??>
<@secret volume="credentials-secret" secret=credentials keys=["credentials"]/>
<@inMemory "credentials"/>
</#if>
<#if shards != 1>
---
# Waits until all load generators have ended, and merges their runs into one with its page: /results/RUN/merged/index.html
apiVersion: batch/v1
kind: Job
<@metadata name + "-merge"/>
spec:
  backoffLimit: 0
  # a load generator whose node is lost leaves no word; the merge stops waiting after a day
  activeDeadlineSeconds: 86400
<@ttlOfJob/>
  template:
    metadata:
<@labels "merge"/>
    spec:
<@pod/>
      containers:
        - name: merge
          image: "${image}"
          imagePullPolicy: IfNotPresent
          args:
            - merge
            - --barrier
            - /results/$(RUN)/barrier
            - --into
            - /results/$(RUN)/merged
          env:
            - name: JDK_JAVA_OPTIONS
              value: -XX:MaxRAMPercentage=70
          envFrom:
            - configMapRef:
                name: ${name}-run
<@resources "500m" "2Gi"/>
          volumeMounts:
            - name: results
              mountPath: /results
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: results
          persistentVolumeClaim:
            claimName: "${claim!"quorate-results"}"
        - name: tmp
          emptyDir: {}
</#if>
