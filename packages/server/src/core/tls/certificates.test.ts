import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../../../test/at-end.ts'
import {
  authority,
  certificate,
  earlyCertificate,
  encryptedKey,
  expiredCertificate,
  key,
  renewedCertificate,
  renewedKey,
} from '../../../test/support/certificates.ts'
import { openLog, silentLog } from '../base/log.ts'
import { isStartProblem } from '../base/start-problem.ts'
import { isCertificateOf, namesOf } from './certificate-pair.rules.ts'
import { openCertificates, readPair } from './certificates.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-certificates-'))
atEnd(() => rmSync(directory, { recursive: true }))
let made = 0

/** Files with these contents. */
function filesOf(texts: { certificate: string; key: string }) {
  const home = join(directory, `${made++}`)
  mkdirSync(home)
  const files = { certificate: join(home, 'tls.crt'), key: join(home, 'tls.key') }
  writeFileSync(files.certificate, texts.certificate)
  writeFileSync(files.key, texts.key, { mode: 0o600 })
  return files
}

const now = 1_800_000_000

test('a pair that cannot be used is refused with the setting of its file and the reason', async () => {
  const cases: [texts: { certificate: string; key: string }, setting: string, reason: RegExp][] = [
    [{ certificate: 'none', key }, 'CERT', /no certificate in PEM/],
    [{ certificate: key, key }, 'CERT', /no certificate in PEM/],
    [{ certificate: `${certificate}${authority.replace('MII', 'AAA')}`, key }, 'CERT', /cannot be read/],
    [{ certificate, key: certificate }, 'KEY', /no private key in PEM/],
    [{ certificate, key: key.replace('MIG', 'AAA') }, 'KEY', /cannot be read/],
    [{ certificate, key: encryptedKey }, 'KEY', /encrypted/],
    [{ certificate, key: renewedKey }, 'KEY', /does not belong to the first certificate/],
    [{ certificate: `${authority}${certificate}`, key }, 'KEY', /must be the server’s/],
    [{ certificate: expiredCertificate, key }, 'CERT', /expired at 2020-02-01T00:00:00/],
    [{ certificate: `${certificate}${expiredCertificate}`, key }, 'CERT', /expired at/],
    [{ certificate: earlyCertificate, key }, 'CERT', /not valid before 2100/],
    [{ certificate: 'x'.repeat(300_000), key }, 'CERT', /longer than 262144 bytes/],
  ]
  for (const [texts, setting, reason] of cases) {
    const isNamed = (error: Error) =>
      isStartProblem(error, 'certificate_unusable') &&
      error.message.startsWith(`BOURSE_TLS_${setting}_FILE names ${directory}`) &&
      reason.test(error.message)
    await assert.rejects(readPair(filesOf(texts), now), isNamed, String(reason))
  }
})

test('a file that is missing, no file, or readable by every user is refused', async () => {
  const files = filesOf({ certificate, key })
  const nowhere = join(directory, 'nowhere')
  await assert.rejects(readPair({ ...files, certificate: nowhere }, now), /CERT_FILE names .*does not exist/)
  await assert.rejects(readPair({ ...files, key: join(files.key, 'below') }, now), /KEY_FILE names .*does not exist/)
  await assert.rejects(readPair({ ...files, key: directory }, now), /KEY_FILE names .*not a file/)
  chmodSync(files.key, 0o644)
  await assert.rejects(readPair(files, now), /KEY_FILE names .*accessible to every user/)
  chmodSync(files.key, 0o640)
  const { expires_at } = await readPair(files, now)
  assert.equal(new Date(expires_at * 1000).getUTCFullYear(), 2126)
})

test('a certificate belongs to its names and addresses', async () => {
  const { leaf } = await readPair(filesOf({ certificate, key }), now)
  const hosts = ['market.example', 'MARKET.example', 'localhost', '127.0.0.1', 'other.example', '10.0.0.1', '[::1]']
  assert.deepEqual(
    hosts.map((host) => isCertificateOf(leaf, host)),
    [true, true, true, true, false, false, false],
  )
  assert.equal(namesOf(leaf), 'market.example, localhost, 127.0.0.1')
})

test('files that were replaced by a rename, also behind links, are taken once both are', async () => {
  const versions = [filesOf({ certificate, key }), filesOf({ certificate: renewedCertificate, key: renewedKey })]
  const home = join(directory, 'links')
  mkdirSync(home)
  const pointTo = (version: { certificate: string; key: string } | undefined, name: 'certificate' | 'key') => {
    symlinkSync(version?.[name] ?? '', join(home, 'new'))
    renameSync(join(home, 'new'), join(home, name))
  }
  for (const name of ['certificate', 'key'] as const) pointTo(versions[0], name)
  const files = { certificate: join(home, 'certificate'), key: join(home, 'key') }
  const certificates = await openCertificates(files, { log: silentLog() })
  atEnd(certificates.stop)
  const taken: string[] = []
  const unfollow = certificates.follow((pair) => void taken.push(pair.certificate))
  await certificates.look()
  pointTo(versions[1], 'certificate')
  await certificates.look()
  assert.deepEqual([taken, certificates.problem(), certificates.current().certificate], [[], undefined, certificate])
  pointTo(versions[1], 'key')
  await certificates.look()
  assert.deepEqual([taken, certificates.current().key], [[renewedCertificate], renewedKey])
  unfollow()
  for (const name of ['certificate', 'key'] as const) pointTo(versions[0], name)
  await certificates.look()
  assert.deepEqual([taken.length, certificates.current().key], [1, key])
})

test('a pair that stays wrong is reported once, and the former one stays in use', async () => {
  const files = filesOf({ certificate, key })
  const lines: string[] = []
  const log = openLog('error', { write: (line) => void lines.push(JSON.parse(line).msg) })
  const clock = { now: now * 1000 }
  const certificates = await openCertificates(files, { log, now: () => clock.now })
  atEnd(certificates.stop)
  writeFileSync(files.certificate, renewedCertificate)
  await certificates.look()
  assert.deepEqual([lines, certificates.problem()], [[], undefined])
  for (let look = 0; look < 3; look++) await certificates.look()
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /not taken\. BOURSE_TLS_KEY_FILE: .*former one stays/)
  assert.equal(certificates.problem()?.setting, 'BOURSE_TLS_KEY_FILE')
  rmSync(files.certificate)
  for (let look = 0; look < 3; look++) await certificates.look()
  assert.match(lines[1] ?? '', /BOURSE_TLS_CERT_FILE: The file does not exist/)
  assert.deepEqual([lines.length, certificates.current().certificate], [2, certificate])
  // A certificate that comes too early is taken when its time has come.
  writeFileSync(files.certificate, earlyCertificate)
  for (let look = 0; look < 2; look++) await certificates.look()
  assert.match(certificates.problem()?.message ?? '', /not valid before/)
  clock.now = Date.UTC(2100, 5)
  await certificates.look()
  assert.deepEqual([certificates.problem(), certificates.current().certificate], [undefined, earlyCertificate])
})
