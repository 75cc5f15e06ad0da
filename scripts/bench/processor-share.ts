/** Parts of a processor, for machines with too few of them: groups of processes whose time Linux limits. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../test/eventually.ts'

const root = '/sys/fs/cgroup'
/** The default of Linux. With a tenth of it, one worker alone needed a third more time for a request. */
const periodMicroseconds = 100_000

/** Where groups are made, and the files of a group that limit it to `microseconds` in each period. */
type Groups = { readonly folder: string; limits(microseconds: number): readonly (readonly [string, string])[] }

const firstVersion: Groups = {
  folder: join(root, 'cpu'),
  limits: (microseconds) => [
    ['cpu.cfs_period_us', String(periodMicroseconds)],
    ['cpu.cfs_quota_us', String(microseconds)],
  ],
}

const secondVersion: Groups = {
  folder: root,
  limits: (microseconds) => [['cpu.max', `${microseconds} ${periodMicroseconds}`]],
}

/** Whether this process may limit others. */
export function canLimitProcessors(): boolean {
  const group = join(groups()?.folder ?? '', `bourse-bench-${process.pid}`)
  try {
    makeGroup(group, 1)
    rmdirSync(group)
    return true
  } catch {
    return false
  }
}

/**
 * Limits each process to a part of a processor. `remove` waits until they have ended, and removes the groups.
 * @throws Error where {@link canLimitProcessors} is false.
 */
export function limitProcessors(pids: readonly number[], part: number): { remove(): Promise<void> } {
  const made = pids.map((pid) => {
    const group = join(groups()?.folder ?? '', `bourse-bench-${pid}`)
    makeGroup(group, part)
    writeFileSync(join(group, 'cgroup.procs'), String(pid))
    return group
  })
  return {
    remove: async () => {
      for (const group of made) {
        await eventually(
          `the processes of ${group} have ended`,
          () => readFileSync(join(group, 'cgroup.procs'), 'utf8') === '',
        )
        rmdirSync(group)
      }
    },
  }
}

function groups(): Groups | undefined {
  if (existsSync(join(firstVersion.folder, 'cpu.cfs_quota_us'))) return firstVersion
  const controllers = join(root, 'cgroup.subtree_control')
  return existsSync(controllers) && /\bcpu\b/.test(readFileSync(controllers, 'utf8')) ? secondVersion : undefined
}

function makeGroup(group: string, part: number): void {
  const kind = groups()
  if (!kind) throw new Error('This system has no groups of processes that limit the time of a processor.')
  mkdirSync(group)
  for (const [file, text] of kind.limits(Math.round(part * periodMicroseconds))) writeFileSync(join(group, file), text)
}
