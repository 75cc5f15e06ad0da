import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../../../test/at-end.ts'
import { signerLine, signingKey } from '../../../test/support/bundles.ts'
import { readAgentSigners } from './agent-signers.service.ts'

const place = mkdtempSync(join(tmpdir(), 'bourse-signers-'))
atEnd(() => rmSync(place, { recursive: true, force: true }))
const path = join(place, 'signers')

function read(...lines: string[]): Promise<string[]> {
  writeFileSync(path, lines.join('\n'))
  return readAgentSigners(path)
}

const keys = (count: number) =>
  Array.from({ length: count }, (_, at) => signerLine(signingKey(String.fromCharCode(97 + at))))

test('the keys of versions are read from the file that is named', async () => {
  assert.deepEqual(await readAgentSigners(undefined), [])
  const [one = '', two = ''] = keys(2)
  assert.deepEqual(await read('# release', `release namespaces="bourse-agent" ${one} a comment`, '', two), [one, two])
  assert.equal((await read(...keys(16))).length, 16)
})

test('a file that is missing, has no key of the kind, or too many, is a problem of the start', async () => {
  await assert.rejects(readAgentSigners(join(place, 'none')), /SIGNERS_FILE: .*none cannot be read: ENOENT\.$/)
  const none = /has 0 keys ssh-ed25519, and may have 1 to 16\./
  await assert.rejects(read(), none)
  await assert.rejects(read('ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ'), none)
  // Cut off, too long, and of another kind under this name.
  const [one = ''] = keys(1)
  await assert.rejects(read(one.slice(0, -2), `${one}AAAA`, one.replace('AAAAC3', 'AAAAB3')), none)
  await assert.rejects(read(...keys(17)), /has 17 keys/)
})
