import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { takeTurn } from './turn.ts'

const place = mkdtempSync(join(tmpdir(), 'bourse-turn-'))
atEnd(() => rmSync(place, { recursive: true, force: true }))
let roots = 0

function makeRoot(): string {
  const root = join(place, `root-${++roots}`)
  mkdirSync(root)
  return root
}

test('one updater has the turn at a time, until it ends', async () => {
  const root = makeRoot()
  const turn = await takeTurn(root)
  assert.ok(turn)
  assert.equal(await takeTurn(root), undefined)
  const other = await takeTurn(makeRoot())
  assert.ok(other, 'that of another folder')
  await other.close()
  await turn.close()
  const next = await takeTurn(root)
  assert.ok(next)
  await next.close()
})

test('an updater that is killed leaves nothing that blocks the next one', async () => {
  const root = makeRoot()
  const program = `
    const { takeTurn } = await import(${JSON.stringify(join(import.meta.dirname, 'turn.ts'))})
    console.log(await takeTurn(process.argv[1]) !== undefined)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await once(child.stdout, 'data')
  assert.equal(String(printed).trim(), 'true')
  assert.equal(await takeTurn(root), undefined)
  child.kill('SIGKILL')
  await once(child, 'close')
  const turn = await takeTurn(root)
  assert.ok(turn)
  await turn.close()
})

test('nobody but the owner can take the turn, also where the file was open to all', async () => {
  const root = makeRoot()
  for (const path of [place, root]) chmodSync(path, 0o755)
  const file = join(root, 'update.lock')
  writeFileSync(file, '')
  chmodSync(file, 0o666)
  const turn = await takeTurn(root)
  assert.ok(turn)
  await turn.close()
  assert.equal(statSync(file).mode & 0o777, 0o600)
  // Another user takes it as the updater does. Only root can be another user; without it the mode has to do.
  const uid = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
  const other = spawnSync('flock', ['-n', file, 'true'], { cwd: '/', ...uid, encoding: 'utf8' })
  assert.equal(other.status === 0, uid === undefined, other.stderr)
})

test('a host without a folder of versions has nothing to lock', async () => {
  const turn = await takeTurn(join(place, 'none'))
  assert.ok(turn)
  await turn.close()
})
