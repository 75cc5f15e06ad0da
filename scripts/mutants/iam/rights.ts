import { api, type Mutant, server } from '../mutant.ts'

/** What a right may not become: longer than its maker's, larger than it is called, or without what its effects need. */
export const rightsMutants: readonly Mutant[] = [
  {
    wrong: 'An admin that ends within the hour counts as one.',
    file: server('iam/access/grants.store.ts'),
    text: 'const shortestLifeOfAdmin = 3_600',
    replacement: 'const shortestLifeOfAdmin = 0',
    test: api('token-lifetimes'),
    caught_by: 'an admin that ends within the hour does not count',
  },
  {
    wrong: 'A user whose link has expired counts as an admin.',
    file: server('iam/access/grants.store.ts'),
    text: 'l.user_id = a.principal_id and l.expires_at > $5 and ',
    replacement: 'l.user_id = a.principal_id and ',
    test: api('token-lifetimes'),
    caught_by: 'a user counts as an admin only with a way in',
  },
  {
    wrong: 'A proof of possession holds for every permit.',
    file: server('fleet/hosts/enrolment-proofs.rules.ts'),
    text: 'enrolmentProofText({ enrol_token, public_key, signed_at })',
    replacement: "enrolmentProofText({ enrol_token: 'bhe_a', public_key, signed_at })",
    test: server('fleet/hosts/enrolment-proofs.rules.test.ts'),
    caught_by: 'a proof by another key, for another permit',
    in_commit: true,
  },
  {
    wrong: 'A proof of possession may be made for later.',
    file: server('fleet/hosts/enrolment-proofs.rules.ts'),
    text: 'Math.abs(now - proof.signed_at) > proofSecondsMax',
    replacement: 'now - proof.signed_at > proofSecondsMax',
    test: server('fleet/hosts/enrolment-proofs.rules.test.ts'),
    caught_by: 'a proof by another key, for another permit',
    in_commit: true,
  },
  {
    wrong: 'A cell of a CSV may be a formula.',
    file: server('core/base/csv.ts'),
    text: '/^[=+\\-@\\t\\r]/',
    replacement: '/^[=+\\-\\t\\r]/',
    test: server('core/base/csv.test.ts'),
    caught_by: 'text that a spreadsheet would run as a formula',
    in_commit: true,
  },
]
