/**
 * An emulated machine with an IOMMU and two devices, in which an agent runs as on a host of its own. It reaches servers
 * on the loopback address of this host at its own. It needs no rights on this host.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../../../../test/at-end.ts'
import { makeOuterFiles, type OuterContents } from './outer-files.ts'

/** Each device is behind a port of its own. */
const devices = [
  '-device',
  'intel-iommu,intremap=on,caching-mode=on',
  '-device',
  'pcie-root-port,id=one,chassis=1',
  '-device',
  'nvme,serial=one,bus=one',
  '-device',
  'pcie-root-port,id=two,chassis=2',
  '-device',
  'nvme,serial=two,bus=two,use-intel-id=on',
]

/** A machine that runs. */
export type OuterMachine = {
  /** Runs a line of its shell, one after the other. Returns the output. Throws if the line fails. */
  run(line: string): Promise<string>
  /** What kernel and agent have written. */
  said(): string
}

/** What the machine runs. */
export type OuterParams = Omit<OuterContents, 'init'> & {
  /** A port of the loopback address of this host. */
  readonly port: number
  /** Everything is emulated. If it takes longer the machine is ended. */
  readonly seconds_max: number
}

const main = '/agent/packages/agent/src/main.js'

/**
 * The line that runs the program of the agent with several command lines, one after the other. Its modules are loaded
 * once: that takes most of the time that a process of Node needs in the machine.
 */
export function agentLine(...commands: readonly (readonly string[])[]): string {
  const steps = commands.map((words, index) => {
    const argv = JSON.stringify(['node', main, ...words])
    return `process.argv = ${argv}; await import("${main}?${index}"); if (process.exitCode) process.exit()`
  })
  const node = 'chroot /root /usr/bin/env -i PATH=/usr/bin HOME=/tmp /usr/bin/node /state/steps.mjs'
  return `echo '${steps.join('; ')}' > /root/state/steps.mjs; ${node}`
}

/**
 * The first program of the machine: modules, network, root file system, then a shell on the second serial line. Nothing
 * leaves the loopback address, and QEMU's network has its own address for the one of this host, hence the relay.
 */
const init = (port: number) => `#!/bin/busybox sh
export PATH=/bin
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
while read -r module; do insmod "/modules/$module" || echo "no module $module"; done < /modules/order
ip link set lo up; ip address add 10.0.2.15/24 dev eth0; ip link set eth0 up
nc -ll -p ${port} -e nc 10.0.2.2 ${port} &
mount -t ext4 /dev/vda /root || echo "no root"
for folder in proc sys dev; do mount -o bind "/$folder" "/root/$folder"; done
mount -t tmpfs tmp /root/tmp; mount -t tmpfs -o size=1500m state /root/state
exec 3<> /dev/ttyS1
stty raw -echo <&3
printf '\\nended with 0\\n' >&3
while read -r line <&3; do (eval "$line") < /dev/null >&3 2>&1; printf '\\nended with %s\\n' $? >&3; done
poweroff -f
`

/** Starts a machine. It is ended at the end of the test file. */
export async function startOuterMachine({ port, seconds_max, ...contents }: OuterParams): Promise<OuterMachine> {
  const work = mkdtempSync(join(tmpdir(), 'bourse-outer-'))
  atEnd(() => rmSync(work, { recursive: true, force: true }))
  const { kernel, initrd, disk } = await makeOuterFiles(work, { ...contents, init: init(port) })
  // With two emulated processors, or timers that are set anew each time, the kernel now and then misses an interrupt.
  // On a loaded host it sees none within the moment in which it tests its timer, and panics: no_timer_check.
  const timers = 'nohz=off highres=off no_timer_check'
  const kernelWords = `console=ttyS0 quiet panic=-1 ${timers} intel_iommu=on iommu=nopt`
  const console = join(work, 'console')
  const words = [
    '-machine',
    'q35',
    '-accel',
    'tcg,tb-size=512',
    '-cpu',
    'max,-pku',
    '-smp',
    '1',
    '-m',
    '3072',
    '-nodefaults',
    '-display',
    'none',
    '-serial',
    `file:${console}`,
    '-serial',
    'stdio',
    '-no-reboot',
    ...devices,
    '-drive',
    `file=${disk},format=raw,if=none,id=root,snapshot=on`,
    '-device',
    'virtio-blk-pci,drive=root',
    '-netdev',
    'user,id=net,ipv6=off',
    '-device',
    'virtio-net-pci,netdev=net,romfile=',
    '-kernel',
    kernel,
    '-initrd',
    initrd,
    '-append',
    kernelWords,
  ]
  // The machine has one processor and the longest way of all tests: as one of many it would take ten times as long.
  const child = spawn('nice', ['-n', '-10', 'qemu-system-x86_64', ...words])
  const ended = once(child, 'close')
  let whyEnded = 'by itself'
  const limit = setTimeout(() => {
    whyEnded = `at its limit of ${seconds_max} s`
    child.kill('SIGKILL')
  }, seconds_max * 1000)
  atEnd(async () => {
    clearTimeout(limit)
    child.kill('SIGKILL')
    await ended
  })
  const said = () => readFileSync(console, 'latin1')
  const shell = openShell(child, () => `The machine has ended ${whyEnded}.`, said)
  await shell(undefined)
  return { run: shell, said }
}

/** The shell of the machine. Without a line it only waits for the end of the one before. */
function openShell(child: ChildProcessWithoutNullStreams, end: () => string, said: () => string) {
  let output = ''
  let changed = () => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => {
      output += piece.toString('latin1')
      changed()
    })
  }
  child.once('close', () => changed())
  const run = async (line: string | undefined): Promise<string> => {
    output = ''
    if (line !== undefined) child.stdin.write(`${line}\n`)
    for (;;) {
      const [whole, text = '', code] = /^([\s\S]*)\nended with (\d+)\n$/.exec(output) ?? []
      if (code === '0') return text
      if (whole !== undefined) throw new Error(`${line} has ended with ${code}: ${text}\n${said()}`)
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${end()} ${output}\n${said()}`)
      await new Promise<void>((resolve) => {
        changed = resolve
      })
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  return (line: string | undefined) => {
    const turn = last.then(() => run(line))
    last = turn.catch(() => {})
    return turn
  }
}
