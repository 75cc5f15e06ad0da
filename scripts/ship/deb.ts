/**
 * Builds the Debian package: program, Node, units, manual pages, completion and settings. It needs nothing but the C
 * and C++ libraries, and no compiler: every file is made here.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { scriptOf, shells } from '../../packages/cli/src/commands/setup/completion-scripts.ts'
import { readSourceDate, readVersion } from '../pack/commit.ts'
import { printManPages } from '../pack/man-pages.ts'
import { root, runProgram, settleModes } from '../pack/program.ts'
import { type Architecture, placeNode } from './architectures.ts'
import { placeProgram } from './program-files.ts'

const zip = promisify(gzip)
const systemd = join(root, 'ops/systemd')

/** Where shells look for completions. */
const completions = {
  bash: 'usr/share/bash-completion/completions/bourse',
  zsh: 'usr/share/zsh/vendor-completions/_bourse',
  fish: 'usr/share/fish/vendor_completions.d/bourse.fish',
} as const satisfies Record<(typeof shells)[number], string>

/** Packs the Debian package for an architecture into a directory; a key signs the agent in it. Returns its path. */
export async function packDeb(directory: string, architecture: Architecture, key?: string): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'bourse-deb-'))
  try {
    const version = await readVersion()
    await placeProgram(place, key)
    await placeNode(architecture, join(place, 'usr/lib/bourse/bin/node'))
    await placeUnits(place)
    await placePages(place, version)
    // Files alone: the size of a folder differs between file systems.
    const sizes = await runProgram('find', [place, '-type', 'f', '-printf', '%s\\n'])
    const bytes = sizes.split('\n').reduce((sum, size) => sum + Number(size), 0)
    const kilobytes = Math.ceil(bytes / 1024)
    await placeControl(place, controlText({ version, architecture, kilobytes }))
    await settleModes(place)
    const path = join(directory, `bourse_${version}_${architecture}.deb`)
    const env = { ...process.env, SOURCE_DATE_EPOCH: `${await readSourceDate()}` }
    // Half the time of xz, and Debian 12 reads it.
    const words = ['-Zzstd', '-z9', '--threads-max=1', '--root-owner-group', '--build', place, path]
    await runProgram('dpkg-deb', words, { env })
    return path
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function placeUnits(system: string): Promise<void> {
  for (const unit of [
    'bourse-server@.service',
    'bourse-agent.service',
    'bourse-agent-updater.service',
    'bourse-agent-updater.timer',
  ]) {
    await cp(join(systemd, unit), join(system, 'usr/lib/systemd/system', unit))
  }
  await cp(join(systemd, 'bourse.sysusers.conf'), join(system, 'usr/lib/sysusers.d/bourse.conf'))
  await cp(join(systemd, 'bourse.tmpfiles.conf'), join(system, 'usr/lib/tmpfiles.d/bourse.conf'))
  await cp(join(systemd, 'bourse.env'), join(system, 'etc/bourse/bourse.env'))
}

async function placePages(system: string, version: string): Promise<void> {
  const write = async (path: string, bytes: string | Buffer) => {
    const target = join(system, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, bytes)
  }
  for (const [name, text] of await printManPages(version)) {
    await write(`usr/share/man/man1/${name}.gz`, await zip(text, { level: 9 }))
  }
  for (const shell of shells) await write(completions[shell], scriptOf(shell, 'bourse'))
  await write('usr/share/doc/bourse/copyright', copyright)
}

async function placeControl(system: string, control: string): Promise<void> {
  await mkdir(join(system, 'DEBIAN'))
  const write = (name: string, text: string) => writeFile(join(system, 'DEBIAN', name), text)
  await write('control', control)
  await write('conffiles', '/etc/bourse/bourse.env\n')
  for (const script of ['postinst', 'prerm', 'postrm']) {
    await cp(join(root, 'ops/debian', script), join(system, 'DEBIAN', script))
    await runProgram('chmod', ['0755', join(system, 'DEBIAN', script)])
  }
}

const depends = [
  'libc6 (>= 2.28)',
  'libgcc-s1',
  'libstdc++6',
  'systemd | systemd-standalone-sysusers',
  'systemd | systemd-standalone-tmpfiles',
]

type ControlParts = { version: string; architecture: Architecture; kilobytes: number }

function controlText({ version, architecture, kilobytes }: ControlParts): string {
  return `Package: bourse
Version: ${version}
Architecture: ${architecture}
Maintainer: The Bourse authors <bourse@localhost>
Installed-Size: ${kilobytes}
Depends: ${depends.join(', ')}
Recommends: systemd
Suggests: postgresql (>= 17)
Section: net
Priority: optional
Description: compute marketplace control plane
 Server, command line and host agent of Bourse, a marketplace for machines by
 the hour: order books, capacity, instances, money and an event log. The server
 needs a PostgreSQL of your own, 17 or newer. Node.js comes with the package.
`
}

const copyright = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Bourse

Files: *
Copyright: the Bourse authors
License: Apache-2.0
 On Debian systems, the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0. The bill of materials of a release,
 bourse-VERSION.cdx.json, names the licences of what the program contains.
`
