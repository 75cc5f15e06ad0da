/**
 * `npm run pack -- TARGET…`: writes what is published to tmp/packages, with SHA256SUMS. Without a target: the packages
 * of npm. `--arch arm64` names the processors of Debian packages and images, `--sign KEYFILE` signs the digests and the
 * agent. What fails leaves the directory as it was.
 */
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { agentSignatureNamespace } from '../packages/api/src/fleet/agent-signatures.ts'
import { isManifest } from './pack/agent.ts'
import { hasChanges } from './pack/commit.ts'
import { root, runProgram } from './pack/program.ts'
import { checkKey, publicKeyOf, signatureNamespace, signFile, signSums, writeSums } from './pack/sums.ts'
import { readTargets, type TargetName, targets } from './pack/targets.ts'
import { type Architecture, readArchitectures } from './ship/architectures.ts'

const directory = join(root, 'tmp/packages')

try {
  await packAll()
} catch (error) {
  console.error(`Error: ${(error as Error).message}`)
  process.exitCode = 1
}

async function packAll(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { sign: { type: 'string' }, arch: { type: 'string', multiple: true } },
  })
  const names = readTargets(positionals.length > 0 ? positionals : ['npm'])
  const architectures = readArchitectures(values.arch ?? [])
  if (values.sign !== undefined) {
    await checkKey(values.sign)
    if (await hasChanges())
      throw new Error('What is signed has to be a commit, and files have changed since the last one.')
  }
  await mkdir(join(root, 'tmp'), { recursive: true })
  const place = await mkdtemp(join(root, 'tmp/packing-'))
  try {
    await runProgram(process.execPath, [join(root, 'scripts/console.ts')], { cwd: root })
    for (const name of names) await packTarget(name, architectures, { place, key: values.sign })
    // Before the digests, which name the signatures too.
    if (values.sign !== undefined) {
      for (const name of (await readdir(place)).filter(isManifest)) {
        await signFile(join(place, name), values.sign, agentSignatureNamespace)
      }
    }
    await writeSums(place)
    if (values.sign !== undefined) await signSums(place, values.sign)
    await chmod(place, 0o755)
    await rm(directory, { recursive: true, force: true })
    await rename(place, directory)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
  console.log(directory)
  if (values.sign !== undefined) {
    console.log(
      `Signed for ${signatureNamespace}. The line of allowed_signers: release ${await publicKeyOf(values.sign)}`,
    )
  }
}

type Packing = { readonly place: string; readonly key: string | undefined }

async function packTarget(
  name: TargetName,
  architectures: readonly Architecture[],
  { place, key }: Packing,
): Promise<void> {
  const begin = performance.now()
  const paths = await targets[name].write(place, architectures, key)
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  for (const path of paths)
    console.log(`${((await stat(path)).size / 1e6).toFixed(1).padStart(6)} MB  ${basename(path)}`)
  console.log(`${name}: ${seconds} s`)
}
