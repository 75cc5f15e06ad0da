import assert from 'node:assert/strict'
import type { Id } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import type { PrincipalGrant } from '../access/roles.rules.ts'
import { givesMoreThan } from './openers.rules.ts'

const workspace = 'wksp_a' as Id<'workspace'>
const grant = (role: string, workspace_id: Id<'workspace'> | null = null): PrincipalGrant => ({
  role_id: `role_${role}` as Id<'role'>,
  workspace_id,
  policy: null,
})
const [admin, viewer, trader] = [grant('admin'), grant('viewer'), grant('trader')]

function isMore(opener: PrincipalGrant[], before: PrincipalGrant[], after: PrincipalGrant[]): boolean {
  return givesMoreThan(opener, { before, after, is_platform: false })
}

test('a change gives more than an opener has if neither it nor the user had the right', () => {
  assert.equal(isMore([viewer], [viewer], [viewer, trader]), true)
  assert.equal(isMore([viewer, trader], [viewer], [viewer, trader]), false)
  assert.equal(isMore([viewer], [trader], [trader, viewer]), false)
  assert.equal(isMore([viewer], [viewer], [admin]), true)
})

test('an opener without rights, as one who has gone, lacks only what is new', () => {
  assert.equal(isMore([], [admin], [admin, viewer]), false)
  assert.equal(isMore([], [viewer], [viewer, trader]), true)
  assert.equal(isMore([], [viewer, trader], [viewer]), false)
  assert.equal(isMore([], [], []), false)
})

test('a right in a workspace is not one in the account', () => {
  assert.equal(isMore([grant('viewer', workspace)], [], [grant('viewer', workspace)]), false)
  assert.equal(isMore([grant('viewer', workspace)], [], [viewer]), true)
  assert.equal(isMore([], [grant('viewer', workspace)], [viewer]), true)
})
