/** Whether the server of a container is up: what the health check of the image asks. */
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIPv6 } from 'node:net'
import { serverSettings } from '@bourse/server/core/base/server-settings.ts'
import { addEnvFile } from '../../input/env-file.ts'

const limitMilliseconds = 4_000
/** Addresses that stand for all of a machine, and where a server that listens on them is reached from inside. */
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/**
 * The URL at which `bourse serve` is asked, from where it listens: by the variables, and by those of the files that the
 * words of the command name (`--env-file`). Throws a usage problem where such a file cannot be read.
 */
export function healthUrl(words: readonly string[], variables: NodeJS.ProcessEnv): URL {
  const set = { ...variables }
  addEnvFile(words, set)
  const listens = set.BOURSE_HOST || serverSettings.BOURSE_HOST.fallback
  const host = everywhere[listens] ?? listens
  const scheme = set.BOURSE_TLS_CERT_FILE ? 'https' : 'http'
  const port = set.BOURSE_PORT || serverSettings.BOURSE_PORT.fallback
  return new URL(`${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}/healthz`)
}

/** Whether a server is up. Its certificate is not checked: it is for the public name, and no other host is asked. */
export function isHealthy(url: URL): Promise<boolean> {
  const signal = AbortSignal.timeout(limitMilliseconds)
  const request = url.protocol === 'https:' ? requestSecure : requestPlain
  return new Promise((resolve) => {
    request(url, { agent: false, signal, rejectUnauthorized: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
      .on('error', () => resolve(false))
      .end()
  })
}
