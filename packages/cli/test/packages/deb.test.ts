/** The Debian package, in a Debian of its own that systemd starts: install, run, upgrade, remove, purge. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { readCommit } from '../../../../scripts/pack/commit.ts'
import { runProgram } from '../../../../scripts/pack/program.ts'
import { ownArchitecture } from '../../../../scripts/ship/architectures.ts'
import { packDeb } from '../../../../scripts/ship/deb.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { startDurableCluster } from '../../../server/test/support/cluster.ts'
import { createEmptyDatabase } from '../../../server/test/support/database.ts'
import { shownBlocks } from '../shown-blocks.ts'
import { openToAll, runIn, unpackDebian, withoutRoots } from './debian-root.ts'

const reason = withoutRoots('dpkg-deb', 'mmdebstrap', 'systemd-nspawn')

describe('the Debian package', leftOut(reason), () => {
  let place = ''
  let system = ''
  let deb = ''
  const inside = (program: string, ...words: string[]) => runIn(system, program, ...words)

  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'bourse-deb-test-'))
    await chmod(place, 0o755)
    system = join(place, 'system')
    const begin = performance.now()
    deb = await packDeb(place, ownArchitecture)
    console.log(`packed in ${seconds(begin)}`)
    await unpackDebian(system)
    await cp(deb, join(system, 'root', basename(deb)))
    const started = performance.now()
    await inside('sh', '-c', `cd /root; ${install.replace(/\S+\.deb/, `./${basename(deb)}`)}`)
    console.log(`installed in ${seconds(started)}`)
  })
  afterAll(() => rm(place, { recursive: true, force: true }))

  test('it installs the program with its Node, user, directories, pages and completions', async () => {
    const { node, commit, schema } = JSON.parse(await inside('bourse', 'version', '--json'))
    assert.match(node, /^v24\./)
    assert.deepEqual([commit, schema > 30], [await readCommit(), true])
    assert.match(await inside('stat', '-c', '%U:%G %a', '/etc/bourse/keys'), /^bourse:bourse 700$/m)
    assert.match(await inside('stat', '-c', '%U:%G %a', '/etc/bourse/bourse.env'), /^root:root 640$/m)
    for (const path of ['usr/share/man/man1/bourse-serve.1.gz', 'usr/share/bash-completion/completions/bourse']) {
      assert.ok(existsSync(join(system, path)), path)
    }
    // Every file is as it was packed.
    assert.equal(await inside('dpkg', '--verify', 'bourse'), '')
  })

  test('systemd runs a server, which says when it is ready, and starts it again in an upgrade', async () => {
    await using cluster = await startDurableCluster()
    await using database = await createEmptyDatabase({ cluster: cluster.target })
    const { user, database: name, host } = database.target
    await openToAll(host)
    await appendFile(
      join(system, 'etc/bourse/bourse.env'),
      `BOURSE_DATABASE_URL=postgres://${user}@/${name}?host=/srv/postgresql\nBOURSE_PUBLIC_URL=https://market.example\n` +
        'BOURSE_METRICS_PORT=0\nBOURSE_DRAIN_SECONDS=0\n',
    )
    await repack({ deb, place, version: '9.0.0', target: join(system, 'root/newer.deb') })
    await writeFile(join(system, 'root/session'), session, { mode: 0o755 })
    await writeFile(join(system, 'etc/systemd/system/session.service'), sessionUnit)
    await inside('systemctl', 'enable', 'session.service')
    const words = ['--quiet', '--register=no', '--keep-unit', '--boot', `--directory=${system}`, '--console=pipe']
    const machine = spawn('systemd-nspawn', [...words, `--bind=${host}:/srv/postgresql`], { stdio: 'ignore' })
    await once(machine, 'exit')
    const parts = ['said', 'errors', 'upgrade', 'journal'].map((name) => readFile(join(system, 'root', name), 'utf8'))
    const [answers = '', ...logs] = await Promise.all(parts)
    const said = [answers, ...logs].join('\n')
    const results = Object.fromEntries(answers.split('\n').map((line) => line.split(/=(.*)/s)))
    assert.equal(results.state, 'active', said)
    assert.equal(results.ready, '200', said)
    assert.equal(results.user, 'bourse', said)
    console.log(`exposure ${results.exposure}`)
    assert.ok(Number(results.exposure) <= 3, said)
    assert.deepEqual([results.upgraded, results.same_process], ['active', 'no'], said)
    assert.equal(results.stopped, 'inactive', said)
    assert.equal(results.result, 'success', said)
  })

  test('an upgrade keeps changed settings, removal keeps settings and keys, and purge removes both', async () => {
    const settings = join(system, 'etc/bourse/bourse.env')
    assert.match(await inside('dpkg', '--status', 'bourse'), /^Version: 9\.0\.0$/m)
    assert.match(await readFile(settings, 'utf8'), /^BOURSE_PUBLIC_URL=/m)
    await writeFile(join(system, 'var/lib/bourse/images/image'), 'of a customer')
    await inside('dpkg', '--remove', 'bourse')
    assert.deepEqual(
      [existsSync(join(system, 'usr/lib/bourse')), existsSync(join(system, 'usr/bin/bourse'))],
      [false, false],
    )
    assert.ok(existsSync(settings) && existsSync(join(system, 'etc/bourse/keys/master-key.json')))
    const said = await inside('dpkg', '--purge', 'bourse')
    assert.match(said, /\/var\/lib\/bourse holds images or disks of customers and stays/)
    assert.deepEqual(
      [existsSync(join(system, 'etc/bourse')), existsSync(join(system, 'var/lib/bourse/images/image'))],
      [false, true],
    )
    assert.doesNotMatch(await inside('find', '/usr', '-name', '*bourse*'), /bourse/)
  })
})

function seconds(begin: number): string {
  return `${((performance.now() - begin) / 1000).toFixed(1)} s`
}

type Repacked = { readonly deb: string; readonly place: string; readonly version: string; readonly target: string }

/** Makes the same package with another version. */
async function repack({ deb, place, version, target }: Repacked): Promise<void> {
  const opened = join(place, 'opened')
  await runProgram('dpkg-deb', ['--raw-extract', deb, opened])
  const control = join(opened, 'DEBIAN/control')
  await writeFile(control, (await readFile(control, 'utf8')).replace(/^Version: .*$/m, `Version: ${version}`))
  await runProgram('dpkg-deb', ['-Znone', '--root-owner-group', '--build', opened, target])
  await rm(opened, { recursive: true })
}

// What the guide shows: first the package and the keys, then the start.
const [[install = '', keys = ''] = [], [start = ''] = []] = shownBlocks('docs/guides/install.md', '## Debian package')

/** What an administrator does, with the results as lines. Instance 0 listens at a free port. */
const session = `#!/bin/sh
exec > /root/said 2> /root/errors
${keys}
${start.replace('@8080', '@0')}
echo state=$(systemctl is-active bourse-server@0.service)
old=$(systemctl show --property=MainPID --value bourse-server@0.service)
echo user=$(stat --format=%U /proc/$old)
said=$(journalctl --output=cat --unit=bourse-server@0.service | grep -o 'Serving at [^ ]*[0-9]' | tail -n 1)
url=$(echo "$said" | cut -d ' ' -f 3)
echo ready=$(/usr/lib/bourse/bin/node --input-type=module -e "for (const end = Date.now() + 60000; ;) {
  const r = await fetch('$url/readyz')
  if (r.ok || Date.now() > end) { console.log(r.status); break }
}")
score=$(systemd-analyze security --no-pager bourse-server@0.service | grep -o 'level for .*: [0-9.]*')
echo exposure=$(echo "$score" | grep -o '[0-9.]*$')
dpkg --force-confold --install /root/newer.deb > /root/upgrade 2>&1
echo upgraded=$(systemctl is-active bourse-server@0.service)
new=$(systemctl show --property=MainPID --value bourse-server@0.service)
if [ "$old" = "$new" ]; then echo same_process=yes; else echo same_process=no; fi
systemctl stop bourse-server@0.service
echo stopped=$(systemctl is-active bourse-server@0.service)
echo result=$(systemctl show --property=Result --value bourse-server@0.service)
journalctl --unit=bourse-server@0.service > /root/journal
systemctl poweroff --no-block
`

const sessionUnit = `[Unit]
After=multi-user.target

[Service]
Type=exec
ExecStart=/root/session

[Install]
WantedBy=multi-user.target
`
