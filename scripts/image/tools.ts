import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { promisify } from 'node:util'

// The programs that build the image. All of them run as an ordinary user.

const execute = promisify(execFile)

/** Boot code of GRUB for a BIOS. The package grub-pc-bin contains it. */
export const bootSector = '/usr/lib/grub/i386-pc/boot.img'

/** The PATH of an ordinary user may lack the folders of administrative programs. */
const path = [process.env.PATH, '/usr/sbin', '/sbin'].join(':')

const needed = [
  { tool: 'apt-get', package: 'apt' },
  { tool: 'dpkg-deb', package: 'dpkg' },
  { tool: 'tar', package: 'tar' },
  { tool: 'xz', package: 'xz-utils' },
  { tool: 'mke2fs', package: 'e2fsprogs' },
  { tool: 'grub-mkimage', package: 'grub-common' },
  { tool: 'qemu-img', package: 'qemu-utils' },
]

/** A sentence that names the missing programs and how to install them. Undefined if none is missing. */
export async function missingTools(): Promise<string | undefined> {
  const places = path.split(':')
  const missing: { tool: string; package: string }[] = []
  for (const one of needed) {
    const isThere = await Promise.any(places.map((place) => access(`${place}/${one.tool}`))).then(
      () => true,
      () => false,
    )
    if (!isThere) missing.push(one)
  }
  await access(bootSector).catch(() => missing.push({ tool: bootSector, package: 'grub-pc-bin' }))
  if (missing.length === 0) return undefined
  const names = missing.map(({ tool }) => tool).join(', ')
  const packages = missing.map((one) => one.package).join(' ')
  return `Missing: ${names}. Install it: apt-get install -y --no-install-recommends ${packages}`
}

/** Runs a program without a shell. Returns its output. Throws with its error output. */
export async function run(tool: string, words: readonly string[], cwd?: string): Promise<string> {
  const options = { cwd, env: { ...process.env, PATH: path, LC_ALL: 'C' }, maxBuffer: 2 ** 24 }
  try {
    return (await execute(tool, words, options)).stdout
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new Error(`${tool} failed: ${stderr?.trim() || message}`)
  }
}
