// The open files with which QEMU starts. It gets no path of the host, because its user may not open any.

/** The number under which QEMU finds each file. Its command line and the files that its process inherits follow it. */
export const qemuDescriptors = {
  monitor: 3,
  console: 4,
  disk: 5,
  image: 6,
  seed: 7,
  metadata: 8,
  guest: 9,
  // Only with UEFI.
  firmware: 10,
  variables: 11,
} as const

/** A file that QEMU gets open. */
export type QemuFile = keyof typeof qemuDescriptors
export type QemuDescriptors = Readonly<Record<QemuFile, number>>

/** What a process gets as its descriptor of this number: an open file of the agent, or nothing to read. */
type Inherited = number | 'ignore'

/** The descriptors of a new process: each open file at its own number, both outputs to the file of errors. */
export function inheritedFiles(
  open: Readonly<Partial<Record<QemuFile, number>>>,
  errors: number,
  descriptors: QemuDescriptors = qemuDescriptors,
): Inherited[] {
  const numbers = new Map(Object.entries(open).map(([name, fd]) => [descriptors[name as QemuFile], fd]))
  const last = Math.max(2, ...numbers.keys())
  const above = Array.from({ length: last - 2 }, (_, index) => numbers.get(index + 3) ?? 'ignore')
  return ['ignore', errors, errors, ...above]
}
