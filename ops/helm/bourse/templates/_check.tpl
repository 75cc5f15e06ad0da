{{/* What the schema of the values cannot say: what is needed, and what excludes something else. */}}
{{- define "bourse.check" -}}
{{- $v := .Values }}
{{- if not $v.image.repository }}
{{- fail "image.repository: name the repository to which you have pushed the image, such as registry.example/bourse." }}
{{- end }}
{{- if not $v.publicUrl }}
{{- fail "publicUrl: set the https URL under which customers reach the servers, such as https://api.example." }}
{{- end }}
{{- if not $v.database.existingSecret }}
{{- fail "database.existingSecret: name the Secret with the URL of the database. CloudNativePG makes CLUSTER-app." }}
{{- end }}
{{- if not $v.keys.existingSecret }}
{{- fail "keys.existingSecret: name the Secret with the key files that `bourse keys create` makes. It must not be lost." }}
{{- end }}
{{- if and $v.images.store $v.images.existingClaim }}
{{- fail "images: set store or existingClaim, and not both." }}
{{- end }}
{{- if and (gt (int $v.replicaCount) 1) (not $v.images.store) (not $v.images.existingClaim) }}
{{- fail "images: several servers share the images. Set images.store to s3://bucket/prefix, or images.existingClaim to a claim with ReadWriteMany." }}
{{- end }}
{{- if and $v.images.store (or (not $v.images.s3Endpoint) (not $v.images.s3CredentialsSecret)) }}
{{- fail "images.store needs images.s3Endpoint and images.s3CredentialsSecret, a Secret with credentials.json." }}
{{- end }}
{{- if and $v.gateway.enabled (not $v.gateway.parentRefs) }}
{{- fail "gateway.parentRefs: name the Gateway, such as [{ name: public, namespace: gateways }]." }}
{{- end }}
{{- if and (not $v.metrics.enabled) $v.metrics.serviceMonitor.enabled }}
{{- fail "metrics.serviceMonitor.enabled needs metrics.enabled: without it nobody but the pod itself reaches /metrics." }}
{{- end }}
{{- $own := dict
  "BOURSE_DATABASE_URL" "database.existingSecret"
  "BOURSE_PUBLIC_URL" "publicUrl"
  "BOURSE_REPLICAS" "replicaCount"
  "BOURSE_WORKERS" "workers"
  "BOURSE_REPLICA_NAME" "nothing: it is the name of the pod"
  "BOURSE_HOST" "listen"
  "BOURSE_PORT" "service.port, which leads to it"
  "BOURSE_METRICS_PORT" "metrics.port"
  "BOURSE_INSECURE_METRICS_HOST" "metrics.enabled"
  "BOURSE_DATA_DIR" "nothing: it is a volume of the pod"
  "BOURSE_DRAIN_SECONDS" "drainSeconds"
  "BOURSE_LOG_LEVEL" "logLevel"
  "BOURSE_TRUSTED_PROXIES" "trustedProxies"
  "BOURSE_SIGNING_KEYS_FILE" "keys.existingSecret"
  "BOURSE_MASTER_KEY_FILE" "keys.existingSecret"
  "BOURSE_CURSOR_KEYS_FILE" "keys.existingSecret"
  "BOURSE_TLS_CERT_FILE" "tls.existingSecret"
  "BOURSE_TLS_KEY_FILE" "tls.existingSecret"
  "BOURSE_OIDC_FILE" "oidc.existingSecret"
  "BOURSE_IMAGE_STORE" "images.store"
  "BOURSE_S3_ENDPOINT" "images.s3Endpoint"
  "BOURSE_S3_REGION" "images.s3Region"
  "BOURSE_S3_CREDENTIALS_FILE" "images.s3CredentialsSecret" }}
{{- range $name, $_ := $v.settings }}
{{- with get $own $name }}
{{- fail (printf "settings.%s: the chart sets it. Use %s." $name .) }}
{{- end }}
{{- end }}
{{- end }}
