import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { readProviders } from './provider-settings.service.ts'

const directory = await mkdtemp(join(tmpdir(), 'bourse-providers-'))
afterAll(() => rm(directory, { recursive: true, force: true }))
const path = join(directory, 'providers.json')
const secret = join(directory, 'dex.secret')
const one = { name: 'dex', issuer: 'https://dex.example', client_id: 'bourse', account: 'acme' }

test('a secret is read from its file, beside the file of providers, without the end of its line', async () => {
  await writeFile(path, JSON.stringify({ providers: [{ ...one, client_secret_file: 'dex.secret' }] }))
  await writeFile(secret, 'a secret\n')
  const [provider] = await readProviders(path)
  assert.equal(provider?.client_secret, 'a secret')
})

test('a file that is missing, or a secret that is missing or empty, stops the start and is named', async () => {
  await writeFile(path, JSON.stringify({ providers: [{ ...one, client_secret_file: 'dex.secret' }] }))
  await rm(secret, { force: true })
  const code = 'bad_configuration'
  await assert.rejects(readProviders(path), { code, message: /BOURSE_OIDC_FILE.*provider dex.*dex\.secret.*not exist/ })
  for (const empty of ['', ' \n']) {
    await writeFile(secret, empty)
    await assert.rejects(readProviders(path), { code, message: /BOURSE_OIDC_FILE.*dex\.secret is empty/ })
  }
  const absent = join(directory, 'absent.json')
  await assert.rejects(readProviders(absent), { code, message: /BOURSE_OIDC_FILE.*absent\.json.*not exist/ })
})
