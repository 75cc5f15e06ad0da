/** What a command says that it has done, where it ends or changes something: each in its own word, or "Deleted". */
import type { OperationName } from '@bourse/api/contract.ts'

const endings: Readonly<Partial<Record<OperationName, string>>> = {
  end_user_sessions: 'Sessions ended',
  delete_user_identity: 'Identity removed',
  delete_user_passkey: 'Passkey removed',
  update_user_passkey: 'Renamed',
  delete_grant: 'Role taken away, grant deleted',
  cancel_order: 'Cancelled',
  revoke_image: 'Revoked',
  reinstate_image: 'Reinstated',
  deprecate_image: 'Marked as outdated',
  terminate_instance: 'Terminated',
  replace_instance: 'Replaced',
  delete_instance: 'Record deleted',
  cordon_host: 'Cordoned',
  uncordon_host: 'Uncordoned',
  drain_host: 'Draining',
  retire_host: 'Retired',
  delete_host_enrolment: 'Permit ended',
  freeze_account: 'Frozen',
  unfreeze_account: 'No longer frozen',
  delete_account_limit: 'Override removed',
  retire_sku: 'Retired',
  restore_sku: 'Restored',
  delete_sku_override: 'Override removed',
  publish_public_image: 'Published',
  revoke_public_image: 'Revoked',
  reinstate_public_image: 'Reinstated',
  deprecate_public_image: 'Marked as outdated',
  approve_pending_credit: 'Approved',
  refuse_pending_credit: 'Refused',
  delete_agent_bundle: 'Version deleted',
  halt_agent_rollout: 'Halted',
  resume_agent_rollout: 'Resumed',
  cancel_agent_rollout: 'Cancelled',
  roll_back_agent_rollout: 'Rolling back',
  pin_host_agent: 'Agent pinned',
  unpin_host_agent: 'Agent unpinned',
  halt_market: 'Market halted',
  resume_market: 'Market resumed',
  delete_fault: 'Fault removed',
}

/** The line of an operation that ended or changed what its parameters name; undefined where it is neither. */
export function endingOf(operation: string, params: readonly string[]): string | undefined {
  const word = endings[operation as OperationName] ?? (operation.startsWith('delete_') ? 'Deleted' : undefined)
  if (word === undefined) return undefined
  return params.length === 0 ? `${word}.` : `${word}: ${params.join(' ')}.`
}
