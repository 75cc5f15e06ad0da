/**
 * What the dashboards show. `$job` is the installation. Figures about the database are the same on all replicas, so
 * panels take the maximum of them and the sum of all others.
 */

/** A panel: its queries by their legends. */
export type PanelSpec = {
  readonly title: string
  readonly description: string
  readonly unit: string
  readonly kind?: 'timeseries' | 'stat'
  readonly queries: Readonly<Record<string, string>>
  /** The value above which an alert fires. */
  readonly limit?: number
}

/** A row of panels of one width, of 24 columns in all. */
export type PanelGroup = { readonly title: string; readonly width: 6 | 8 | 12; readonly panels: readonly PanelSpec[] }

type DashboardSpec = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly groups: readonly PanelGroup[]
}

const job = 'job=~"$job"'
const rate = (metric: string, labels = '') => `rate(${metric}{${job}${labels}}[$__rate_interval])`
const most = (metric: string, { by = '', labels = '' } = {}) =>
  `max${by === '' ? '' : ` by (${by})`} (${metric}{${job}${labels}})`
/** With 0 where there is no series, as before the first failure. */
const orNone = (query: string) => `${query} or vector(0)`
const quantile = (q: number, labels: string) =>
  `histogram_quantile(${q}, sum by (le) (${rate('bourse_http_request_seconds_bucket', labels)}))`

const state: PanelGroup = {
  title: 'State',
  width: 6,
  panels: [
    {
      title: 'Replicas',
      description: 'Replicas that respond to Prometheus, and those that are ready.',
      unit: 'short',
      kind: 'stat',
      queries: { up: `sum(up{${job}})`, ready: `sum(bourse_ready{${job}})` },
    },
    {
      title: 'Storing',
      description: 'Whether all replicas read their database, and store durably: 1 if they do.',
      unit: 'short',
      kind: 'stat',
      queries: { reads: `min(bourse_database_up{${job}})`, stores: `min(bourse_durable_write_up{${job}})` },
    },
    {
      title: 'Violations',
      description: 'Rows that contradict each other, as the last hourly run of the audits found them.',
      unit: 'short',
      kind: 'stat',
      queries: { rows: orNone(`sum(${most('bourse_audit_violations', { by: 'audit' })})`) },
      limit: 1,
    },
    {
      title: 'Versions',
      description: 'Replicas by version.',
      unit: 'short',
      kind: 'stat',
      queries: { '{{version}}': `count by (version) (bourse_build_info{${job}})` },
    },
  ],
}

const requests: PanelGroup = {
  title: 'Requests',
  width: 8,
  panels: [
    {
      title: 'Requests by status',
      description: 'Answers a second.',
      unit: 'reqps',
      queries: { '{{status}}': `sum by (status) (${rate('bourse_http_request_seconds_count')})` },
    },
    {
      title: 'Busiest operations',
      description: 'The ten operations with the most requests.',
      unit: 'reqps',
      queries: { '{{operation}}': `topk(10, sum by (operation) (${rate('bourse_http_request_seconds_count')}))` },
    },
    {
      title: 'What the database could not do',
      description: 'Refused requests and steps a second, by cause.',
      unit: 'ops',
      queries: { '{{cause}}': orNone(`sum by (cause) (${rate('bourse_unavailable_total')})`) },
    },
  ],
}

const work: PanelGroup = {
  title: 'Work',
  width: 8,
  panels: [
    {
      title: 'Lag of reconcilers',
      description: 'How long the oldest due work has waited, of the ten kinds that are latest.',
      unit: 's',
      queries: { '{{kind}}': `topk(10, ${most('bourse_due_oldest_age_seconds', { by: 'kind' })})` },
      limit: 60,
    },
    {
      title: 'Failing work',
      description: 'Keys whose last step failed.',
      unit: 'short',
      queries: { '{{kind}}': `topk(10, ${most('bourse_due_failing_rows', { by: 'kind' })})` },
    },
    {
      title: 'Steps',
      description: 'Steps a second, of the ten busiest kinds.',
      unit: 'ops',
      queries: { '{{kind}}': `topk(10, sum by (kind) (${rate('bourse_reconciler_steps_total')}))` },
    },
    {
      title: 'Webhooks',
      description: 'Attempts a second.',
      unit: 'ops',
      queries: { '{{outcome}}': `sum by (outcome) (${rate('bourse_webhook_attempts_total')})` },
    },
    {
      title: 'Lag of webhooks',
      description: 'Age of the oldest event that was not sent, by state of the receivers.',
      unit: 's',
      queries: { '{{receiver}}': most('bourse_webhook_lag_seconds', { by: 'receiver' }) },
      limit: 30,
    },
    {
      title: 'Streams',
      description: 'Open event streams.',
      unit: 'short',
      queries: { '{{instance}}': `sum by (instance) (bourse_streams{${job}})` },
    },
  ],
}

const market: PanelGroup = {
  title: 'Market',
  width: 8,
  panels: [
    {
      title: 'Resting orders',
      description: 'Orders that rest in all books.',
      unit: 'short',
      queries: { '{{side}}': most('bourse_resting_orders', { by: 'side' }) },
    },
    {
      title: 'Order books',
      description: 'Books in which orders can be made, and halted ones.',
      unit: 'short',
      queries: { '{{state}}': most('bourse_books', { by: 'state' }) },
    },
    {
      title: 'Orders',
      description: 'New orders a second, by answer.',
      unit: 'reqps',
      queries: {
        '{{status}}': `sum by (status) (${rate('bourse_http_request_seconds_count', ',operation="create_order"')})`,
      },
    },
    {
      title: 'Best bids',
      description: 'The highest limit of a buy for the next hour, per node-hour.',
      unit: 'currencyUSD',
      queries: { '{{sku}}': most('bourse_best_bid_dollars', { by: 'sku' }) },
    },
    {
      title: 'Best asks',
      description: 'The lowest limit of a sell for the next hour, per node-hour.',
      unit: 'currencyUSD',
      queries: { '{{sku}}': most('bourse_best_ask_dollars', { by: 'sku' }) },
    },
    {
      title: 'Spread',
      description: 'The best ask less the best bid.',
      unit: 'currencyUSD',
      queries: {
        '{{sku}}': ['ask', 'bid'].map((side) => most(`bourse_best_${side}_dollars`, { by: 'sku' })).join(' - '),
      },
    },
    {
      title: 'Time of an order',
      description: 'The median, and what one in a hundred takes.',
      unit: 's',
      queries: {
        median: quantile(0.5, ',operation="create_order"'),
        '99th percentile': quantile(0.99, ',operation="create_order"'),
      },
      limit: 1,
    },
    {
      title: 'Reads of books',
      description: 'Uses of a cached order book: current, caught up with other replicas, or loaded whole.',
      unit: 'ops',
      queries: { '{{result}}': `sum by (result) (${rate('bourse_book_reads_total')})` },
    },
    {
      title: 'Books in memory',
      description: 'Order books that each replica keeps.',
      unit: 'short',
      queries: { '{{instance}}': `sum by (instance) (bourse_books_cached{${job}})` },
    },
  ],
}

const money: PanelGroup = {
  title: 'Money',
  width: 8,
  panels: [
    {
      title: 'Sum of the ledger',
      description: 'Always 0. Read by the hourly audits, as the others of this row.',
      unit: 'currencyUSD',
      kind: 'stat',
      queries: { sum: most('bourse_ledger_sum_dollars') },
    },
    {
      title: 'Held money',
      description: 'What accounts hold, and the sum of the holds: one line.',
      unit: 'currencyUSD',
      queries: { accounts: most('bourse_accounts_held_dollars'), holds: most('bourse_holds_dollars') },
    },
    {
      title: 'Holds',
      description: 'Holds of open buys.',
      unit: 'short',
      queries: { holds: most('bourse_holds') },
    },
  ],
}

const capacity: PanelGroup = {
  title: 'Capacity',
  width: 8,
  panels: [
    {
      title: 'Owned nodes',
      description: 'Nodes of the hosts that supply each SKU.',
      unit: 'short',
      queries: { '{{sku}}': most('bourse_capacity_owned_nodes', { by: 'sku' }) },
    },
    {
      title: 'Used nodes',
      description: 'Of these, nodes with a machine.',
      unit: 'short',
      queries: { '{{sku}}': most('bourse_capacity_used_nodes', { by: 'sku' }) },
    },
    {
      title: 'Idle nodes',
      description: 'Of these, nodes without a machine.',
      unit: 'short',
      queries: { '{{sku}}': most('bourse_capacity_idle_nodes', { by: 'sku' }) },
    },
    {
      title: 'Use',
      description: 'The part of all nodes that has a machine.',
      unit: 'percentunit',
      queries: {
        used: ['used', 'owned']
          .map((part) => `sum(${most(`bourse_capacity_${part}_nodes`, { by: 'sku' })})`)
          .join(' / '),
      },
    },
    {
      title: 'Waiting instances',
      description: 'Instances that wait for allocation or a slot.',
      unit: 'short',
      queries: { waiting: most('bourse_instances_waiting') },
    },
  ],
}

const hosts: PanelGroup = {
  title: 'Hosts',
  width: 8,
  panels: [
    {
      title: 'Hosts by state',
      description: 'Hosts that are not retired.',
      unit: 'short',
      queries: { '{{state}}': most('bourse_hosts', { by: 'state' }) },
    },
    {
      title: 'Hosts by health',
      description: 'The same hosts.',
      unit: 'short',
      queries: { '{{health}}': most('bourse_host_health', { by: 'health' }) },
    },
    {
      title: 'Rollouts of the agent',
      description: 'Rollouts in progress. One that is halted waits for an operator.',
      unit: 'short',
      queries: { '{{state}}': most('bourse_agent_rollouts', { by: 'state' }) },
    },
    {
      title: 'Oldest heartbeat',
      description: 'Age of the oldest last report of a host with an agent.',
      unit: 's',
      queries: { age: most('bourse_host_oldest_heartbeat_age_seconds') },
      limit: 300,
    },
    {
      title: 'Reports',
      description: 'Reports of agents a second, by answer.',
      unit: 'reqps',
      queries: {
        '{{status}}': orNone(
          `sum by (status) (${rate('bourse_http_request_seconds_count', ',operation="report_host"')})`,
        ),
      },
    },
    {
      title: 'Placement',
      description: 'Steps of the placement of instances a second.',
      unit: 'ops',
      queries: { steps: `sum(${rate('bourse_reconciler_steps_total', ',kind="fleet.placement"')})` },
    },
  ],
}

const database: PanelGroup = {
  title: 'Database',
  width: 8,
  panels: [
    {
      title: 'Connections for transactions',
      description: 'In use and idle, and transactions that wait for one.',
      unit: 'short',
      queries: {
        '{{state}}': `sum by (state) (bourse_database_connections{${job}})`,
        waiting: `sum(bourse_database_transactions_waiting{${job}})`,
      },
    },
    {
      title: 'Transactions and round trips',
      description: 'A second, of all replicas.',
      unit: 'ops',
      queries: {
        transactions: `sum(${rate('bourse_database_transactions_total')})`,
        'round trips': `sum(${rate('bourse_database_round_trips_total')})`,
      },
    },
    {
      title: 'Waits',
      description: 'How many requests and transactions wait on average.',
      unit: 'short',
      queries: {
        'turns of {{kind}}': `sum by (kind) (${rate('bourse_turn_wait_seconds_total')})`,
        connections: `sum(${rate('bourse_database_connection_wait_seconds_total')})`,
      },
    },
    {
      title: 'Locks',
      description: 'Transactions that wait for a lock, and for how long the oldest has waited.',
      unit: 'short',
      queries: {
        waiting: most('bourse_database_lock_waits'),
        'oldest, seconds': most('bourse_database_lock_oldest_wait_seconds'),
      },
      limit: 10,
    },
    {
      title: 'Sessions of the server',
      description: 'Of all programs, and how many it accepts.',
      unit: 'short',
      queries: { used: most('bourse_database_sessions'), accepted: most('bourse_database_sessions_max') },
    },
    {
      title: 'Turns',
      description: 'Requests that use the database, and that wait for it.',
      unit: 'short',
      queries: {
        '{{kind}}': `sum by (kind) (bourse_turns_taken{${job}})`,
        '{{kind}} waiting': `sum by (kind) (bourse_turns_waiting{${job}})`,
      },
    },
    {
      title: 'Replication',
      description: 'Write-ahead log that the slowest standby lacks, and that is kept for the oldest slot.',
      unit: 'bytes',
      queries: { behind: most('bourse_replication_lag_bytes'), kept: most('bourse_replication_retained_bytes') },
    },
    {
      title: 'Standbys and slots',
      description: 'Connected standbys, and replication slots by whether they are in use.',
      unit: 'short',
      queries: {
        standbys: most('bourse_standbys'),
        'slots: {{state}}': most('bourse_replication_slots', { by: 'state' }),
      },
    },
    {
      title: 'Reading of the figures',
      description: 'How long the statement takes that reads the figures of these pages.',
      unit: 's',
      queries: { '{{instance}}': most('bourse_database_reading_seconds', { by: 'instance' }) },
    },
  ],
}

const processes: PanelGroup = {
  title: 'Process',
  width: 8,
  panels: [
    {
      title: 'Processor',
      description: 'Processors in use, by replica.',
      unit: 'short',
      queries: { '{{instance}}': `sum by (instance) (${rate('process_cpu_seconds_total')})` },
    },
    {
      title: 'Memory',
      description: 'Memory in use, by replica.',
      unit: 'bytes',
      queries: { '{{instance}}': `sum by (instance) (process_resident_memory_bytes{${job}})` },
    },
    {
      title: 'Delay of the event loop',
      description: 'The 99th percentile, by replica.',
      unit: 's',
      queries: { '{{instance}}': most('nodejs_eventloop_lag_p99_seconds', { by: 'instance' }) },
      limit: 0.2,
    },
    {
      title: 'Garbage collection',
      description: 'The part of the time that it takes, by replica.',
      unit: 'percentunit',
      queries: { '{{instance}}': `sum by (instance) (${rate('nodejs_gc_duration_seconds_sum')})` },
    },
    {
      title: 'Files and sockets',
      description: 'Open ones, by replica.',
      unit: 'short',
      queries: { '{{instance}}': `sum by (instance) (process_open_fds{${job}})` },
    },
    {
      title: 'Spans of traces',
      description: 'Spans a second that reached the collector, and dropped ones. None where traces are off.',
      unit: 'ops',
      queries: { '{{outcome}}': `sum by (outcome) (${rate('bourse_trace_spans_total')})` },
    },
    {
      title: 'Lost memory',
      description: 'How often a replica dropped what it remembered, because the database was restarted or replaced.',
      unit: 'short',
      queries: { '{{instance}}': `sum by (instance) (bourse_history_replacements_total{${job}})` },
    },
  ],
}

const audits: PanelGroup = {
  title: 'Audits',
  width: 8,
  panels: [
    {
      title: 'Age of the last audits',
      description: 'Time since the last hourly run of all audits.',
      unit: 's',
      queries: { age: `time() - ${most('bourse_audit_last_run_timestamp_seconds')}` },
      limit: 14_400,
    },
    {
      title: 'Seals of the audit trail',
      description: 'The number of the newest seal, which never falls.',
      unit: 'short',
      queries: { number: most('bourse_audit_seal_number') },
    },
    {
      title: 'Unsealed',
      description: 'How long entries have waited for their seal.',
      unit: 's',
      queries: { unsealed: most('bourse_audit_unsealed_seconds') },
      limit: 14_400,
    },
  ],
}

/** The dashboards. */
export const dashboards: readonly DashboardSpec[] = [
  {
    name: 'overview',
    title: 'overview',
    description: 'Whether the service works, and what it does.',
    groups: [state, requests, work],
  },
  {
    name: 'market',
    title: 'market and money',
    description: 'Orders, prices and money.',
    groups: [market, money],
  },
  {
    name: 'fleet',
    title: 'fleet and hosts',
    description: 'Capacity, instances and hosts.',
    groups: [capacity, hosts],
  },
  {
    name: 'database',
    title: 'database and process',
    description: 'Where requests wait, the server of the database, and the replicas themselves.',
    groups: [database, processes, audits],
  },
]
