/** The settings in use that give up a protection which is on by default. `bourse doctor` lists them. */
import { isLoopbackHost, isUnencryptedUrl } from '@bourse/api/kit/loopback.ts'
import type { Config } from '../config.ts'
import { isLocalDatabase } from '../core/db/database-tls.ts'

/** A setting, and what it exposes. */
type InsecureSetting = { readonly setting: string; readonly exposes: string }

/** The insecure settings of a configuration. An empty list means that every default protection is on. */
export function insecureSettings(config: Config): InsecureSetting[] {
  const { host, metrics_host, metrics_port, public_url = '', image_store, host_networks, database } = config
  const found: InsecureSetting[] = []
  const add = (setting: string, exposes: string) => void found.push({ setting, exposes })
  if (!isLoopbackHost(host) && !config.tls_files) {
    const remedy = 'set BOURSE_TLS_CERT_FILE, or let only a proxy that terminates TLS reach this port'
    add(`BOURSE_HOST=${host}`, `the API is served without TLS to other machines; ${remedy}`)
  }
  if (metrics_port !== undefined && !isLoopbackHost(metrics_host)) {
    const exposes = 'metrics are served to other machines without TLS or a token'
    add(`BOURSE_INSECURE_METRICS_HOST=${metrics_host}`, exposes)
  }
  if (isUnencryptedUrl(public_url)) {
    const setting = config.mode === 'production' ? 'BOURSE_INSECURE_PUBLIC_URL' : 'BOURSE_PUBLIC_URL'
    add(setting, `clients and hosts send their tokens to ${public_url} unencrypted`)
  }
  if (image_store.kind === 'objects' && isUnencryptedUrl(image_store.endpoint)) {
    add('BOURSE_S3_ENDPOINT', `images and the signatures of their URLs go to ${image_store.endpoint} unencrypted`)
  }
  if (host_networks.accepts_unencrypted) {
    const exposes = 'subnets with a machine on a host without WireGuard are carried unencrypted between hosts'
    add('BOURSE_INSECURE_HOST_TRAFFIC', exposes)
  }
  if (database) found.push(...insecureDatabase(database))
  return found
}

function insecureDatabase({ host, ssl }: NonNullable<Config['database']>): InsecureSetting[] {
  if (isLocalDatabase(host)) return []
  const add = (mode: string, exposes: string) => [{ setting: `sslmode=${mode} in BOURSE_DATABASE_URL`, exposes }]
  if (!ssl) return add('disable', `the password and all data are sent to ${host} unencrypted`)
  if (!ssl.rejectUnauthorized) return add('no-verify', `any server that answers for ${host} gets the password`)
  if (ssl.checkServerIdentity) return add('verify-ca', `any server with a certificate of the authority is trusted`)
  return []
}
