/** Creates an account that somebody can enter: the account, its first person, a balance, and the link that lets in. */
import { ApiError, type CreatedAccount, type SignInLink } from '@bourse/sdk'
import { createOperations } from '@bourse/sdk/plain-client.ts'
import { type ReactNode, useState } from 'react'
import { createAccount, createAccountUser } from '../generated/forms/operator.ts'
import { client } from '../live/client.ts'
import { Fields } from '../live/forms/fields.tsx'
import { FormFrame, OperationDialog } from '../live/forms/form-dialog.tsx'
import { useForm } from '../live/forms/use-form.ts'
import { useAction } from '../live/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Moment } from '../ui/values.tsx'

/** What a new account begins with. */
type AccountStart = {
  readonly account: CreatedAccount
  readonly email: string
  readonly dollars: string
}
type StartedAccount = { readonly link: SignInLink; readonly moneyProblem: Error | undefined }

/** The dialog. Where the account is there and its person is refused, only the person is asked for again. */
export function CreateAccount({ onClose }: { onClose: () => void }) {
  const [account, setAccount] = useState<CreatedAccount>()
  const [started, setStarted] = useState<StartedAccount>()
  const start = useAction(begin, { nouns: ['account', 'transaction', 'balance'], onDone: setStarted })
  const form = useForm(createAccount, {
    draft: 'create-account',
    initial: { trust_level: 'basic' },
    extras: { email: '', dollars: '' },
    check: ({ email = '', dollars = '' }) => ({
      ...(email.includes('@') ? {} : { email: 'The address of the person who is to be the first admin.' }),
      ...(/^(\d{1,12}(\.\d{1,6})?)?$/.test(dollars.trim()) ? {} : { dollars: 'An amount in dollars, such as 500.' }),
    }),
    nouns: ['account'],
    onDone: (made) => {
      setAccount(made)
      const { email, dollars } = form.typed
      start.run({ account: made, email: email.trim(), dollars: dollars.trim() })
    },
  })
  if (account && started) return <Started account={account} started={started} onClose={onClose} />
  if (account && start.error) {
    return (
      <AddFirstPerson account={account.id} token={account.token} initial={form.typed.email} onClose={onClose}>
        <p role="alert">The account {account.id} is there, and nobody can come in yet. No amount was posted.</p>
        <ErrorText error={start.error} />
      </AddFirstPerson>
    )
  }
  return (
    <Dialog title="Create an account" isOpen onClose={onClose}>
      {account ? (
        <Loading />
      ) : (
        <FormFrame form={form} action="Create" onClose={onClose}>
          <Fields
            of={form}
            names={[
              'id',
              'name',
              { name: 'trust_level', empty: null },
              { name: 'email', label: 'E-mail of the first admin', hint: 'You get a link to send to this person.' },
              { name: 'dollars', label: 'Balance to begin with', hint: 'Dollars, posted as a credit. Empty: none.' },
            ]}
          />
        </FormFrame>
      )}
    </Dialog>
  )
}

/** The person, the link, and then the money: an amount that needs a second operator keeps nobody out. */
async function begin({ account: { id, token }, email, dollars }: AccountStart): Promise<StartedAccount> {
  const user = await client.accounts.createUser(id, { email })
  const link = await makeLink(id, user.id, token)
  if (dollars === '') return { link, moneyProblem: undefined }
  const posting = { type: 'credit_grant', amount_dollars: dollars, description: 'Balance to begin with.' } as const
  try {
    await client.accountTransactions.create(id, posting)
    return { link, moneyProblem: undefined }
  } catch (error) {
    return { link, moneyProblem: error as Error }
  }
}

/** A link of the platform, or where the token of the account counts as a way in, of that token. */
async function makeLink(account: string, user: `usr_${string}`, token: string | undefined): Promise<SignInLink> {
  try {
    return await client.accounts.createSignInLink(account, { user })
  } catch (error) {
    const hasOtherWay = error instanceof ApiError && error.codes.includes('invalid_state')
    if (!hasOtherWay || token === undefined) throw error
    return createOperations({ baseUrl: location.origin, token }).groups.users.createSignInLink(user)
  }
}

type StartedProps = { account: CreatedAccount; started: StartedAccount; onClose: () => void }

function Started({ account, started: { link, moneyProblem }, onClose }: StartedProps) {
  return (
    <ShownOnce
      title={`The account ${account.id} is ready`}
      ways={{ Link: link.url, Token: account.token }}
      onClose={onClose}
    >
      <LinkText link={link} />
      <p className="quiet small">The token is one for programs. It may do everything in the account.</p>
      {moneyProblem ? (
        <>
          <p role="alert">The balance was not posted. “Top up” on the page of the account does it.</p>
          <ErrorText error={moneyProblem} />
        </>
      ) : null}
    </ShownOnce>
  )
}

function LinkText({ link }: { link: SignInLink }) {
  return (
    <p>
      Whoever opens the link first is the admin. It works once, until <Moment at={link.expires_at} />, and is shown only
      here.
    </p>
  )
}

type FirstPersonProps = {
  account: string
  /** The first token of a new account. */
  token?: string
  initial?: string
  onClose: () => void
  children?: ReactNode
}

/** Adds a person to an account, with a link where nobody else of the account can make one. */
export function AddFirstPerson({ account, token, initial = '', onClose, children }: FirstPersonProps) {
  const [link, setLink] = useState<SignInLink>()
  const [isAdded, setAdded] = useState(false)
  const make = useAction((user: `usr_${string}`) => makeLink(account, user, token), { onDone: setLink })
  if (link) {
    return (
      <ShownOnce title={`Sign-in link for ${account}`} ways={{ Link: link.url }} onClose={onClose}>
        <LinkText link={link} />
      </ShownOnce>
    )
  }
  if (isAdded) {
    return (
      <Dialog title={`Add a person to ${account}`} isOpen onClose={onClose}>
        {make.error ? <p>The person is added. The admins of the account can make the link.</p> : <Loading />}
        <ErrorText error={make.error} />
      </Dialog>
    )
  }
  return (
    <OperationDialog
      form={createAccountUser}
      params={{ account }}
      title={`Add a person to ${account}`}
      action="Add"
      about={children}
      initial={{ email: initial }}
      fields={['email', { name: 'role', choices: platformRoles, empty: 'admin' }]}
      nouns={['account']}
      onDone={({ id }) => {
        setAdded(true)
        make.run(id)
      }}
      onClose={onClose}
    />
  )
}

/** The roles that every account has: those that an account has made are known only there. */
const platformRoles = ['operator', 'trader', 'billing', 'viewer'].map((name) => ({ id: `role_${name}`, name }))
