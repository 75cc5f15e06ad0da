import { api, type Mutant, server } from './mutant.ts'

const verifier = 'packages/sdk/src/verify-attestation.ts'
const verifierTest = 'packages/sdk/test/verify-attestation.test.ts'
const statements = server('fleet/attestation/statements.service.ts')

/** What buyers learn about the hosts of their instances, and rely on. */
export const buyerMutants: readonly Mutant[] = [
  {
    wrong: 'The signatures of an attestation are not checked.',
    file: verifier,
    text: "  if (!isValid) throw refused('A signature is not valid.')\n",
    replacement: '',
    test: verifierTest,
    caught_by: 'a signature that is changed, or by a key of somebody else',
    in_commit: true,
  },
  {
    wrong: 'The statement inside of an attestation may be about another instance.',
    file: verifier,
    text: 'if (stated.sub !== claims.sub)',
    replacement: 'if (stated.sub === undefined)',
    test: verifierTest,
    caught_by: 'an attestation of another instance, server or host is refused',
    in_commit: true,
  },
  {
    wrong: 'An attestation never expires.',
    file: verifier,
    text: 'if ((exp as number) <= at)',
    replacement: 'if ((exp as number) <= 0)',
    test: verifierTest,
    caught_by: 'it is refused once the statement or the attestation has expired',
    in_commit: true,
  },
  {
    wrong: 'A host may state something with the key of another machine.',
    file: statements,
    text: 'if (iss !== host_id || sub !== instance_id)',
    replacement: 'if (iss !== host_id)',
    test: api('attestations'),
    caught_by: 'report_machine_statements takes nothing in the name of another host',
  },
  {
    wrong: 'A statement about another machine is taken.',
    file: statements,
    text: 'if (claims.sub !== instance_id || claims.slot !== slot)',
    replacement: 'if (claims.slot !== slot)',
    test: api('attestations'),
    caught_by: 'report_machine_statements takes nothing in the name of another host',
  },
  {
    wrong: 'A SKU shows measurements of any age.',
    file: server('fleet/hardware/host-benchmarks.store.ts'),
    text: "'measured_at')::bigint >= $2",
    replacement: "'measured_at')::bigint >= $2 - $2",
    test: api('attestations'),
    caught_by: 'report_benchmark: the host shows the figures',
  },
  {
    wrong: 'A host of a partner is enrolled for a SKU that only the operator supplies.',
    file: server('fleet/agents/agents.service.ts'),
    text: "  await refusePartner(ctx, { sku, account_id, field: 'enrol_token' })\n",
    replacement: '',
    test: api('attestations'),
    caught_by: 'a SKU that partners supply cannot be kept to the operator',
  },
  {
    wrong: 'A SKU that partners may supply does not fit the requirement of it.',
    file: server('market/skus/sku-requirements.rules.ts'),
    text: 'isFlag(field)) return candidate[field]',
    replacement: 'isFlag(field)) return candidate[field] || undefined',
    test: server('market/skus/sku-requirements.rules.test.ts'),
    caught_by: 'a flag that is not set is false, unlike a property',
  },
]
