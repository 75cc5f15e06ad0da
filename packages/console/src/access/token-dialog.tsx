/** Creates a token and shows it once. */

import type { CreatedToken } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import { useState } from 'react'
import { createToken } from '../generated/forms/access.ts'
import { useNow } from '../live/clock.ts'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Moment } from '../ui/values.tsx'
import { envSnippet } from './rights.rules.ts'

const lives = {
  '1': '1 day',
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
  '365': '1 year',
  never: 'never',
} as const

/** The dialog. The secret is forgotten when it closes. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<CreatedToken>()
  // A whole minute, so that the lines to copy do not change each second.
  const now = useNow()
  const minute = now - (now % 60)
  if (made) {
    return (
      <ShownOnce
        title={`Token ${made.name}`}
        ways={{ Shell: envSnippet(made.token, location.origin), Token: made.token }}
        onClose={onClose}
      >
        <p>
          Copy it now: it is shown only here. It ends <Moment at={made.expires_at} />. Keep it where your programs find
          it, not in code.
        </p>
      </ShownOnce>
    )
  }
  return (
    <OperationDialog
      form={createToken}
      title="Create a token"
      action="Create"
      // It needs a recent sign-in: whoever comes back from one finds it as it was.
      draft="create-token"
      initial={{ roles: 'role_viewer' }}
      extras={{ days: '90' }}
      fields={[
        { name: 'name', hint: 'What uses it. Empty: the server chooses one.' },
        { name: 'roles', label: 'Role', hint: '', empty: null },
        'workspace',
        { name: 'days', member: 'expires_at', label: 'Ends after', words: lives, empty: null },
        { name: 'allowed_cidrs', placeholder: '', hint: 'For example 10.0.0.0/8; empty: from everywhere' },
        {
          name: 'resources',
          placeholder: '',
          hint: 'Ids, or paths such as svc:instance:acme:default:web-*; empty: on everything that the role allows',
        },
      ]}
      finish={(body, { days }) => ({
        ...body,
        expires_at: days === 'never' ? null : minute + Number(days) * daySeconds,
      })}
      nouns={['token']}
      onDone={setMade}
      onClose={onClose}
    />
  )
}
