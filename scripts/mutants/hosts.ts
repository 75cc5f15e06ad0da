import { api, level, type Mutant, server } from './mutant.ts'

/** Hosts: reports, epochs, generations, silence, drain and cordon, permits. */
export const hostMutants: readonly Mutant[] = [
  {
    wrong: 'An enrolment may be as long as other bodies.',
    file: 'packages/api/src/fleet/agent.ts',
    text: 'body_bytes_max: enrolmentBytesMax,',
    replacement: '',
    test: level('fleet/enrolment-limits'),
    caught_by: 'an enrolment has at most 16 KiB',
  },
  {
    wrong: 'The supply of a draining host ends a minute late.',
    file: server('fleet/hosts/hosts.rules.ts'),
    text: 'Math.max(startOfMinute(deadline_at), request.supply_starts_at)',
    replacement: 'Math.max(nextMinute(deadline_at), request.supply_starts_at)',
    test: server('fleet/hosts/hosts.rules.test.ts'),
    caught_by: 'ends with the minute of the deadline',
  },
  {
    wrong: 'An uncordoned host supplies the current minute again.',
    file: server('fleet/hosts/hosts.rules.ts'),
    text: 'const from = nextMinute(now)\n',
    replacement: 'const from = startOfMinute(now)\n',
    test: server('fleet/hosts/hosts.rules.test.ts'),
    caught_by: 'returns from the next minute on',
  },
  {
    wrong: 'A page of console output has as many bytes as its chunks have.',
    file: server('fleet/agents/instance-logs.store.ts'),
    text: 'const chunksBytesMax = logPageBytesMax - 256',
    replacement: 'const chunksBytesMax = logPageBytesMax * 100',
    test: api('instance-logs'),
    caught_by: 'a page of logs has at most 1 MiB',
  },
]
