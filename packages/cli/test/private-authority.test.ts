/** Programs whose server has a certificate of an authority that their machine does not know. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { silentLog } from '../../server/src/core/base/log.ts'
import { openCertificates } from '../../server/src/core/tls/certificates.ts'
import { authority, certificate, key } from '../../server/test/support/certificates.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { bourse, newDirectory } from './sandbox-process.ts'

test('the command line and agents trust a private authority only where NODE_EXTRA_CA_CERTS names it', async () => {
  const directory = newDirectory()
  const files = { certificate: join(directory, 'tls.crt'), key: join(directory, 'tls.key') }
  writeFileSync(files.certificate, certificate)
  writeFileSync(files.key, key, { mode: 0o600 })
  const NODE_EXTRA_CA_CERTS = join(directory, 'authority.pem')
  writeFileSync(NODE_EXTRA_CA_CERTS, authority)
  const certificates = await openCertificates(files, { log: silentLog() })
  atEnd(certificates.stop)
  const server = await startTestServer({ certificates })
  const connection = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: server.platform_token }
  const words = ['whoami', '--json']
  const shown = await bourse(words, { ...connection, NODE_EXTRA_CA_CERTS })
  assert.equal(shown.code, 0, shown.err)
  assert.equal(JSON.parse(shown.out).account, 'bourse')
  const refused = await bourse(words, { ...connection, BOURSE_MAX_RETRIES: '0' })
  assert.deepEqual([refused.code, refused.out], [7, ''])
  assert.match(refused.err, /certificate.*set NODE_EXTRA_CA_CERTS to the file/)
  // The permit is not one, which a server that is trusted says.
  const enrol = ['agent', 'enrol', '--driver', 'simulated', '--server', server.url, '--directory', directory]
  const permit = { BOURSE_ENROL_TOKEN: 'none' }
  const known = await bourse(enrol, { ...permit, NODE_EXTRA_CA_CERTS })
  const unknown = await bourse(enrol, permit)
  assert.equal(known.code, 1)
  assert.doesNotMatch(known.err, /cannot be reached/)
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /cannot be reached: SELF_SIGNED_CERT_IN_CHAIN\. .*set NODE_EXTRA_CA_CERTS/)
})
