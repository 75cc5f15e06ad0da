/**
 * Which of the named servers of a database may be used. After a failover the replaced primary may come back and accept
 * writes: it has an older timeline than its successor, and never learns of it by itself.
 */

/** What a server says of itself. */
export type ServerState = {
  readonly in_recovery: boolean
  readonly system_identifier: string
  /** The newest timeline that it knows; a standby knows that of the log that it has replayed. */
  readonly timeline: number
  /** Its newest recorded history; 0 where it has none. */
  readonly number: number
  /** The timeline of the successor that a record in it names; 0 where none does. */
  readonly fenced_by: number
}

/** A named server, and what it said or why it did not answer. */
export type AskedServer = { readonly name: string; readonly answer: ServerState | string }

/** The newest timeline of a cluster that this process or an earlier one at its place has used. */
export type SeenServer = Pick<ServerState, 'system_identifier' | 'timeline'>

/** The choice among servers, by their places in the list. */
export type ServerChoice = {
  /** The one to use; undefined where none may be used. */
  readonly use: number | undefined
  /** What that one said. */
  readonly used: ServerState | undefined
  /** Servers that accept writes although they were replaced, with the timeline of the successor. */
  readonly replaced: readonly { readonly at: number; readonly by_timeline: number }[]
  /** Why each other server is not used. */
  readonly reasons: readonly string[]
}

/** The server of the connections that were prepared last, by its place in the list. */
export type PreparedServer = SeenServer & { readonly at: number }

type Newest = { readonly timeline: number; readonly seen: string }
type Primary = { readonly at: number; readonly state: ServerState; readonly newest: Newest }

/** Chooses the server with the newest history. A server is not used while any evidence of a successor is known. */
export function chooseServer(asked: readonly AskedServer[], seen: SeenServer | undefined): ServerChoice {
  const primaries = asked.flatMap(({ answer: state }, at): Primary[] =>
    typeof state === 'string' || state.in_recovery ? [] : [{ at, state, newest: newestOf(asked, seen, state) }],
  )
  const isReplaced = ({ state, newest }: Primary) => state.timeline < newest.timeline
  const best = primaries
    .filter((one) => !isReplaced(one))
    .reduce<Primary | undefined>((found, one) => (found && !isNewer(one, found, seen) ? found : one), undefined)
  return {
    use: best?.at,
    used: best?.state,
    replaced: primaries.filter(isReplaced).map(({ at, newest }) => ({ at, by_timeline: newest.timeline })),
    reasons: asked.flatMap(({ name, answer }, at) => {
      if (at === best?.at) return []
      if (typeof answer === 'string') return [`${name} does not respond (${answer})`]
      if (answer.in_recovery) return [`${name} is a standby`]
      const { newest } = primaries.find((one) => one.at === at) as Primary
      if (answer.timeline >= newest.timeline) return [`${name} has an older history than ${nameAt(asked, best)}`]
      return [`${name} was replaced: it is on timeline ${answer.timeline}, and ${newest.seen}`]
    }),
  }
}

/**
 * Whether the connections to a server have to be closed: it was replaced, another one is to be used, or another one
 * answers at its address. Where new connections go first says nothing of that: they try other addresses while a server
 * is busy.
 */
export function mustLeave(prepared: PreparedServer | undefined, { use, used, replaced }: ServerChoice): boolean {
  if (prepared === undefined) return false
  if (used === undefined) return replaced.some(({ at }) => at === prepared.at)
  const isSame = used.system_identifier === prepared.system_identifier && used.timeline === prepared.timeline
  return use !== prepared.at || !isSame
}

function nameAt(asked: readonly AskedServer[], primary: Primary | undefined): string {
  return primary === undefined ? 'another' : (asked[primary.at]?.name ?? '')
}

/** The newest timeline of the cluster of a server, by all evidence, and a clause that says where it was seen. */
function newestOf(
  asked: readonly AskedServer[],
  seen: SeenServer | undefined,
  { system_identifier, timeline, fenced_by }: ServerState,
): Newest {
  const evidence: Newest[] = [
    { timeline, seen: '' },
    { timeline: fenced_by, seen: `a record in it names timeline ${fenced_by}` },
  ]
  if (seen?.system_identifier === system_identifier) {
    evidence.push({ timeline: seen.timeline, seen: `this program has used timeline ${seen.timeline}` })
  }
  for (const { name, answer } of asked) {
    if (typeof answer === 'string' || answer.system_identifier !== system_identifier) continue
    evidence.push({ timeline: answer.timeline, seen: `${name} is on timeline ${answer.timeline}` })
  }
  return evidence.reduce((newest, one) => (one.timeline > newest.timeline ? one : newest))
}

/** Whether one usable server has a newer history than another. Of two clusters of equal age the known one is newer. */
function isNewer({ state: one }: Primary, { state: other }: Primary, seen: SeenServer | undefined): boolean {
  if (one.number !== other.number) return one.number > other.number
  const isKnown = ({ system_identifier }: ServerState) => system_identifier === seen?.system_identifier
  return isKnown(one) && !isKnown(other)
}
