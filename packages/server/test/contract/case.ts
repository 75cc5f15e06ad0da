/** The call of one operation that succeeds for a caller with the right. */
import type { ContractWorld } from './world.ts'

/** The request of a call. `paths` are the same resources as in `params`, by path. */
export type CaseCall = {
  params?: Record<string, string>
  paths?: Record<string, string>
  query?: string
  body?: object
}

export type ContractCase = {
  /** Creates what the call needs. Runs again after a call that changed something. */
  call?: (world: ContractWorld) => Promise<CaseCall> | CaseCall
  /** The token of a good call, where it may not be that of an admin. */
  token?: (world: ContractWorld) => Promise<string>
  /** The right is needed for the whole account, although other resources of the kind belong to workspaces. */
  account_wide?: true
  /** The body names a resource of the workspace, which does not exist for a caller without rights there. */
  names_in_body?: true
  /** The status for a caller with the right, if no call can succeed yet. */
  status?: number
  /** The path names a month, which every account has. */
  names_month?: true
  /** It acts on what there is one of at a time, so no other such case may run meanwhile. */
  is_alone?: true
  /** The call removes everything that existed before it. */
  ends_world?: true
}

/** A call with one resource in its path. */
export function onOne(
  make: (world: ContractWorld) => Promise<{ id: string; resource_path?: string }>,
  body?: object,
): ContractCase {
  return {
    call: async (world) => {
      const { id, resource_path } = await make(world)
      return {
        params: { id },
        ...(resource_path ? { paths: { id: resource_path } } : {}),
        ...(body ? { body } : {}),
      }
    },
  }
}
