/**
 * Checks whether machines can run on this host. Opening /dev/kvm proves nothing: with nested virtualisation it may open
 * and then execute almost nothing. The probe therefore runs a boot sector to its end.
 */
import { spawn } from 'node:child_process'
import type { Stats } from 'node:fs'
import { access, constants, mkdtemp, open, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '@bourse/text/time/pause.ts'
import { removeAll } from '../../files.ts'
import type { Finding } from '../driver.ts'
import type { Accelerator } from './command-line.rules.ts'
import { runTool } from './tools.ts'
import { confinement, type MachineUser } from './user.rules.ts'

/** A KVM that takes longer executes almost nothing. Emulation takes as long as the processor needs. */
const probeMilliseconds = { kvm: 5_000, tcg: 60_000 } as const
const leastFreeBytes = 2 ** 30
const exitOfProbe = 33

const tools = [
  { tool: 'qemu-system-x86_64', purpose: 'runs machines', from: 'qemu-system-x86' },
  { tool: 'qemu-img', purpose: 'makes disks', from: 'qemu-utils' },
  { tool: 'qemu-io', purpose: 'looks into images', from: 'qemu-utils' },
  { tool: 'setpriv', purpose: 'takes rights from machines', from: 'util-linux' },
  { tool: 'taskset', purpose: 'keeps machines on their processors', from: 'util-linux' },
  { tool: 'prlimit', purpose: 'bounds what a hostile image can use', from: 'util-linux' },
  { tool: 'ssh-keyscan', purpose: 'reads the host keys of machines', from: 'openssh-client' },
] as const

/** Checks the tools that the driver needs. */
export async function findTools(): Promise<Finding[]> {
  return Promise.all(
    tools.map(async ({ tool, purpose, from }): Promise<Finding> => {
      // ssh-keyscan has no version option. Its usage message proves that it is installed.
      const version = await runTool(tool, ['--version']).catch((error: NodeJS.ErrnoException) =>
        error.code === 'ENOENT' ? undefined : 'found',
      )
      if (version !== undefined) return { subject: tool, is_good: true, message: version.split('\n')[0] ?? '' }
      return { subject: tool, is_good: false, message: `not found; it ${purpose}, package ${from}`, package: from }
    }),
  )
}

/** Checks the free space of the disk that stores machines. */
export async function findRoom(directory: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(directory)
  const free = bavail * bsize
  const gibibytes = (free / 2 ** 30).toFixed(1)
  const message =
    free < leastFreeBytes
      ? `${gibibytes} GiB free; free some space or use another --directory`
      : `${gibibytes} GiB free`
  return { subject: 'disk', is_good: free >= leastFreeBytes, message }
}

/** Finds an accelerator that works for machines of this user. */
export async function findAccelerator(
  allowTcg: boolean,
  user: MachineUser | undefined,
): Promise<{ accelerator: Accelerator | undefined; finding: Finding }> {
  const device = await stat('/dev/kvm').catch(() => undefined)
  const kvm = device && (await tryKvm(user))
  if (kvm) return { accelerator: kvm, finding: { subject: 'kvm', is_good: true, message: `KVM, ${kvm.cpu}` } }
  const why = await whyNoKvm(device, user)
  if (!allowTcg) {
    const message = `${why}; use --allow-tcg to emulate machines for trials`
    return { accelerator: undefined, finding: { subject: 'kvm', is_good: false, message } }
  }
  const tcg: Accelerator = { name: 'tcg', cpu: 'qemu64' }
  const works = (await execution(tcg, user)) === 'done'
  const message = works ? `emulated, slow: ${why}` : 'emulation does not work either'
  return { accelerator: works ? tcg : undefined, finding: { subject: 'kvm', is_good: works, message } }
}

async function whyNoKvm(device: Stats | undefined, user: MachineUser | undefined): Promise<string> {
  if (!device) return 'there is no /dev/kvm'
  const isClosed = user ? user.kvm_gid === undefined && (device.mode & 0o006) !== 0o006 : await isShut('/dev/kvm')
  if (!isClosed) return 'KVM opens but does not execute (nested virtualisation?)'
  if (user) return '/dev/kvm is closed to the users of machines; open it: chgrp kvm /dev/kvm && chmod 660 /dev/kvm'
  return '/dev/kvm is closed to the user of the agent; add this user to its group: usermod -aG kvm USER'
}

async function isShut(path: string): Promise<boolean> {
  return access(path, constants.R_OK | constants.W_OK).then(
    () => false,
    () => true,
  )
}

/** Some processors do not allow guests to use all of their features. */
async function tryKvm(user: MachineUser | undefined): Promise<Accelerator | undefined> {
  for (const cpu of ['host', 'host,-arch-capabilities']) {
    const accelerator: Accelerator = { name: 'kvm', cpu }
    const outcome = await execution(accelerator, user)
    if (outcome === 'done') return accelerator
    if (outcome === 'late') return undefined
  }
  return undefined
}

/** Runs the boot sector until it ends or time is up. */
async function execution(
  { name, cpu }: Accelerator,
  user: MachineUser | undefined,
): Promise<'done' | 'failed' | 'late'> {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-probe-'))
  const path = join(directory, 'boot.img')
  await writeFile(path, bootSector())
  const disk = await open(path, 'r')
  try {
    const words = [
      ...confinement(user),
      'qemu-system-x86_64',
      '-accel',
      name,
      '-cpu',
      cpu,
      '-machine',
      'pc',
      '-m',
      '16',
      '-display',
      'none',
      '-nodefaults',
      '-no-user-config',
      '-no-reboot',
      '-add-fd',
      'fd=3,set=3',
      '-drive',
      'file=/dev/fdset/3,format=raw,if=floppy,readonly=on',
      '-device',
      'isa-debug-exit,iobase=0xf4,iosize=1',
    ]
    const child = spawn(words[0] as string, words.slice(1), { stdio: ['ignore', 'ignore', 'ignore', disk.fd] })
    const ended = new AbortController()
    const code = new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null))
      child.once('exit', resolve)
    }).finally(() => ended.abort())
    await pause(probeMilliseconds[name], ended.signal)
    const isLate = !ended.signal.aborted
    if (isLate) child.kill('SIGKILL')
    return (await code) === exitOfProbe ? 'done' : isLate ? 'late' : 'failed'
  } finally {
    await disk.close()
    await removeAll(directory)
  }
}

/** Counts down from 20 million in real mode, then exits through the debug device with status 2 × 16 + 1. */
function bootSector(): Buffer {
  const sector = Buffer.alloc(512)
  const code = [0xfa, 0x66, 0xb9, 0x00, 0x2d, 0x31, 0x01, 0x66, 0x49, 0x75, 0xfc, 0xba, 0xf4, 0x00, 0xb0, 0x10, 0xee]
  Buffer.from([...code, 0xf4, 0xeb, 0xfd]).copy(sector)
  sector.writeUInt16LE(0xaa55, 510)
  return sector
}
