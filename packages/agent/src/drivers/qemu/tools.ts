/** The programs that the driver calls, without a shell. */
import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { startFailure } from '../../problems.ts'

const run = promisify(execFile)
const toolMilliseconds = 60_000
const bannerMilliseconds = 300

/** Runs a tool; gives what it printed. */
export async function runTool(tool: string, words: readonly string[]): Promise<string> {
  const { stdout } = await run(tool, words, { timeout: toolMilliseconds, maxBuffer: 2 ** 22 })
  return stdout
}

type ImageInfo = {
  readonly format: string
  readonly 'virtual-size': number
  readonly encrypted?: boolean
  readonly 'backing-filename'?: string
  readonly 'format-specific'?: { readonly data?: { readonly 'data-file'?: string } }
}

/**
 * What an image is. It comes from a customer, so its format is told by its first bytes and never guessed by a tool that
 * would follow what it names. Throws a `StartFailure` where it names other files, is encrypted or too large.
 */
export async function inspectImage(path: string, format: 'qcow2' | 'raw', size_max: number | null): Promise<number> {
  const words = ['info', '--output=json', '-f', format, path]
  const text = await runTool('qemu-img', words).catch(() => {
    throw startFailure('image_not_bootable', 'The image cannot be read as a disk.')
  })
  const info = JSON.parse(text) as ImageInfo
  const names = info['backing-filename'] ?? info['format-specific']?.data?.['data-file']
  if (names !== undefined) throw startFailure('image_refused', 'The image names another file.')
  if (info.encrypted) throw startFailure('image_refused', 'The image is encrypted.')
  if (size_max !== null && info['virtual-size'] > size_max) {
    throw startFailure(
      'image_too_large',
      `The disk of the image has ${info['virtual-size']} bytes, ${size_max} at most.`,
    )
  }
  return info['virtual-size']
}

/** Makes the disk of a machine over an image that nobody writes to. */
export async function makeOverlay(image: string, format: 'qcow2' | 'raw', disk: string): Promise<void> {
  await runTool('qemu-img', ['create', '-q', '-f', 'qcow2', '-F', format, '-b', image, disk])
}

/** Whether a secure shell answers: the port is open long before, so only its first line proves it. */
export function hasBanner(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port })
    let said = ''
    const end = (answers: boolean) => {
      socket.destroy()
      resolve(answers)
    }
    socket.setTimeout(bannerMilliseconds, () => end(false))
    socket.on('error', () => end(false))
    socket.on('close', () => resolve(false))
    socket.on('data', (piece) => {
      said += piece
      if (said.includes('\n')) end(said.startsWith('SSH-'))
    })
  })
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
