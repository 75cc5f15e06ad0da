/** Roots of other systems, in which tests install what was packed. They need root and Debian's mirror. */
import { existsSync } from 'node:fs'
import { chmod, mkdir, rename } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { root, runProgram } from '../../../../scripts/pack/program.ts'

const mirror = 'http://deb.debian.org/debian'

/** Why programs cannot run in a root of their own here; false where they can, or have to. */
export function withoutRoots(...programs: readonly string[]): string | false {
  if (process.env.BOURSE_REQUIRE_ROOTS === '1') return false
  if (process.getuid?.() !== 0) return 'not root'
  const folders = (process.env.PATH ?? '').split(delimiter)
  const missing = programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))))
  return missing.length > 0 && `${missing.join(', ')} missing: see .ci/machines`
}

/** Unpacks a small Debian 12 that systemd can start. It is fetched once for a checkout. */
export async function unpackDebian(directory: string): Promise<void> {
  const kept = join(root, 'tmp/debian-12.tar')
  if (!existsSync(kept)) {
    await mkdir(join(root, 'tmp'), { recursive: true })
    const draft = `${kept}.${process.pid}`
    const words = ['--quiet', '--variant=minbase', '--include=systemd,systemd-sysv,dbus', '--format=tar']
    // Nobody needs this system after a crash.
    const quick = ['--dpkgopt=force-unsafe-io']
    await runProgram('mmdebstrap', [...words, ...quick, 'bookworm', draft, mirror])
    await rename(draft, kept)
  }
  await mkdir(directory, { recursive: true })
  await runProgram('tar', ['-xf', kept, '-C', directory, '--numeric-owner', '--exclude=./dev/*'])
}

/** Runs a program in a root, with processes of its own. */
export function runIn(directory: string, program: string, ...words: readonly string[]): Promise<string> {
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' }
  const apart = ['--mount', '--pid', '--fork', `--mount-proc=${join(directory, 'proc')}`]
  return runProgram('/usr/bin/unshare', [...apart, '/usr/sbin/chroot', directory, program, ...words], { env })
}

/** Lets every user of this machine connect to the PostgreSQL of a test: users of other systems have other numbers. */
export async function openToAll(socketDirectory: string): Promise<void> {
  await chmod(socketDirectory, 0o755)
  await chmod(join(socketDirectory, '.s.PGSQL.5432'), 0o777)
}
