// Asks authenticators, which no form can: adds a passkey, or signs in with one. Everything else on these pages works
// without a script.
const { base, returnTo, stepUp } = document.currentScript.dataset

const decode = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
const encode = (buffer) =>
  btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const find = (id) => document.getElementById(id)

async function ask(path, body) {
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Bourse-Request': '1' },
    body: JSON.stringify(body),
  })
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  throw Object.assign(new Error(answer.error?.message ?? 'The server does not answer. Try again.'), {
    isTooOld: response.headers.get('WWW-Authenticate')?.includes('insufficient_user_authentication'),
  })
}

async function signIn() {
  const { challenge, relying_party_id } = await ask('/preview/v2/auth/passkeys/challenge', {})
  const credential = await navigator.credentials.get({
    publicKey: { challenge: decode(challenge), rpId: relying_party_id, userVerification: 'required', timeout: 300_000 },
  })
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response
  await ask('/preview/v2/auth/passkeys/sign_in', {
    credential_id: encode(credential.rawId),
    client_data_json: encode(clientDataJSON),
    authenticator_data: encode(authenticatorData),
    signature: encode(signature),
    ...(userHandle ? { user_handle: encode(userHandle) } : {}),
    is_step_up: stepUp === 'true',
  })
  location.assign(returnTo)
}

async function add(name) {
  const begun = await ask('/preview/v2/auth/passkeys/registration', {})
  const credential = await navigator.credentials.create({
    publicKey: {
      challenge: decode(begun.challenge),
      rp: { id: begun.relying_party_id, name: 'Bourse' },
      user: { id: decode(begun.user_handle), name: begun.user_name, displayName: begun.user_name },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      excludeCredentials: begun.excluded_credential_ids.map((id) => ({ type: 'public-key', id: decode(id) })),
      attestation: 'none',
      timeout: 300_000,
    },
  })
  const { clientDataJSON, attestationObject } = credential.response
  const user = new TextDecoder().decode(decode(begun.user_handle))
  const made = await ask(`/preview/v2/users/${user}/passkeys`, {
    name,
    credential_id: encode(credential.rawId),
    client_data_json: encode(clientDataJSON),
    attestation_object: encode(attestationObject),
    transports: (credential.response.getTransports?.() ?? []).slice(0, 8),
  })
  if (made.recovery_codes) showCodes(made.recovery_codes)
  else location.assign(returnTo)
}

function showCodes(codes) {
  const list = document.createElement('ul')
  list.className = 'codes'
  for (const text of codes) {
    const code = document.createElement('code')
    code.textContent = text
    list.appendChild(document.createElement('li')).append(code)
  }
  for (const section of document.querySelectorAll('section')) section.hidden = true
  const shown = find('new-codes')
  shown.querySelector('p').after(list)
  shown.hidden = false
  shown.tabIndex = -1
  shown.focus()
}

function showProblem(error) {
  if (error.isTooOld) {
    const query = new URLSearchParams({ return_to: location.pathname, step_up: '1' })
    location.assign(`${base}/sign_in?${query}`)
    return
  }
  const refused = error.name === 'NotAllowedError' ? 'The authenticator did not answer, or you refused.' : error.message
  const known = error.name === 'InvalidStateError' ? 'This authenticator has a passkey of yours already.' : refused
  const shown = find('passkey-problem')
  shown.querySelector('p').textContent = known
  shown.setAttribute('role', 'alert')
  shown.hidden = false
}

function bind(id, work) {
  find(id)?.addEventListener('submit', (event) => {
    event.preventDefault()
    find('passkey-problem').hidden = true
    work(new FormData(event.target)).catch(showProblem)
  })
}

if (window.PublicKeyCredential && find('passkeys')) {
  bind('passkey', () => signIn())
  bind('add-passkey', (fields) => add(fields.get('name')))
  find('passkeys').hidden = false
  find('no-passkeys').hidden = true
}
