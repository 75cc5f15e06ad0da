import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { leftOut } from '../../../test/left-out.ts'
import { findServiceManager } from './systemd.ts'

const directory = mkdtempSync(join(tmpdir(), 'bourse-notify-'))
const socket = join(directory, 'notify')
let listener: ChildProcess | undefined
afterAll(async () => {
  if (listener?.kill()) await once(listener, 'exit')
  rmSync(directory, { recursive: true })
})

// Perl is part of each Debian, and has the sockets that Node lacks.
const receive = `use Socket; $| = 1;
  socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die; bind($s, sockaddr_un($ARGV[0])) or die;
  print "open\\n"; while (defined recv($s, my $text, 4096, 0)) { print "$text\\n" }`

const missing = !['/usr/bin/systemd-notify', '/usr/bin/perl'].every(existsSync) && 'no systemd-notify'

test('systemd hears that a program is ready, alive and stopping, in this order', leftOut(missing), async () => {
  const child = spawn('perl', ['-e', receive, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  listener = child
  let heard = ''
  child.stdout.on('data', (part) => (heard += part))
  await eventually('the socket is open', () => heard.includes('open'))
  const notes: string[] = []
  const variables = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '20000', PATH: process.env.PATH }
  const manager = findServiceManager(variables, (text) => notes.push(text))
  manager.ready()
  await eventually('the watchdog hears it', () => heard.includes('WATCHDOG=1'))
  manager.stopping()
  await eventually('the end is told', () => heard.includes('STOPPING=1'))
  const lines = heard.split('\n').filter((line) => /^[A-Z]+=1$/.test(line) && line !== 'BARRIER=1')
  assert.equal(lines[0], 'READY=1')
  assert.equal(lines.at(-1), 'STOPPING=1')
  assert.deepEqual(notes, [])
})

test('without a service manager nothing is said, and one that cannot be told is named once', async () => {
  const notes: string[] = []
  const note = (text: string) => void notes.push(text)
  findServiceManager({}, note).ready()
  const manager = findServiceManager({ NOTIFY_SOCKET: join(directory, 'none'), PATH: directory }, note)
  manager.ready()
  manager.stopping()
  await eventually('it is noted', () => notes.length > 0)
  assert.match(notes.join('\n'), /^systemd was not told READY=1: .*systemd-notify.*$/)
})
