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
    wrong: 'A resource that is named by its id need not match.',
    file: server('iam/names/names.service.ts'),
    text: '  if (!isPath(ref) && !ctx.caller?.limits?.resources) return plainId(ref)',
    replacement: '  if (!isPath(ref)) return plainId(ref)',
    test: limited,
    caught_by: 'resources: a token for one deployment changes it and nothing else',
  },
  {
    wrong: 'A new resource may have any name.',
    file: server('iam/names/names.service.ts'),
    text: "  if (!limit || kind === 'token') return",
    replacement: '  if (!limit || kind) return',
    test: limited,
    caught_by: 'resources: a path follows the name',
  },
  {
    wrong: 'A list shows what does not match.',
    file: server('iam/access/permissions.service.ts'),
    text: '  onlyWithinLimits(ctx, where, alias)\n',
    replacement: '',
    test: limited,
    caught_by: 'resources: other resources appear to be absent',
  },
  {
    wrong: 'A token for resources may do everything to the account.',
    file: server('iam/access/permissions.service.ts'),
    text: '  if (caller.limits?.resources) await refuseBeyondLimits(ctx, permission, place)\n',
    replacement: '',
    test: limited,
    caught_by: 'resources: a token acts on the account and on other kinds in no way',
  },
  {
    wrong: 'A limited token makes one that is not.',
    file: server('iam/tokens/tokens.service.ts'),
    text: '  const beyond = findBeyondLimits(maker ?? unlimited, limits)',
    replacement: '  const beyond = findBeyondLimits(unlimited, limits)',
    test: limited,
    caught_by: 'a token is at least as limited as its maker',
  },
  {
    wrong: 'A limited token makes sign-in links and grants.',
    file: server('iam/access/permissions.service.ts'),
    text: '  if (caller?.limits) refuse(',
    replacement: '  if (caller?.limits && !caller) refuse(',
    test: limited,
    caught_by: 'a limited token gives rights to nobody else',
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
