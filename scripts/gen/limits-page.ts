import { agentEndpoints, endpoints } from '../../packages/api/src/contract.ts'
import { auditRetentionDays } from '../../packages/api/src/iam/audit-entries.ts'
import { limits, trustLevels } from '../../packages/api/src/iam/limits.ts'
import {
  imageBytesMax,
  imagePartsMax,
  partBytesMax,
  partBytesMin,
} from '../../packages/api/src/images/image-parts.rules.ts'
import { virtualBytesMax } from '../../packages/api/src/images/qcow2.rules.ts'
import type { Endpoint } from '../../packages/api/src/kit/endpoint.ts'
import { errorCodes } from '../../packages/api/src/kit/errors.ts'
import { replaySeconds } from '../../packages/server/src/core/base/stored-responses.ts'
import { accountFactor, rateRules } from '../../packages/server/src/core/http/rate-limits.ts'
import { retentionSeconds } from '../../packages/server/src/events/log/events.rules.ts'
import { horizonSeconds } from '../../packages/server/src/market/trading/order-admission.rules.ts'
import { keptDeliveries, keptSeconds } from '../../packages/server/src/webhooks/webhook-purge.reconciler.ts'
import { binarySizeOf } from '../../packages/text/src/formats/amounts.ts'
import { daySeconds } from '../../packages/text/src/time/units.ts'
import { linksFrom, markdownTable } from './page-links.ts'

const link = linksFrom('docs/reference/limits.md')

const introduction = `# Limits

Generated from the code by \`npm run gen\`; change the code that the sections name instead.

## By trust level

From \`packages/api/src/iam/limits.ts\`. The platform operator sets the trust level of an account; by default it is
\`basic\`. A request beyond a limit is refused with ${errorCodes.limit_exceeded.status} \`limit_exceeded\` and
changes nothing; a stream beyond \`event_streams\` with ${errorCodes.rate_limited.status} \`rate_limited\`. Each
process of a replica counts its own streams. More rules than \`firewall_rules\` are refused with
${errorCodes.too_many.status} \`too_many\`. The platform operator can set each limit but that one for one account:
\`bourse account-limits put globex instances 200\`. What is used:

\`\`\`sh
bourse limits list
\`\`\`
`

const units: Readonly<Record<string, string>> = { count: '', bytes: '', node_hours: ' node-hours' }

function trustTable(): string {
  const rows = Object.entries(limits).map(([name, { unit, scope, values }]) => {
    const cells = trustLevels.map((level) => shownLimit(values[level], unit))
    return [`\`${name}\`${scope === 'each' ? ', of each firewall' : ''}`, ...cells]
  })
  return markdownTable(['Limit', ...trustLevels.map((level) => `\`${level}\``)], rows)
}

function shownLimit(value: number, unit: string): string {
  return unit === 'bytes' ? binarySizeOf(value) : `${value.toLocaleString('en-US')}${units[unit]}`
}

const meanings: Readonly<Record<keyof typeof rateRules, string>> = {
  read: '`GET` and `HEAD`, for each token',
  write: 'all other methods except `delete_deployment`, for each token',
  events: 'the list of events, for each token',
  reports: 'reports of a host, for each host',
  auth: 'requests without a valid token, for each address; beyond it their 401 or 403 has `Retry-After`',
  open: 'operations that need no token, for each address; beyond it they are delayed',
  refused: 'refusals by a rate limit, for each account or address; beyond it they are delayed',
  body: 'each 4 KiB of larger bodies, for each account or host; beyond it they are delayed',
}

function rates(): string {
  const rows = Object.entries(rateRules).map(([name, [burst, perSecond]]) => {
    const refill = perSecond < 1 ? `one in ${1 / perSecond} s` : String(perSecond)
    return [`\`${name}\``, meanings[name as keyof typeof rateRules], String(burst), refill]
  })
  return `## Rate limits

From \`packages/server/src/core/http/rate-limits.ts\`. All tokens of an account together have ${accountFactor} times the
figures of one token. Unless the table says otherwise, a request beyond its limit is refused with 429
\`rate_limited\`, and \`Retry-After\` says when
to try again. Each replica divides these figures by the number of replicas that is set, and has buckets of its own. A
sandbox has 100 times as much. More:
${link('rate limits', 'docs/concepts/rate-limits.md')},
${link('headers', 'docs/reference/api-conventions.md#rate-limits')}.

${markdownTable(['Bucket', 'Counts', 'At once', 'Then a second'], rows)}`
}

function sizes(): string {
  const all: readonly Endpoint[] = [...endpoints, ...agentEndpoints]
  const bySize = [...Map.groupBy(all, ({ body_bytes_max }) => body_bytes_max)]
  const [usual] = bySize.reduce((most, size) => (size[1].length > most[1].length ? size : most))
  const others = all.filter(({ body_bytes_max }) => body_bytes_max !== usual)
  const paged = (endpoints as readonly Endpoint[]).flatMap(({ name, query }) => {
    const { maximum, default: usually } = (query.properties.limit ?? {}) as { maximum?: number; default?: number }
    return maximum === undefined ? [] : [{ name, maximum, usually }]
  })
  const groups = Map.groupBy(paged, ({ maximum, usually }) => `${usually} ${maximum.toLocaleString('en-US')}`)
  const rarestFirst = [...groups].sort(([, one], [, other]) => one.length - other.length)
  const pages = rarestFirst.map(([figures, lists]) => {
    const named = lists.length > 5 ? 'every other list with pages' : lists.map(({ name }) => `\`${name}\``).join(', ')
    return [named, ...figures.split(' ')]
  })
  const bodies = others.map(({ name, body_bytes_max }) => [`\`${name}\``, binarySizeOf(body_bytes_max)])
  return `## Sizes of requests and pages

A body has at most ${binarySizeOf(usual)}, a part of an image more: see [images](#images). Other operations, all of
agents or with versions of the agent:

${markdownTable(['Operation', 'At most'], bodies)}
Rows of a page, with \`limit\`:

${markdownTable(['List', 'Default', 'At most'], pages)}`
}

/** Fields that people ask about: the operation, and where its body has the field. */
const asked: readonly (readonly [operation: string, path: string, what: string])[] = [
  ['create_order', 'allocation_schedule_delta.items.node_count', 'nodes of an order'],
  ['create_instance', 'name', 'name of a resource'],
  ['create_instance', 'cloud_init_user_data', 'user data of an instance, as base64'],
  ['create_instance', 'ssh_keys', 'SSH keys of an instance'],
  ['create_instance', 'tags', 'tags of a resource'],
  ['create_deployment', 'target_instance_count', 'instances of a deployment'],
  ['create_procurement', 'target', 'nodes of a procurement'],
  ['create_firewall', 'rules', 'rules of a firewall'],
  ['create_webhook', 'url', 'URL of a webhook'],
]

type FieldSchema = {
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly items?: FieldSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
}

function fields(): string {
  const rows = asked.map(([operation, path, what]) => {
    const { body } = (endpoints as readonly Endpoint[]).find(({ name }) => name === operation) ?? {}
    const found = path
      .split('.')
      .reduce<FieldSchema | undefined>((at, key) => (key === 'items' ? at?.items : at?.properties?.[key]), body)
    const place = `\`${operation}\`, \`${path.replace('.items.', '.')}\``
    return [what, place, boundsOf(found, `${operation}.${path}`)]
  })
  return `## Fields

${markdownTable(['What', 'Field', 'Bounds'], rows)}
The ${link('reference of the API', 'openapi.json')} has the bounds of every other field.
`
}

function boundsOf(field: FieldSchema | undefined, place: string): string {
  const { minimum, maximum, minLength = 0, maxLength, maxItems, maxProperties } = field ?? {}
  if (maximum !== undefined) return `${minimum} to ${maximum.toLocaleString('en-US')}`
  if (maxLength !== undefined) return `${minLength} to ${maxLength.toLocaleString('en-US')} characters`
  const most = maxItems ?? maxProperties
  if (most !== undefined) return `at most ${most}`
  throw new Error(`${place} has no bounds.`)
}

function images(): string {
  const rows = [
    ['file of an image', binarySizeOf(imageBytesMax)],
    ['disk that an image describes', binarySizeOf(virtualBytesMax)],
    ['parts of an upload', imagePartsMax.toLocaleString('en-US')],
    ['one part, but the last', `${binarySizeOf(partBytesMin)} to ${binarySizeOf(partBytesMax)}`],
  ]
  return `## Images

${markdownTable(['What', 'At most'], rows)}`
}

function times(): string {
  const rows = [
    ['how far ahead an order can be', `${horizonSeconds / daySeconds / 365} years`],
    ['events are kept', `${retentionSeconds / daySeconds} days`],
    ['the response of an idempotency key is kept', `at least ${replaySeconds / daySeconds} days`],
    [
      'deliveries of a webhook are kept',
      `${keptSeconds / daySeconds} days, at most the newest ${keptDeliveries.toLocaleString('en-US')} and pending ones`,
    ],
    ['entries of the audit trail are kept', `${auditRetentionDays} days`],
  ]
  return `## Times

${markdownTable(['What', 'How long'], rows)}`
}

/** The Markdown of `docs/reference/limits.md`. */
export function printLimits(): string {
  return [`${introduction}\n${trustTable()}`, rates(), sizes(), fields(), images(), times()].join('\n')
}
