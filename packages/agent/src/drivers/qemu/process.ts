/** The process of a machine: starting it, and finding it again after a restart of the agent. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { waitFor } from '@bourse/text/time/pause.ts'
import { readIfThere } from '../../files.ts'
import type { MachineSpec } from '../driver.ts'
import { files, uuidOf } from './command-line.rules.ts'
import { inheritedFiles } from './descriptors.rules.ts'

const pollMilliseconds = 50

/** The files of this host that a machine starts with, besides its own. */
type SharedFiles = { readonly image: string; readonly uefi: string | undefined }

/** Starts QEMU with its open files. The process outlives the agent. Throws if the program does not exist. */
export async function launch(
  spec: MachineSpec,
  words: readonly string[],
  { image, uefi }: SharedFiles,
): Promise<ChildProcess> {
  const { directory } = spec
  const opened: FileHandle[] = []
  const at = async (path: string, flags: string) => {
    const file = await open(path, flags, 0o600)
    opened.push(file)
    return file.fd
  }
  const monitor = await listenAt(join(directory, files.monitor))
  const metadata = await listenAt(join(directory, files.metadata))
  const guest = await listenAt(join(directory, files.guest))
  try {
    const errors = await at(join(directory, files.errors), 'w')
    const open = {
      monitor: monitor.fd,
      console: await at(join(directory, files.console), 'a'),
      disk: await at(join(directory, files.disk), 'r+'),
      image: await at(image, 'r'),
      seed: await at(join(directory, files.seed), 'r'),
      metadata: metadata.fd,
      guest: guest.fd,
    }
    const withUefi = async (path: string) => ({
      ...open,
      firmware: await at(path, 'r'),
      variables: await at(join(directory, files.variables), 'r+'),
    })
    const stdio = inheritedFiles(uefi === undefined ? open : await withUefi(uefi), errors)
    const child = spawn(words[0] as string, words.slice(1), { detached: true, stdio })
    await once(child, 'spawn')
    child.unref()
    await noteProcess(directory, child.pid as number)
    return child
  } finally {
    for (const { server } of [monitor, metadata, guest]) server.close()
    await Promise.all(opened.map((file) => file.close()))
  }
}

/**
 * Opens a listening socket that QEMU inherits. It is created under a temporary name, because the server removes its own
 * name when it closes.
 */
async function listenAt(path: string): Promise<{ server: Server; fd: number }> {
  const beside = `${path}.new`
  const server = createServer().listen(beside)
  await once(server, 'listening')
  await rename(beside, path)
  // Node passes streams to child processes, but not listening sockets, so the descriptor is read from the handle.
  const { fd } = (server as unknown as { readonly _handle: { readonly fd: number } })._handle
  return { server, fd }
}

/** Writes down which process is that of a machine: its number, when it started, and in which run of the kernel. */
export async function noteProcess(directory: string, pid: number): Promise<void> {
  const started = (await readProcess(pid))?.started ?? ''
  await writeFile(join(directory, files.process), `${pid} ${started} ${await bootOf()}\n`, { mode: 0o600 })
}

/**
 * Finds the process of a machine, also while it ends: it holds its devices until the kernel has closed its files, long
 * after it has lost its command line. The process id alone may have been reused, so the start of the process decides.
 * An agent of before noted the id only, and one that was killed before it could note anything left no file or an empty
 * one: then the command line has to name the machine.
 */
export async function processOf({ id, directory }: MachineSpec): Promise<number | undefined> {
  const [pid, started, boot] = (await readIfThere(join(directory, files.process)))?.trim().split(' ') ?? []
  if (started) {
    const found = boot === (await bootOf()) ? await readProcess(Number(pid)) : undefined
    return found?.started === started && !found.has_ended ? Number(pid) : undefined
  }
  const numbers = pid ? [pid] : (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const uuid = uuidOf(id)
  for (const number of numbers) {
    const line = await readFile(`/proc/${number}/cmdline`, 'utf8').catch(() => '')
    if (line.split('\0').includes(uuid)) return Number(number)
  }
  return undefined
}

type ProcessReading = { readonly started: string; readonly has_ended: boolean }

/** Reads a process. It has ended once it only waits for its parent, and none of its threads is left. */
async function readProcess(pid: number): Promise<ProcessReading | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name of the program is in parentheses, and may contain any others.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? []
  const [state = '', threads, started] = [fields[0], fields[17], fields[19]]
  return started === undefined ? undefined : { started, has_ended: 'ZX'.includes(state) && Number(threads) <= 1 }
}

function bootOf(): Promise<string> {
  return readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => '',
  )
}

/** Waits until the process of a machine has ended and closed its devices. False after the timeout. */
export async function isGone(spec: MachineSpec, milliseconds: number): Promise<boolean> {
  const look = async () => (await processOf(spec)) === undefined
  return (await waitFor(look, { every: pollMilliseconds, at_most: milliseconds })) ?? false
}
