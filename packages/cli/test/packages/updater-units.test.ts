/** The units of the updater of an agent, as they are without the Debian package. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { runProgram } from '../../../../scripts/pack/program.ts'
import { atEnd } from '../../../../test/at-end.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { withoutRoots } from './debian-root.ts'

const units = join(import.meta.dirname, '../../../../ops/systemd')

test(
  'systemd accepts the units of the updater, and finds it well protected',
  leftOut(withoutRoots('systemd-analyze')),
  async () => {
    const place = await mkdtemp(join(tmpdir(), 'bourse-updater-units-'))
    atEnd(() => rm(place, { recursive: true, force: true }))
    const [service, timer] = [join(place, 'bourse-agent-updater.service'), join(place, 'bourse-agent-updater.timer')]
    const text = await readFile(join(units, 'bourse-agent-updater.service'), 'utf8')
    // The program has to be there.
    await writeFile(service, text.replace('ExecStart=/usr/bin/bourse ', 'ExecStart=/bin/true '))
    await writeFile(timer, await readFile(join(units, 'bourse-agent-updater.timer')))
    assert.equal(await runProgram('systemd-analyze', ['verify', '--man=no', service, timer]), '')
    // In tenths. It writes below /usr/local and restarts the agent, as root.
    await runProgram('systemd-analyze', ['security', '--offline=true', '--threshold=30', service])
  },
)
