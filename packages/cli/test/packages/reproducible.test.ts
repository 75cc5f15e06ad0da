/** One commit gives the same bytes, wherever, whenever and by whom it is packed. */
import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { root, runProgram } from '../../../../scripts/pack/program.ts'
import { sumsName } from '../../../../scripts/pack/sums.ts'
import { withoutRoots } from './debian-root.ts'

// Beside the installed packages, which are linked and not copied.
await mkdir(join(root, 'tmp'), { recursive: true })
const place = await mkdtemp(join(root, 'tmp/twice-'))
afterAll(() => rm(place, { recursive: true, force: true }))

const targets = withoutRoots('mmdebstrap', 'dpkg-deb') ? ['npm', 'helm'] : ['npm', 'deb', 'image', 'helm']

test('copies of the repository, packed with another umask and time zone, give the same digests', async () => {
  const first = await packCopy('a', '022', 'UTC')
  const second = await packCopy('another/and-a-longer-path', '077', 'Pacific/Auckland')
  assert.equal(first.trim().split('\n').length, targets.length + 4)
  assert.equal(second, first)
})

/** Packs a copy of the files as they are now. Returns the digests. */
async function packCopy(folder: string, umask: string, zone: string): Promise<string> {
  const copy = join(place, folder)
  await mkdir(copy, { recursive: true })
  const listed = await runProgram('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  })
  for (const path of listed.split('\0').filter((name) => name !== '')) {
    await cp(join(root, path), join(copy, path)).catch((error: NodeJS.ErrnoException) => {
      // A file that was removed and not yet committed.
      if (error.code !== 'ENOENT') throw error
    })
  }
  await runProgram('cp', ['--archive', '--link', join(root, 'node_modules'), join(copy, 'node_modules')])
  const gitDirectory = (await runProgram('git', ['rev-parse', '--absolute-git-dir'], { cwd: root })).trim()
  const env = { ...process.env, TZ: zone, GIT_DIR: gitDirectory, GIT_WORK_TREE: copy }
  const line = `umask ${umask}; exec "$@"`
  const words = [process.execPath, join(copy, 'scripts/pack.ts'), ...targets]
  console.log(await runProgram('sh', ['-c', line, 'sh', ...words], { cwd: copy, env }))
  return await readFile(join(copy, 'tmp/packages', sumsName), 'utf8')
}
