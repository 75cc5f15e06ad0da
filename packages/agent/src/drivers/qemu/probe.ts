/**
 * Whether machines can run on this host. Opening /dev/kvm proves nothing: nested or emulated processors open and then
 * execute next to never, so the accelerator is tried with a boot sector that has to come to its end.
 */
import { spawn } from 'node:child_process'
import { access, mkdtemp, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from '../../clock.ts'
import { removeAll } from '../../files.ts'
import type { Finding } from '../driver.ts'
import type { Accelerator } from './command-line.rules.ts'
import { runTool } from './tools.ts'

const probeMilliseconds = 5_000
const leastFreeBytes = 2 ** 30
const packages = 'apt-get install -y --no-install-recommends qemu-system-x86 qemu-utils'
const exitOfProbe = 33

/** The tools that the driver needs, each found or not. */
export async function findTools(): Promise<Finding[]> {
  const tools = [
    { tool: 'qemu-system-x86_64', purpose: 'runs machines' },
    { tool: 'qemu-img', purpose: 'checks images and makes disks' },
  ]
  return Promise.all(
    tools.map(async ({ tool, purpose }): Promise<Finding> => {
      const version = await runTool(tool, ['--version']).catch(() => undefined)
      const says = version?.split('\n')[0] ?? `not found; it ${purpose}. Install it: ${packages}`
      return { what: tool, is_good: version !== undefined, says }
    }),
  )
}

/** Whether the disk that machines are kept on has room. */
export async function findRoom(directory: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(directory)
  const free = bavail * bsize
  const gibibytes = (free / 2 ** 30).toFixed(1)
  const says =
    free < leastFreeBytes ? `${gibibytes} GiB free; free some, or choose another --directory` : `${gibibytes} GiB free`
  return { what: 'disk', is_good: free >= leastFreeBytes, says }
}

/** The accelerator that works here, if one may be used. */
export async function findAccelerator(
  allow_tcg: boolean,
): Promise<{ accelerator: Accelerator | undefined; finding: Finding }> {
  const kvm = await tryKvm()
  if (kvm) return { accelerator: kvm, finding: { what: 'accelerator', is_good: true, says: `KVM, ${kvm.cpu}` } }
  const isThere = await access('/dev/kvm').then(
    () => true,
    () => false,
  )
  const why = isThere ? 'KVM opens but does not execute (nested virtualisation?)' : 'there is no /dev/kvm'
  if (!allow_tcg) {
    const says = `${why}; machines can be emulated for trials with --allow-tcg`
    return { accelerator: undefined, finding: { what: 'accelerator', is_good: false, says } }
  }
  const tcg: Accelerator = { name: 'tcg', cpu: 'qemu64' }
  const works = await executes(tcg)
  const says = works ? `emulated, slow: ${why}` : 'emulation does not work either'
  return { accelerator: works ? tcg : undefined, finding: { what: 'accelerator', is_good: works, says } }
}

/** Some processors refuse one feature of theirs to guests. */
async function tryKvm(): Promise<Accelerator | undefined> {
  for (const cpu of ['host', 'host,-arch-capabilities']) {
    if (await executes({ name: 'kvm', cpu })) return { name: 'kvm', cpu }
  }
  return undefined
}

async function executes({ name, cpu }: Accelerator): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-probe-'))
  try {
    const disk = join(directory, 'boot.img')
    await writeFile(disk, bootSector())
    const child = spawn(
      'qemu-system-x86_64',
      [
        ...[
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
        ],
        ...['-no-reboot', '-drive', `file=${disk},format=raw,if=floppy,readonly=on`],
        ...['-device', 'isa-debug-exit,iobase=0xf4,iosize=1'],
      ],
      { stdio: 'ignore' },
    )
    const ended = new AbortController()
    const code = new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null))
      child.once('exit', resolve)
    }).finally(() => ended.abort())
    await pause(probeMilliseconds, ended.signal)
    if (!ended.signal.aborted) child.kill('SIGKILL')
    return (await code) === exitOfProbe
  } finally {
    await removeAll(directory)
  }
}

/** Counts 20 million down in real mode, then leaves through the debug exit: 2 × 16 + 1. */
function bootSector(): Buffer {
  const sector = Buffer.alloc(512)
  const code = [0xfa, 0x66, 0xb9, 0x00, 0x2d, 0x31, 0x01, 0x66, 0x49, 0x75, 0xfc, 0xba, 0xf4, 0x00, 0xb0, 0x10, 0xee]
  Buffer.from([...code, 0xf4, 0xeb, 0xfd]).copy(sector)
  sector.writeUInt16LE(0xaa55, 510)
  return sector
}
