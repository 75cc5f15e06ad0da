import { level, type Mutant, server } from '../mutant.ts'

/** Who may do what: rights, grants, tokens, names and limits. */
export const accessMutants: readonly Mutant[] = [
  {
    wrong: 'An account cannot use the last unit of its limit.',
    file: server('iam/names/limit-usage.store.ts'),
    text: 'used + $3 <= allowed',
    replacement: 'used + $3 < allowed',
    test: server('iam/names/limit-usage.service.test.ts'),
    caught_by: 'returned usage can be taken again',
  },
  {
    wrong: 'A released name still refers to its former resource.',
    file: server('iam/names/names.store.ts'),
    text: 'on n.workspace_id = w.id and n.kind = $1 and n.name = p.name\n     and n.deleted_at is null`',
    replacement: 'on n.workspace_id = w.id and n.kind = $1 and n.name = p.name`',
    test: server('iam/names/names.service.test.ts'),
    caught_by: 'a name belongs to one resource of its kind',
  },
  {
    wrong: 'A filter by a whole name reads all rows.',
    file: server('iam/names/names.service.ts'),
    text: "account_id !== undefined && !name.includes('*')",
    replacement: 'account_id === undefined',
    test: level('fleet/list-costs'),
    caught_by: 'GET /v2/instances?name=inst_',
  },
]
