import { api, type Mutant, server } from '../mutant.ts'

const limited = api('limited-tokens')

/** What a limited token may not do: act from elsewhere, on anything else, or through what it makes. */
export const limitedTokensMutants: readonly Mutant[] = [
  {
    wrong: 'A token works from every network.',
    file: server('core/http/pipeline.ts'),
    text: '  if (!networks || isInNetworks(context.address, networks)) return undefined',
    replacement: '  if (!networks || isInNetworks(context.address, networks) || context.address) return undefined',
    test: limited,
    caught_by: 'allowed_cidrs: a token works from its networks and nowhere else',
  },
  {
    wrong: 'A token for resources replays the response of another one.',
    file: server('core/http/replay.ts'),
    text: 'caller.limits?.resources ? { ...params, token_id: caller.token_id } : params',
    replacement: 'params',
    test: limited,
    caught_by: 'a token that is limited to resources gets no stored response',
  },
]
