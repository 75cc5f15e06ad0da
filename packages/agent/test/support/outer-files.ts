/**
 * The files of an outer machine: a Debian kernel with the modules that it needs, and a root file system with the Node
 * and the QEMU of this host and the agent that hosts download.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { type ArchiveEntry, cpioArchive } from '../../../../scripts/image/cpio.ts'
import { modulesInOrder } from '../../../../scripts/image/modules.ts'
import { unpackPackages } from '../../../../scripts/image/packages.ts'

/** Programs of this host that the agent runs. */
const qemu = ['qemu-system-x86_64', 'qemu-img', 'qemu-io']
const programs = [...qemu, 'setpriv', 'prlimit', 'taskset', 'ssh-keyscan', 'dd', 'grep']
/** The module of QEMU that emulates processors, and the firmware of its machines. */
const emulator = '/usr/lib/x86_64-linux-gnu/qemu/accel-tcg-x86_64.so'
const seabios = '/usr/share/seabios/bios-256k.bin'
/**
 * Where the agent looks for UEFI, which would take minutes in a machine within a machine. A BIOS in its place starts
 * disks by their first sector. Nobody reads the variables.
 */
const uefi = { code: 'usr/share/OVMF/OVMF_CODE_4M.fd', variables: 'usr/share/OVMF/OVMF_VARS_4M.fd' }
const variablesBytes = 2 ** 17
const modules = ['virtio_pci', 'virtio_blk', 'virtio_net', 'vfio_iommu_type1', 'vfio_pci']
const moduleFolders = ['drivers/virtio', 'drivers/block', 'drivers/net', 'net/core', 'drivers/vfio', 'virt/lib']

/** What QEMU starts an outer machine from. */
export type OuterFiles = { readonly kernel: string; readonly initrd: string; readonly disk: string }

/** What these files are made of. */
export type OuterContents = {
  /** The first program of the machine: a script for busybox. */
  readonly init: string
  /** The archive of the agent. */
  readonly agent: Buffer
}

/** Makes the files in a folder. */
export async function makeOuterFiles(work: string, { init, agent }: OuterContents): Promise<OuterFiles> {
  const at = (name: string) => join(work, name)
  const unpacked = unpackPackages(at('unpacked'), { programs: ['busybox-static'], linked: [], modules: moduleFolders })
  fillRoot(at('root'), agent)
  execFileSync('mke2fs', ['-q', '-F', '-t', 'ext4', '-O', '^has_journal', '-d', at('root'), at('root.ext4'), '400M'], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  })
  await unpacked
  await writeFile(at('initrd'), await packInitrd(at('unpacked'), init))
  const [kernel = ''] = readdirSync(at('unpacked/boot')).filter((name) => name.startsWith('vmlinuz'))
  return { kernel: join(at('unpacked/boot'), kernel), initrd: at('initrd'), disk: at('root.ext4') }
}

async function packInitrd(unpacked: string, init: string): Promise<Buffer> {
  const found = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
  const one = (ending: string) => readFileSync(found.find((file) => file.endsWith(ending)) ?? ending)
  const loaded = await modulesInOrder(modules, found, one('/modules.builtin').toString())
  const file = (path: string, content: Buffer, isProgram = false): ArchiveEntry => ({
    kind: 'file',
    path,
    content,
    isProgram,
  })
  return cpioArchive([
    ...['bin', 'proc', 'sys', 'dev', 'modules', 'root'].map((path): ArchiveEntry => ({ kind: 'folder', path })),
    file('bin/busybox', one('/bin/busybox'), true),
    file('init', Buffer.from(init), true),
    file('modules/order', Buffer.from(loaded.map(({ name }) => `${name}\n`).join(''))),
    ...loaded.map(({ name, content }) => file(`modules/${name}`, content)),
  ])
}

/** The root file system: Node, the programs with their libraries, the firmware, and the agent in `/agent`. */
function fillRoot(folder: string, agent: Buffer): void {
  for (const name of ['proc', 'sys', 'dev', 'tmp', 'state', 'usr/bin', 'usr/share', 'agent']) {
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
  put(folder, 'usr/share/qemu/bios-256k.bin', seabios)
  put(folder, 'usr/share/qemu/kvmvapic.bin', '/usr/share/qemu/kvmvapic.bin')
  put(folder, uefi.code, seabios)
  writeFileSync(join(folder, uefi.variables), Buffer.alloc(variablesBytes))
  execFileSync('tar', ['-xz', '-C', join(folder, 'agent')], { input: agent })
  makePlain(join(folder, 'agent/packages'))
}

/** Makes JavaScript of the sources. Node does the same at each start, and needs seconds for it when it is emulated. */
function makePlain(folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const path = join(folder, file)
    const plain = stripTypeScriptTypes(readFileSync(path, 'utf8'))
    rmSync(path)
    writeFileSync(path.replace(/\.ts$/, '.js'), plain.replaceAll(/'((?:\.|@bourse)[^'\n]*)\.ts'/g, "'$1.js'"))
  }
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
