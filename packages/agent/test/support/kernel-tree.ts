/**
 * The files of a machine, with what the kernel does when some of them are written: a function changes its driver, or is
 * reset. Everything else is as it is on disk.
 */
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { atEnd } from '../../../../test/at-end.ts'
import { type DeviceTree, openDeviceTree } from '../../src/devices/device-tree.ts'
import { type Files, writeTree } from './machine-trees.ts'

const devices = '/sys/bus/pci/devices'
/** Ids, command and status of a function that answers, and of one that is gone. */
const alive = '\xde\x10\x30\x23\x06\x04\x10\x00'
const dead = '\xff'.repeat(8)

/** What a test does to the hardware, and reads. */
export type KernelTree = {
  readonly root: string
  readonly tree: DeviceTree
  /** The writes, as `path=text`. */
  readonly writes: string[]
  /** The owner of a file that was given to a user. */
  readonly owners: Map<string, number>
  readonly driverOf: (pci: string) => Promise<string | undefined>
  /** A function that falls off its bus, or comes back. */
  readonly setAlive: (pci: string, isAlive: boolean) => void
  /** Files that the kernel refuses to write. */
  readonly refused: Set<string>
  /** Lets all further reads and writes of a file hang. */
  readonly hang: (path: string) => Hanging
  readonly set: (path: string, text: string) => void
  /** Puts a named pipe in place of a file, so that each open of it by a process hangs. */
  readonly block: (path: string) => Hanging
}

/** Reads and writes that hang: how many have begun, and what lets them go on. */
export type Hanging = { readonly begun: () => number; readonly end: () => void }

function replaceByText(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true })
  // Whoever writes to it too finds it at any moment. It may also be a named pipe, which a test has put there.
  writeFileSync(`${path}.new`, text, 'latin1')
  renameSync(`${path}.new`, path)
}

function replaceByPipe(path: string): () => void {
  rmSync(path, { force: true })
  execFileSync('mkfifo', [path])
  return () => {
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    // What is written is gone when nobody has the pipe open, and whoever waits for it opens it later.
    atEnd(() => closeSync(pipe))
    writeSync(pipe, alive)
  }
}

/** The files below a root whose reads and writes hang. `answer`: resolves when those of a file go on. */
function openHanging(root: string) {
  const hanging = new Map<string, { begun: number; readonly ended: Promise<void> }>()
  const watch = (path: string, ended: Promise<void>, release: () => void): Hanging => {
    const one = { begun: 0, ended }
    hanging.set(path, one)
    const end = () => {
      hanging.delete(path)
      release()
    }
    return { begun: () => one.begun, end }
  }
  return {
    answer: (path: string): Promise<void> | undefined => {
      const one = hanging.get(path)
      if (one) one.begun += 1
      return one?.ended
    },
    hang: (path: string) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      return watch(path, promise, resolve)
    },
    block: (path: string) => watch(path, Promise.resolve(), replaceByPipe(join(root, path))),
  }
}

/** Writes the files of a machine, with those that its functions have beside. */
export async function openKernelTree(files: Files, functions: readonly string[]): Promise<KernelTree> {
  const all: Files = new Map(files)
  for (const driver of ['vfio-pci', 'nvidia', 'nvidia-nvswitch', 'mlx5_core', 'nvme'])
    all.set(`/sys/bus/pci/drivers/${driver}/unbind`, '')
  all.set('/sys/bus/pci/drivers_probe', '')
  for (const pci of functions) {
    all.set(`${devices}/${pci}/config`, alive)
    all.set(`${devices}/${pci}/driver_override`, '(null)')
    all.set(`${devices}/${pci}/reset`, '')
    if (!all.has(`${devices}/${pci}/reset_method`)) all.set(`${devices}/${pci}/reset_method`, 'flr bus')
  }
  for (const path of files.keys()) {
    const [, group] = /^\/sys\/kernel\/iommu_groups\/(\d+)\//.exec(path) ?? []
    if (group !== undefined) all.set(`/dev/vfio/${group}`, '')
  }
  const root = writeTree(all)
  const plain = openDeviceTree(root)
  const [writes, owners, refused] = [[] as string[], new Map<string, number>(), new Set<string>()]
  const driverOf = (pci: string) => plain.target(`${devices}/${pci}/driver`)
  const usual = new Map<string, string | undefined>()
  for (const pci of functions) usual.set(pci, await driverOf(pci))
  const set = (path: string, text: string) => replaceByText(join(root, path), text)
  const { answer, hang, block } = openHanging(root)
  const bytes: DeviceTree['bytes'] = async (path, count) => {
    await answer(path)
    return plain.bytes(path, count)
  }
  const lines: DeviceTree['lines'] = async (paths) => {
    await Promise.all(paths.map(answer))
    return plain.lines(paths)
  }
  const write: DeviceTree['write'] = async (path, text) => {
    await answer(path)
    if (refused.has(path)) throw new Error('EIO: i/o error, write')
    await plain.write(path, text)
    // The kernel takes each write as a whole. A file keeps what a shorter write leaves.
    set(path, text)
    writes.push(`${path}=${text}`)
    const link = join(root, devices, text, 'driver')
    if (path.endsWith('/unbind')) rmSync(link, { force: true })
    if (path !== '/sys/bus/pci/drivers_probe' || (await driverOf(text)) !== undefined) return
    const override = await plain.text(`${devices}/${text}/driver_override`)
    const driver = override === 'vfio-pci' ? override : usual.get(text)
    if (driver !== undefined && existsSync(join(root, '/sys/bus/pci/drivers', driver))) {
      symlinkSync(`../../../../bus/pci/drivers/${driver}`, link)
    }
  }
  const own: DeviceTree['own'] = async (path, uid) => {
    if (!existsSync(join(root, path))) throw new Error('ENOENT')
    owners.set(path, uid)
  }
  const setAlive = (pci: string, isAlive: boolean) => set(`${devices}/${pci}/config`, isAlive ? alive : dead)
  const tree = { ...plain, bytes, lines, write, own }
  return { root, tree, writes, owners, driverOf, setAlive, refused, hang, set, block }
}
