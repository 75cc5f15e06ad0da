/** The programs that the driver runs, without a shell. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, open } from 'node:fs/promises'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { pause } from '@bourse/text/time/pause.ts'
import { startFailure } from '../../problems.ts'
import { type BootWays, bootBytes, bootWaysOf } from './firmware.rules.ts'
import { type DiskLayout, headerBytes, isBootSector, readLayout, refuseSize } from './image.rules.ts'
import { keyScan, type MachineUser, toolConfinement } from './user.rules.ts'

const run = promisify(execFile)
const toolMilliseconds = 60_000
/** An emulated guest under load is slow to send its SSH banner. */
const bannerMilliseconds = 1_000
const bannerBytesMax = 255
const sector = 512

/** Runs a tool. Returns its output. */
export async function runTool(tool: string, words: readonly string[]): Promise<string> {
  const { stdout } = await run(tool, words, { timeout: toolMilliseconds, maxBuffer: 2 ** 22 })
  return stdout
}

/**
 * Checks the image of a machine. Throws a `StartFailure` if it refers to other files, or is encrypted, too large,
 * damaged or not bootable.
 */
export async function inspectImage(
  path: string,
  sizeMax: number | null,
  user: MachineUser | undefined,
): Promise<{ readonly layout: DiskLayout; readonly boots: BootWays }> {
  const layout = await layoutOf(path)
  const file = await open(path, 'r')
  try {
    const refusal = refuseSize(layout, sizeMax)
    if (refusal) throw refusal
    const head = await firstBytes(layout, file.fd, user)
    if (!head) throw startFailure('image_not_bootable', 'The image cannot be read as a disk.')
    if (isBootSector(head)) return { layout, boots: bootWaysOf(head) }
    throw startFailure('image_not_bootable', 'The disk of the image has no boot sector.')
  } finally {
    await file.close()
  }
}

/** The format of an image, from its header. Throws a `StartFailure` if it cannot be used. */
export async function layoutOf(path: string): Promise<DiskLayout> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0)
    const layout = readLayout(buffer.subarray(0, bytesRead), (await file.stat()).size)
    if (layout instanceof Error) throw layout
    return layout
  } finally {
    await file.close()
  }
}

/** The first bytes as the guest sees them. The image is untrusted, so the tool gets only the open file. */
async function firstBytes(
  { format, size_bytes }: DiskLayout,
  fd: number,
  user: MachineUser | undefined,
): Promise<Buffer | undefined> {
  const bytes = Math.min(bootBytes, Math.floor(size_bytes / sector) * sector)
  const read = ['-r', '-f', format, '-c', `read -v 0 ${bytes}`, '/proc/self/fd/3']
  const [tool = '', ...words] = [...toolConfinement(user), 'qemu-io', ...read]
  const child = spawn(tool, words, { stdio: ['ignore', 'pipe', 'ignore', fd], timeout: toolMilliseconds })
  const [output] = await Promise.all([text(child.stdout as NonNullable<typeof child.stdout>), once(child, 'close')])
  const lines = [...output.matchAll(/^[0-9a-f]{8}: {2}((?:[0-9a-f]{2} ){16})/gm)].map(([, hex]) => hex as string)
  const head = Buffer.from(lines.join('').replaceAll(' ', ''), 'hex')
  return bytes > 0 && head.length === bytes ? head : undefined
}

/**
 * Creates the disk of a machine as an overlay of its read-only image: as large as the SKU specifies, or as the image if
 * it does not. The image itself is not opened.
 */
export async function makeOverlay(image: string, layout: DiskLayout, size: number | null, disk: string): Promise<void> {
  const words = ['create', '-q', '-u', '-f', 'qcow2', '-F', layout.format, '-b', image, disk]
  await runTool('qemu-img', [...words, `${Math.max(layout.size_bytes, size ?? 0)}`]).catch((error: Error) => {
    const isFull = /No space left|quota exceeded/i.test(error.message)
    if (isFull) throw startFailure('disk_full', 'The disk of the host is full.')
    throw startFailure('disk_failed', `The disk of the machine could not be created: ${error.message}`)
  })
  await chmod(disk, 0o600)
}

/** Whether SSH answers. The forwarded port is open long before, so only the banner proves it. */
export async function hasBanner(address: string, port: number): Promise<boolean> {
  const socket = connect({ host: address, port })
  const ended = new AbortController()
  let output = ''
  socket.on('error', () => {})
  socket.on('close', () => ended.abort())
  socket.on('data', (piece) => {
    output += piece
    // RFC 4253 allows 255 bytes. A guest may send without end.
    if (output.includes('\n') || output.length > bannerBytesMax) ended.abort()
  })
  await pause(bannerMilliseconds, ended.signal)
  socket.destroy()
  return output.includes('\n') && output.startsWith('SSH-')
}

/** The host keys of an SSH server. */
export async function scanHostKeys(
  server: { readonly address: string; readonly port: number },
  user: MachineUser | undefined,
): Promise<{ key_type: string; key: string }[]> {
  const [program = '', ...words] = keyScan(user, server)
  // If the server lacks one kind of key, the tool fails although it has printed the others.
  const text = await runTool(program, words).catch((error: { stdout?: string }) => error.stdout ?? '')
  return text.split('\n').flatMap((line) => {
    const [, key_type, key] = /^\S+ (\S+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? []
    return key_type === undefined || key === undefined ? [] : [{ key_type, key }]
  })
}
