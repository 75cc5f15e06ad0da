/**
 * An emulated machine with an IOMMU, in which the agent's own code gives devices to machines: a Debian kernel, the Node
 * and the QEMU of this host, and this repository's sources. It needs no rights on this host.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { after } from 'node:test'
import { cpioArchive, type Entry } from '../../../../scripts/image/cpio.ts'
import { modulesInOrder } from '../../../../scripts/image/modules.ts'
import { unpackPackages } from '../../../../scripts/image/packages.ts'

const root = resolve(import.meta.dirname, '../../../..')
/** Programs of this host that the agent runs. */
const programs = ['qemu-system-x86_64', 'qemu-img', 'qemu-io', 'setpriv', 'prlimit', 'taskset', 'ssh-keyscan']
/** The module of QEMU that emulates processors, and the firmware of its machines. */
const emulator = '/usr/lib/x86_64-linux-gnu/qemu/accel-tcg-x86_64.so'
const firmware = ['seabios/bios-256k.bin', 'qemu/kvmvapic.bin']
const modules = ['virtio_pci', 'virtio_blk', 'vfio_iommu_type1', 'vfio_pci']
const moduleFolders = ['drivers/virtio', 'drivers/block', 'drivers/vfio', 'virt/lib']
const sources = ['packages/agent/src', 'packages/agent/test', 'packages/api/src']

/** Emulated devices of the outer machine, each behind a port of its own. */
const devices = [
  ...['-device', 'intel-iommu,intremap=on,caching-mode=on'],
  ...['-device', 'pcie-root-port,id=one,chassis=1', '-device', 'nvme,serial=one,bus=one'],
  ...['-device', 'pcie-root-port,id=two,chassis=2', '-device', 'nvme,serial=two,bus=two,use-intel-id=on'],
]

/** What the first program of the outer machine does: modules, the root file system, then the program of the test. */
const init = (program: string) => `#!/bin/busybox sh
export PATH=/bin
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
while read -r module; do insmod "/modules/$module" || echo "no module $module"; done < /modules/order
ip link set lo up
mount -t ext4 /dev/vda /root || echo "no root"
for folder in proc sys dev; do mount -o bind "/$folder" "/root/$folder"; done
mount -t tmpfs tmp /root/tmp; mount -t tmpfs -o size=1500m state /root/state
chroot /root /usr/bin/env -i PATH=/usr/bin HOME=/tmp /usr/bin/node /b/${relative(root, program)}
echo "ended with $?"
poweroff -f
`

/** Runs a program of this repository in an outer machine. Returns its console when it has ended, or time is up. */
export async function runOutside(program: string, seconds_max: number): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'bourse-outer-'))
  after(() => rmSync(work, { recursive: true, force: true }))
  const { kernel, initrd, disk } = await build(work, program)
  // With two emulated processors, or timers that are set anew each time, the kernel now and then misses an interrupt.
  // On a loaded host it sees none within the moment in which it tests its timer, and panics: no_timer_check.
  const kernelWords = 'console=ttyS0 quiet panic=-1 nohz=off highres=off no_timer_check intel_iommu=on iommu=nopt'
  const words = [
    ...['-machine', 'q35', '-accel', 'tcg,tb-size=512', '-cpu', 'max,-pku', '-smp', '1', '-m', '2048'],
    ...['-nodefaults', '-display', 'none', '-serial', 'stdio', '-no-reboot', ...devices],
    ...['-drive', `file=${disk},format=raw,if=none,id=root,snapshot=on`, '-device', 'virtio-blk-pci,drive=root'],
    ...['-kernel', kernel, '-initrd', initrd, '-append', kernelWords],
  ]
  const child = spawn('qemu-system-x86_64', words, { stdio: ['ignore', 'pipe', 'pipe'] })
  const limit = setTimeout(() => child.kill('SIGKILL'), seconds_max * 1000)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => {
      said += piece.toString('latin1')
    })
  }
  await once(child, 'close')
  clearTimeout(limit)
  return said
}

async function build(work: string, program: string) {
  const [unpacked, folder, disk, initrd] = ['unpacked', 'root', 'root.ext4', 'initrd'].map((name) => join(work, name))
  const at = { unpacked, folder, disk, initrd } as Record<'unpacked' | 'folder' | 'disk' | 'initrd', string>
  await unpackPackages(at.unpacked, { programs: ['busybox-static'], linked: [], modules: moduleFolders })
  await packInitrd(at, program)
  fillRoot(at.folder)
  execFileSync('mke2fs', ['-q', '-F', '-t', 'ext4', '-O', '^has_journal', '-d', at.folder, at.disk, '400M'], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  })
  const [kernel = ''] = readdirSync(join(at.unpacked, 'boot')).filter((name) => name.startsWith('vmlinuz'))
  return { kernel: join(at.unpacked, 'boot', kernel), initrd: at.initrd, disk: at.disk }
}

async function packInitrd({ unpacked, initrd }: { unpacked: string; initrd: string }, program: string): Promise<void> {
  const found = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
  const one = (ending: string) => readFileSync(found.find((file) => file.endsWith(ending)) ?? ending)
  const loaded = await modulesInOrder(modules, found, one('/modules.builtin').toString())
  const file = (path: string, content: Buffer, isProgram = false): Entry => ({ kind: 'file', path, content, isProgram })
  const entries: Entry[] = [
    ...['bin', 'proc', 'sys', 'dev', 'modules', 'root'].map((path): Entry => ({ kind: 'folder', path })),
    file('bin/busybox', one('/bin/busybox'), true),
    file('init', Buffer.from(init(program)), true),
    file('modules/order', Buffer.from(loaded.map(({ name }) => `${name}\n`).join(''))),
    ...loaded.map(({ name, content }) => file(`modules/${name}`, content)),
  ]
  writeFileSync(initrd, cpioArchive(entries))
}

/** The root file system: Node, the programs with their libraries, the firmware, the sources and what they import. */
function fillRoot(folder: string): void {
  for (const name of ['proc', 'sys', 'dev', 'tmp', 'state', 'usr/bin', 'usr/share']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  const search = `${process.env.PATH}:/usr/bin:/usr/sbin`.split(':')
  const found = ['env', ...programs].map((name) => {
    const path = search.map((place) => join(place, name)).find(existsSync)
    if (path === undefined) throw new Error(`${name} is not installed.`)
    return { path, name: join('usr/bin', name) }
  })
  const own = [...found, { path: process.execPath, name: 'usr/bin/node' }, { path: emulator, name: emulator }]
  const libraries = new Set(own.flatMap(({ path }) => librariesOf(path)))
  for (const { path, name } of own) put(folder, name, path)
  for (const path of libraries) put(folder, path, path)
  for (const name of firmware)
    put(folder, join('usr/share/qemu', name.split('/')[1] as string), join('/usr/share', name))
  for (const name of sources) cpSync(join(root, name), join(folder, 'b', name), { recursive: true })
  for (const name of ['package.json', 'packages/agent/package.json', 'packages/api/package.json']) {
    put(folder, join('b', name), join(root, name))
  }
  mkdirSync(join(folder, 'b/node_modules/@bourse'), { recursive: true })
  for (const name of ['agent', 'api'])
    symlinkSync(`../../packages/${name}`, join(folder, 'b/node_modules/@bourse', name))
  for (const name of imported()) {
    cpSync(join(root, 'node_modules', name), join(folder, 'b/node_modules', name), {
      recursive: true,
      dereference: true,
    })
  }
}

/** The packages that the contract imports. */
function imported(): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/api/package.json'), 'utf8'))
  return Object.keys(dependencies ?? {}).filter((name) => !name.startsWith('@bourse/'))
}

function librariesOf(path: string): string[] {
  const text = execFileSync('ldd', [path], { encoding: 'utf8' })
  return [...text.matchAll(/(\/\S+) \(0x/g)].map(([, library]) => library as string)
}

/** A hard link where that is possible: the file of Node alone has more than 100 MB. */
function put(folder: string, name: string, path: string): void {
  const to = join(folder, name)
  mkdirSync(dirname(to), { recursive: true })
  try {
    linkSync(realpathSync(path), to)
  } catch {
    copyFileSync(path, to)
  }
}
