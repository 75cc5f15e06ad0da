import { api, level, type Mutant, server } from '../mutant.ts'

/** Whether somebody has signed in again, and what people leave behind when they come in. */
export const signInMutants: readonly Mutant[] = [
  {
    wrong: 'A link gives the rights that a role of its user got later.',
    file: server('iam/people/sign-in-links.store.ts'),
    text: "select g.id || coalesce(' ' || encode(sha256(convert_to(r.policy::text, 'UTF8')), 'hex'), '') as digest",
    replacement: "select g.id || coalesce(' ' || encode(sha256(convert_to(r.id, 'UTF8')), 'hex'), '') as digest",
    test: api('sign-in'),
    caught_by: 'a link ends when a role of its user allows something else, and not when the role is renamed',
  },
  {
    wrong: 'Grants that groups end are not in the trail.',
    file: server('iam/providers/provider-acts.service.ts'),
    text: "for (const grant of ended) recordGrant(ctx, user, 'delete_grant', grant)",
    replacement: "for (const grant of ended.slice(1)) recordGrant(ctx, user, 'delete_grant', grant)",
    test: level('contract/acts-in-trail'),
    caught_by: 'grants that groups give and end are recorded as acts of the provider',
  },
]
