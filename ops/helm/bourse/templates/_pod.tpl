{{/* What pods of the servers and of the migration have alike: no rights, and the URL of the database. */}}
{{- define "bourse.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "bourse.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "bourse.databaseEnvironment" -}}
{{- $database := .Values.database }}
{{- if $database.caSecret }}
- name: DATABASE_URI
  valueFrom: { secretKeyRef: { name: {{ $database.existingSecret }}, key: {{ $database.urlKey }} } }
- name: BOURSE_DATABASE_URL
  value: $(DATABASE_URI)?sslrootcert=/run/database-ca/{{ $database.caKey }}
{{- else }}
- name: BOURSE_DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ $database.existingSecret }}, key: {{ $database.urlKey }} } }
{{- end }}
{{- end }}
