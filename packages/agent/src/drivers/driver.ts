/** The interface of drivers, which run machines on a host. The same contract tests run against every driver. */
import type { DesiredInstance, DesiredNetwork, ReportedSsh } from '@bourse/api/fleet/agent.ts'
import type { GivenDevice } from '../devices/binding.ts'

/** An SSH key that the platform puts into a machine. */
export type PlacedKey = NonNullable<DesiredInstance['ssh_keys']>[number]

/** What is known of the keys of a machine. */
export type KeySync = {
  /** The ids of the keys that the platform has put into it. */
  readonly placed: readonly string[]
  /** Whether it runs long enough to have carried out all of its first boot. */
  readonly is_settled: boolean
}

/** The machine that a driver must run. */
export type MachineSpec = {
  readonly id: string
  /** Its own folder, readable only by the agent. The driver keeps all files of the machine there. */
  readonly directory: string
  readonly hostname: string
  readonly slot: number
  /** Its processors, memory and disk. */
  readonly size: DesiredInstance['machine']
  readonly network: DesiredNetwork
  /** The read-only file of the image; null if the image has no bytes. */
  readonly image_file: string | null
  /** The devices of the host that it gets, bound and open to its user. Absent: none. */
  readonly devices?: readonly GivenDevice[] | undefined
  /** The attachment to the networks of this host. Without one the driver provides SSH only. */
  readonly attachment?: NetworkAttachment | undefined
  /** The SSH keys that it must have from the platform. Absent: none. */
  readonly ssh_keys?: readonly PlacedKey[] | undefined
  /** Whatever its devices need: for a machine that only lists them. Absent: as its disk and its devices ask. */
  readonly firmware?: 'bios' | undefined
}

/** A network device for a machine, owned by the user that runs the machine. */
export type NetworkAttachment = {
  /** The network namespace of the device. */
  readonly namespace: string
  readonly device: string
  /** The address and port on this host at which its SSH is reached. */
  readonly address: string
  readonly port: number
}

export const machineEnds = ['guest_shutdown', 'guest_panicked', 'machine_lost', 'crash_loop'] as const

/** Why a machine ended without a request. */
export type MachineEnd = (typeof machineEnds)[number]

/** Console output, and the position of its first byte. */
export type ConsolePart = { readonly first_byte: number; readonly bytes: Buffer }

/** The termination notice that a guest can read. */
export type TerminationNotice = { readonly deadline_at: number; readonly reason: string }

/** Whether a driver can run machines on this host, and the results of its checks. */
export type Fitness = { readonly is_fit: boolean; readonly findings: readonly Finding[] }

/** The result of one check. */
export type Finding = {
  readonly subject: string
  readonly is_good: boolean
  readonly message: string
  /** Machines run without it, with restrictions. */
  readonly is_optional?: boolean
  /** The Debian package to install if it is missing. */
  readonly package?: string
}

/** What a machine must have of its host. `near`: the NUMA nodes of its devices. */
export type SlotNeeds = { readonly cpus: number; readonly memory_bytes: number; readonly near: readonly number[] }

/** A driver. Every function may be called again after a failure and after a restart of the agent. */
export type Driver = {
  readonly name: string
  /** The network that it provides itself. `ssh_only`: no outbound traffic, and only SSH inbound. */
  readonly network: 'full' | 'ssh_only'
  /** The user that runs the machine of a slot and must own its device. Absent: it accepts no network device. */
  readonly ownerOf?: (slot: number) => number
  /** Whether it can give machines devices of the host. */
  readonly gives_devices?: boolean
  /** Whether machines need the bytes of an image. */
  readonly needs_image: boolean
  /** Checks whether machines can run on this host. */
  probe(): Promise<Fitness>
  /** What the last probe found: whether the processor runs machines, and the version of QEMU. Null: not found out. */
  versions?(): { readonly is_kvm_usable: boolean | null; readonly qemu: string | null }
  /** Checks what slots with these needs get of the processors and the memory of this host. */
  planSlots?(slots: readonly SlotNeeds[]): Promise<Finding>
  /** Creates the files of a machine. Throws a `StartFailure`. */
  prepare(spec: MachineSpec, userData: Buffer | null): Promise<void>
  /** Starts a prepared machine. Resolves when it runs. Removes what an earlier try left. */
  start(spec: MachineSpec, signal: AbortSignal): Promise<void>
  /** Adopts a machine that was running before the agent started. Returns how it ended if it no longer runs. */
  adopt(spec: MachineSpec): Promise<MachineEnd | undefined>
  /** Requests the guest to stop, and ends the machine after the grace time. Resolves when it has ended. */
  stop(spec: MachineSpec, graceSeconds: number): Promise<void>
  /** Removes everything of a machine. Kills the machine if it runs. */
  destroy(spec: MachineSpec): Promise<void>
  /**
   * Console output from a position on, at most `bytesMax` bytes. Old output may be gone; then the part begins with the
   * first byte that is still there.
   */
  console(spec: MachineSpec, fromByte: number, bytesMax: number): Promise<ConsolePart>
  /** The SSH endpoint, once its host keys are known. */
  endpoints(spec: MachineSpec): Promise<ReportedSsh | undefined>
  /** Shows the guest its termination notice; null: none. */
  setNotice(spec: MachineSpec, notice: TerminationNotice | null): Promise<void>
  /**
   * Brings the SSH keys of the platform in a running machine to those of its spec. Returns the ids of those that it
   * has then; undefined if nothing in the machine answers. Removes no keys but those that were placed.
   */
  syncKeys(spec: MachineSpec, known: KeySync): Promise<readonly string[] | undefined>
  /** Calls the listener when a machine ends without a request. */
  onEnd(listener: (id: string, end: MachineEnd) => void): void
  /** Detaches from all machines, which keep running, so that this process can exit. */
  close?(): void
}
