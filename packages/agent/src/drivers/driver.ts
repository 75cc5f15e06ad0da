/** What runs machines on a host. The agent knows no more of a driver than this; every driver keeps the same rules. */
import type { DesiredInstance, DesiredNetwork, ReportedSsh } from '@bourse/api/fleet/agent.ts'

/** A machine as a driver is to run it. */
export type MachineSpec = {
  readonly id: string
  /** A folder of its own, readable by the agent alone; the driver keeps all of the machine there. */
  readonly directory: string
  readonly hostname: string
  readonly slot: number
  /** How big it is to be. */
  readonly size: DesiredInstance['machine']
  readonly network: DesiredNetwork
  /** The image as it was fetched, which nobody may write to; null where there are no bytes of it. */
  readonly image_file: string | null
  /** The way into the networks of this host; without one the driver gives its own, to the secure shell alone. */
  readonly wiring?: Wiring | undefined
}

/** A device that somebody else has made for a machine, owned by the user that the machine runs as. */
export type Wiring = {
  /** The network namespace that it lies in. */
  readonly namespace: string
  readonly device: string
  /** Where on this host its secure shell is reached. */
  readonly address: string
  readonly port: number
}

/** Why a machine ended without having been asked to. */
export type MachineEnd = 'guest_shutdown' | 'guest_panicked' | 'machine_lost' | 'crash_loop'

/** What the guest is to know of its end. */
export type TerminationNotice = { readonly deadline_at: number; readonly reason: string }

/** Whether a driver can run machines here, and what is missing if not: each with what it is for and how to get it. */
export type Fitness = { readonly is_fit: boolean; readonly findings: readonly Finding[] }

/** One thing that was looked at. */
export type Finding = {
  readonly what: string
  readonly is_good: boolean
  readonly says: string
  /** Machines run without it all the same, but can do less. */
  readonly is_optional?: boolean
  /** The Debian package that brings what is missing. */
  readonly package?: string
}

/** A driver. Its functions may be called again after they failed, and after the agent was restarted. */
export type Driver = {
  readonly name: string
  /** What it gives to machines of itself. `ssh_only`: no outbound traffic, and their secure shell alone is reached. */
  readonly network: 'full' | 'ssh_only'
  /** The user that the machine of a slot runs as, whose its device has to be; absent: it takes no wiring. */
  readonly ownerOf?: (slot: number) => number
  /** Whether machines start from the bytes of an image. */
  readonly needs_image: boolean
  /** Looks whether machines can run here. */
  probe(): Promise<Fitness>
  /** Makes what a machine starts from. Throws a `StartFailure`. */
  prepare(spec: MachineSpec, user_data: Buffer | null): Promise<void>
  /** Starts a prepared machine; done when it runs. What is left of an earlier try is cleared away. */
  start(spec: MachineSpec, signal: AbortSignal): Promise<void>
  /** Takes up a machine that ran before the agent did; gives how it ended where it does not run any more. */
  adopt(spec: MachineSpec): Promise<MachineEnd | undefined>
  /** Asks the guest to stop, and ends the machine when the grace is over. Done when it is gone. */
  stop(spec: MachineSpec, grace_seconds: number): Promise<void>
  /** Frees everything of a machine that is gone, or kills it first. */
  destroy(spec: MachineSpec): Promise<void>
  /** Bytes of the console from a position on, at most so many. */
  console(spec: MachineSpec, from_byte: number, bytes_max: number): Promise<Buffer>
  /** How its secure shell is reached, once its host keys were seen. */
  endpoints(spec: MachineSpec): Promise<ReportedSsh | undefined>
  /** Tells the guest when and why it will end, or that it will not. */
  tell(spec: MachineSpec, notice: TerminationNotice | null): Promise<void>
  /** Calls back when a machine ends that was not asked to. */
  onEnd(listener: (id: string, end: MachineEnd) => void): void
  /** Lets go of all machines, which run on: nothing of them keeps this process from its end. */
  close?(): void
}
