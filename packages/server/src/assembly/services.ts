/** Creates the in-memory services of one server. Each member belongs to the area that declares it. */
import { findInstanceNameTemplate } from '../automation/deployments.service.ts'
import { readBudgetNames, removeBudgetsOfWorkspace } from '../billing/budgets.service.ts'
import { dualControlMicros } from '../billing/pending-credits.rules.ts'
import { createEntryQueue } from '../core/audit/entry-queue.ts'
import type { Log } from '../core/base/log.ts'
import type { Database } from '../core/db/db.ts'
import { createFailureCounts } from '../core/db/failure-causes.ts'
import { createSnapshotReader } from '../core/db/snapshot-reader.ts'
import { healthy } from '../core/db/write-health.rules.ts'
import { createStreams } from '../core/http/event-stream.ts'
import type { Mode, Runtime } from '../core/work/runtime.ts'
import type { Services } from '../core/work/services.ts'
import { rememberAccountLogs } from '../events/log/account-logs.service.ts'
import type { Keyring } from '../events/log/cursor-keys.service.ts'
import { rememberLogHeads } from '../events/log/log-heads.service.ts'
import { createEventReaders } from '../events/serving/reader-polls.service.ts'
import { createDesiredNotifier, createGenerationLoader } from '../fleet/agents/desired-state.service.ts'
import { createLogNotifier } from '../fleet/agents/instance-log-streams.service.ts'
import { serverLogBudget } from '../fleet/agents/instance-logs.rules.ts'
import { createReportQueues } from '../fleet/agents/report-batches.service.ts'
import type { HostNetworks } from '../fleet/hosts/host-addresses.rules.ts'
import { createReplacementQueue } from '../fleet/instances/replacement-batches.service.ts'
import type { TunnelSettings } from '../fleet/tunnels/tunnels.service.ts'
import { withAllRights } from '../iam/access/permissions.service.ts'
import { openLoginsMaxOf } from '../iam/people/device-logins.service.ts'
import { changeRights } from '../iam/people/openers.service.ts'
import { createProviderClients, issuersOf } from '../iam/providers/provider-clients.service.ts'
import type { SignInProvider } from '../iam/providers/provider-settings.rules.ts'
import { createRecentEnds, readEndedTokens } from '../iam/tokens/ended-tokens.service.ts'
import { createImageVerification } from '../images/image-verification.service.ts'
import { createOrderQueue } from '../market/orders/order-batches.service.ts'
import { readOrderNames, readSkuNames } from '../market/orders/order-names.service.ts'
import { createSkuPageCache } from '../market/skus/sku-pages.service.ts'
import { createBookCache } from '../market/trading/book-cache.service.ts'
import { countReservedNodeHours } from '../market/trading/order-admission.service.ts'
import { makeDefaultFirewall, removeDefaultFirewall } from '../network/firewalls.service.ts'
import { createActiveFaults } from '../sandbox/faults/fault-injector.service.ts'
import { createWorldState } from '../sandbox/world/world.service.ts'
import { rememberShare } from '../webhooks/webhook-shares.service.ts'
import { readWebhookNames } from '../webhooks/webhooks.service.ts'

/** The parts from which the members are created. */
type ServiceParts = {
  /** The runtime of the server, once it is open. */
  readonly runtime: () => Runtime
  readonly database: Database
  readonly log: Log
  readonly cursor_keys: Keyring
  /** The monotonic clock in milliseconds. */
  readonly monotonic: () => number
  /** The factor of all rates. */
  readonly rate_multiplier: number
  readonly host_networks: HostNetworks
  readonly tunnel_settings: TunnelSettings
  readonly dual_control_dollars: number | undefined
  readonly mode: Mode
  readonly sign_in_providers: readonly SignInProvider[]
  readonly agent_signers: readonly string[]
}

/** Creates the members of one server. Two servers in one process share none of them. */
export function createServices(parts: ServiceParts): Services {
  const { database, cursor_keys, log, rate_multiplier, host_networks, tunnel_settings, mode } = parts
  return {
    ...given,
    readSnapshot: createSnapshotReader(database.reader, database.history.observe),
    readEndedTokens,
    recordLoss: (evidence) => {
      database.recordLoss(evidence).catch((err) => log.error({ err, evidence }, 'The database has lost commits.'))
    },
    failures: createFailureCounts(log),
    writes: { health: healthy, now: parts.monotonic },
    audit_queue: createEntryQueue(),
    newest_seal: database.history.remember(() => ({ seal: undefined })),
    seals_may_begin_again: mode === 'sandbox',
    streams: createStreams(),
    caller_generation: { value: 0 },
    recent_ends: database.history.remember(createRecentEnds),
    first_tokens_end: mode === 'production',
    dual_control_micros: dualControlMicros(parts.dual_control_dollars),
    cursor_keys,
    account_logs: rememberAccountLogs(database.history),
    event_readers: createEventReaders(),
    log_heads: rememberLogHeads(database.history),
    open_logins_max: openLoginsMaxOf(rate_multiplier),
    providers: createProviderClients(parts.sign_in_providers),
    sign_in_issuers: (accountId) => issuersOf(parts.sign_in_providers, accountId),
    webhook_share: rememberShare(database.history),
    webhook_settings: { is_public_only: mode === 'production', holds_clock: mode === 'sandbox' },
    webhook_clock: { held: new Map(), ticks: 0, wake: () => {} },
    webhook_counts: { delivered: 0, failed: 0 },
    traded_accounts: database.history.remember(() => new Set<string>()),
    fold_sweeps: database.history.remember(() => ({ until_full: 0 })),
    webhook_measures: { lags: () => ({ active: 0, failing: 0 }) },
    sku_pages: database.history.remember(createSkuPageCache),
    books: database.history.remember(createBookCache),
    book_reads: { current: 0, caught_up: 0, loaded: 0 },
    image_verification: createImageVerification(),
    order_queue: createOrderQueue(parts.runtime),
    replacement_queue: createReplacementQueue(parts.runtime),
    report_queues: createReportQueues(parts.runtime),
    host_networks,
    tunnel_settings,
    agent_signers: parts.agent_signers,
    host_generations: createGenerationLoader(database.reader),
    desired_notifier: createDesiredNotifier(parts),
    log_notifier: createLogNotifier(parts),
    log_budget: {
      bytes_per_second: serverLogBudget.bytes_per_second * rate_multiplier,
      burst_bytes: serverLogBudget.burst_bytes * rate_multiplier,
    },
    world: createWorldState(),
    active_faults: createActiveFaults(),
  }
}

/** Functions that areas provide to areas on their left. */
const given: Pick<
  Services,
  'withAllRights' | 'changeRights' | 'name_readers' | 'workspace_hooks' | 'find_name_template' | 'limit_counters'
> = {
  withAllRights,
  changeRights,
  name_readers: [readWebhookNames, readBudgetNames, readSkuNames, readOrderNames],
  workspace_hooks: [
    {
      onCreated: makeDefaultFirewall,
      onRemoved: async (ctx, place) => {
        await removeBudgetsOfWorkspace(ctx, place)
        await removeDefaultFirewall(ctx, place.workspace_id)
      },
    },
  ],
  find_name_template: findInstanceNameTemplate,
  limit_counters: {
    reserved_node_hours: countReservedNodeHours,
    // Streams are not stored, so each process counts its own.
    event_streams: async (ctx, accountId) => ctx.services.streams.count(accountId),
  },
}
