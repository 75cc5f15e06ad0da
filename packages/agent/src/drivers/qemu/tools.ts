/** The programs that the driver calls, without a shell. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, open } from 'node:fs/promises'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { pause } from '../../clock.ts'
import { startFailure } from '../../problems.ts'
import { type DiskLayout, headerBytes, isBootSector, readLayout, refuseSize } from './image.rules.ts'
import { type MachineUser, toolConfinement } from './user.rules.ts'

const run = promisify(execFile)
const toolMilliseconds = 60_000
/** An emulated guest under load takes its time for a greeting. */
const bannerMilliseconds = 1_000
const SECTOR = 512

/** Runs a tool; gives what it printed. */
export async function runTool(tool: string, words: readonly string[]): Promise<string> {
  const { stdout } = await run(tool, words, { timeout: toolMilliseconds, maxBuffer: 2 ** 22 })
  return stdout
}

/**
 * Looks at an image that a machine is to start from. Throws a `StartFailure` where it names other files, is encrypted,
 * too large, damaged, or nothing that boots.
 */
export async function inspectImage(
  path: string,
  size_max: number | null,
  user: MachineUser | undefined,
): Promise<DiskLayout> {
  const layout = await layoutOf(path)
  const file = await open(path, 'r')
  try {
    const refusal = refuseSize(layout, size_max)
    if (refusal) throw refusal
    const sector = await firstSector(layout.format, file.fd, user)
    if (!sector) throw startFailure('image_not_bootable', 'The image cannot be read as a disk.')
    if (isBootSector(sector)) return layout
    throw startFailure('image_not_bootable', 'The disk of the image has no boot sector.')
  } finally {
    await file.close()
  }
}

/** How an image is laid out, by its own first bytes. Throws a `StartFailure` where it may not be used. */
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

/** The first sector as a guest would read it. The tool gets the open file and nothing else: it reads hostile bytes. */
async function firstSector(
  format: DiskLayout['format'],
  fd: number,
  user: MachineUser | undefined,
): Promise<Buffer | undefined> {
  const words = [
    ...toolConfinement(user),
    'qemu-io',
    '-r',
    '-f',
    format,
    '-c',
    `read -v 0 ${SECTOR}`,
    '/proc/self/fd/3',
  ]
  const child = spawn(words[0] as string, words.slice(1), {
    stdio: ['ignore', 'pipe', 'ignore', fd],
    timeout: toolMilliseconds,
  })
  const [said] = await Promise.all([text(child.stdout as NonNullable<typeof child.stdout>), once(child, 'close')])
  const lines = [...said.matchAll(/^[0-9a-f]{8}: {2}((?:[0-9a-f]{2} ){16})/gm)].map(([, bytes]) => bytes as string)
  const sector = Buffer.from(lines.join('').replaceAll(' ', ''), 'hex')
  return sector.length === SECTOR ? sector : undefined
}

/**
 * Makes the disk of a machine over an image that nobody writes to: as large as the machine's own, or as the image where
 * that says nothing. The image is not opened for it.
 */
export async function makeOverlay(image: string, layout: DiskLayout, size: number | null, disk: string): Promise<void> {
  const words = ['create', '-q', '-u', '-f', 'qcow2', '-F', layout.format, '-b', image, disk]
  await runTool('qemu-img', [...words, `${Math.max(layout.size_bytes, size ?? 0)}`]).catch((error: Error) => {
    const isFull = /No space left|quota exceeded/i.test(error.message)
    if (isFull) throw startFailure('disk_full', 'The disk of the host is full.')
    throw startFailure('disk_failed', `The disk of the machine could not be made: ${error.message}`)
  })
  await chmod(disk, 0o600)
}

/** Whether a secure shell answers: the port is open long before, so only its first line proves it. */
export async function hasBanner(address: string, port: number): Promise<boolean> {
  const socket = connect({ host: address, port })
  const ended = new AbortController()
  let said = ''
  socket.on('error', () => {})
  socket.on('close', () => ended.abort())
  socket.on('data', (piece) => {
    said += piece
    if (said.includes('\n')) ended.abort()
  })
  await pause(bannerMilliseconds, ended.signal)
  socket.destroy()
  return said.includes('\n') && said.startsWith('SSH-')
}

/** The host keys that a secure shell shows. */
export async function scanHostKeys(address: string, port: number): Promise<{ key_type: string; key: string }[]> {
  // Asked for one kind that it lacks the tool fails although it has printed the others.
  const words = ['-T', '3', '-t', 'ed25519,rsa,ecdsa', '-p', String(port), address]
  const text = await runTool('ssh-keyscan', words).catch((error: { stdout?: string }) => error.stdout ?? '')
  return text.split('\n').flatMap((line) => {
    const [, key_type, key] = /^\S+ (\S+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? []
    return key_type === undefined || key === undefined ? [] : [{ key_type, key }]
  })
}
