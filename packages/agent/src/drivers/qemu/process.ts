/** The process of a machine: starting it, and finding it again after a restart of the agent. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { waitFor } from '../../clock.ts'
import { readIfThere } from '../../files.ts'
import type { MachineSpec } from '../driver.ts'
import { files, uuidOf } from './command-line.rules.ts'

const pollMilliseconds = 50

/** The files of this host that a machine starts with, besides its own. */
export type SharedFiles = { readonly image: string; readonly uefi: string | undefined }

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
  try {
    const errors = await at(join(directory, files.errors), 'w')
    const handles = [
      ...[monitor.fd, await at(join(directory, files.console), 'a'), await at(join(directory, files.disk), 'r+')],
      ...[await at(image, 'r'), await at(join(directory, files.seed), 'r'), metadata.fd],
      ...(uefi === undefined ? [] : [await at(uefi, 'r'), await at(join(directory, files.variables), 'r+')]),
    ]
    const stdio = ['ignore' as const, errors, errors, ...handles]
    const child = spawn(words[0] as string, words.slice(1), { detached: true, stdio })
    await once(child, 'spawn')
    child.unref()
    await writeFile(join(directory, files.process), `${child.pid}\n`, { mode: 0o600 })
    return child
  } finally {
    for (const { server } of [monitor, metadata]) server.close()
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

/**
 * Finds the process of a machine by its UUID, because the process id alone may have been reused. If the agent was
 * killed before it stored the process id, all processes are searched.
 */
export async function processOf({ id, directory }: MachineSpec): Promise<number | undefined> {
  const noted = await readIfThere(join(directory, files.process))
  const numbers = noted === undefined ? (await readdir('/proc')).filter((name) => /^\d+$/.test(name)) : [noted.trim()]
  const uuid = uuidOf(id)
  for (const number of numbers) {
    const line = await readFile(`/proc/${number}/cmdline`, 'utf8').catch(() => '')
    if (line.split('\0').includes(uuid)) return Number(number)
  }
  return undefined
}

/** Waits until the process of a machine has ended. False after the timeout. */
export async function isGone(spec: MachineSpec, milliseconds: number): Promise<boolean> {
  const look = async () => ((await processOf(spec)) === undefined ? true : undefined)
  return (await waitFor(look, { every: pollMilliseconds, at_most: milliseconds })) ?? false
}
