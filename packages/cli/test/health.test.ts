/** What the health check of the image asks. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { silentLog } from '../../server/src/core/base/log.ts'
import { openCertificates } from '../../server/src/core/tls/certificates.ts'
import { certificate, key } from '../../server/test/support/certificates.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { healthUrl, isHealthy } from '../src/commands/server/health.ts'
import { newDirectory } from './sandbox-process.ts'

const directory = newDirectory()
const files = { certificate: join(directory, 'tls.crt'), key: join(directory, 'tls.key') }
writeFileSync(files.certificate, certificate)
writeFileSync(files.key, key, { mode: 0o600 })

/** The words of the first process of a container whose settings are in a file. */
function wordsWith(...lines: readonly string[]): string[] {
  const file = join(directory, 'bourse.env')
  writeFileSync(file, `${lines.join('\n')}\n`)
  return ['/usr/lib/bourse/bin/node', '/usr/bin/bourse', 'serve', '--env-file', file]
}

test('the server is asked where it listens, by variables and by the file of settings', () => {
  const urlOf = (words: readonly string[], variables: NodeJS.ProcessEnv) => healthUrl(words, variables).href
  assert.equal(urlOf([], { BOURSE_HOST: '0.0.0.0' }), 'http://127.0.0.1:8080/healthz')
  assert.equal(urlOf([], { BOURSE_HOST: '::', BOURSE_PORT: '81' }), 'http://[::1]:81/healthz')
  assert.equal(urlOf([], { BOURSE_HOST: 'fd00::7' }), 'http://[fd00::7]:8080/healthz')
  assert.equal(urlOf([], { BOURSE_HOST: '', BOURSE_PORT: '' }), 'http://127.0.0.1:8080/healthz')
  const words = wordsWith('BOURSE_HOST=10.0.0.5', 'BOURSE_PORT=8443', 'BOURSE_TLS_CERT_FILE=/etc/bourse/tls.crt')
  assert.equal(urlOf(words, {}), 'https://10.0.0.5:8443/healthz')
  assert.equal(urlOf(words, { BOURSE_HOST: '0.0.0.0', BOURSE_PORT: '81' }), 'https://127.0.0.1:81/healthz')
})

test('a server with a certificate and a port of a file is healthy, and not by http', async () => {
  const certificates = await openCertificates(files, { log: silentLog() })
  atEnd(certificates.stop)
  const server = await startTestServer({ certificates })
  const { port } = new URL(server.url)
  const own = { BOURSE_HOST: '0.0.0.0' }
  const secure = wordsWith(`BOURSE_PORT=${port}`, `BOURSE_TLS_CERT_FILE=${files.certificate}`)
  assert.equal(await isHealthy(healthUrl(secure, own)), true)
  assert.equal(await isHealthy(healthUrl(wordsWith(`BOURSE_PORT=${port}`), own)), false)
})

test('a server without a certificate is healthy until it has stopped', async () => {
  const server = await startTestServer()
  const url = healthUrl([], { BOURSE_PORT: new URL(server.url).port })
  assert.equal(await isHealthy(url), true)
  await server[Symbol.asyncDispose]()
  assert.equal(await isHealthy(url), false)
})
