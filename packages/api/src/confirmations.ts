/**
 * Which operations a person is asked about before they are sent. Clients with a person in front of them (the command
 * line, a console) read this table, so that they ask about the same operations.
 */
import type { OperationName } from './contract.ts'

/**
 * `destroys`: ends or deletes something that cannot be brought back as it was, or stops what others do. `spends`: can
 * spend money or sell capacity, now or later; the client shows an estimate first.
 */
export type Consequence = 'destroys' | 'spends'

/** The operations to ask about. */
export const confirmations: Readonly<Partial<Record<OperationName, Consequence>>> = {
  delete_workspace: 'destroys',
  delete_user: 'destroys',
  end_user_sessions: 'destroys',
  delete_user_identity: 'destroys',
  delete_user_passkey: 'destroys',
  delete_role: 'destroys',
  delete_grant: 'destroys',
  delete_token: 'destroys',
  delete_webhook: 'destroys',
  delete_budget: 'destroys',
  delete_pool: 'destroys',
  delete_maintenance_window: 'destroys',
  create_order: 'spends',
  cancel_order: 'destroys',
  revoke_image: 'destroys',
  delete_image: 'destroys',
  delete_firewall: 'destroys',
  delete_subnet: 'destroys',
  delete_infiniband_partition: 'destroys',
  delete_instance_template: 'destroys',
  create_instance: 'spends',
  terminate_instance: 'destroys',
  replace_instance: 'destroys',
  delete_instance: 'destroys',
  retire_host: 'destroys',
  delete_host_enrolment: 'destroys',
  create_deployment: 'spends',
  update_deployment: 'spends',
  delete_deployment: 'destroys',
  create_procurement: 'spends',
  update_procurement: 'spends',
  delete_procurement: 'destroys',
  freeze_account: 'destroys',
  halt_market: 'destroys',
  delete_account_limit: 'destroys',
  retire_sku: 'destroys',
  delete_sku_override: 'destroys',
  revoke_public_image: 'destroys',
  load_scenario: 'destroys',
  reset_sandbox: 'destroys',
}

/** Operations that end or spend something by their method, name or permission and are sent at once, with the reason. */
export const unconfirmed: Readonly<Partial<Record<OperationName, string>>> = {
  rotate_webhook_secret: 'The old secret stays valid for a day.',
  drain_host: 'Its deadline gives notice, and uncordon_host takes it back.',
  freeze_clock: 'It ends with resume_clock.',
  delete_fault: 'It ends a fault of the sandbox, which can be created again.',
  create_deployment_estimate: 'An estimate changes nothing.',
  create_deployment_update_estimate: 'An estimate changes nothing.',
  create_procurement_estimate: 'An estimate changes nothing.',
  create_procurement_update_estimate: 'An estimate changes nothing.',
}
