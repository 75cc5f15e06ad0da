// The page of the API reference: Scalar on /openapi.json, with a token that is kept while the tab is open.

const token_key = 'bourse.api_token'

// A library inside tries whether code may be made of text. The policy of the page says no and reports each attempt.
globalThis.Function = new Proxy(Function, {
  construct() {
    throw new EvalError('Code may not be made of text here.')
  },
})

function slugOf(text) {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** The token of this tab. Other tabs and later sessions do not get it. */
const kept = {
  get: () => sessionStorage.getItem(token_key) ?? '',
  set: (token) => (token === '' ? sessionStorage.removeItem(token_key) : sessionStorage.setItem(token_key, token)),
}

/** Shows examples of optional parameters without sending them: both cursors of a list at once would be refused. */
function withoutOptional(description) {
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path))
  const own = operations.flatMap(({ parameters = [] }) => parameters)
  for (const parameter of [...own, ...Object.values(description.components.parameters)]) {
    if (parameter.required || parameter.example === undefined) continue
    parameter.examples = { default: { value: parameter.example, 'x-disabled': true } }
    delete parameter.example
  }
  return description
}

function configuration(description) {
  return {
    content: withoutOptional(description),
    authentication: {
      preferredSecurityScheme: 'api_token',
      securitySchemes: { api_token: { token: kept.get() } },
    },
    onRequestBuilt: ({ request }) => {
      const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '') ?? []
      if (token !== '') kept.set(token)
    },
    generateTagSlug: ({ name }) => slugOf(name),
    generateOperationSlug: ({ operationId, method, path }) => operationId ?? slugOf(`${method} ${path}`),
    hideSearch: true,
    theme: 'none',
    layout: 'modern',
    withDefaultFonts: false,
    hideDarkModeToggle: true,
    hideClientButton: true,
    showDeveloperTools: 'never',
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: 'none',
    // Each operation has samples of the SDK, the command line and curl, with values that fit.
    hiddenClients: true,
    persistAuth: false,
    defaultOpenFirstTag: false,
  }
}

// The field of the token, which has no event of its own.
document.addEventListener('input', ({ target }) => {
  if (target.matches?.('.scalar-password-input')) kept.set(target.value.trim())
})

const response = await fetch('/openapi.json')
const waiting = document.querySelector('#waiting')
if (response.ok) {
  globalThis.Scalar.createApiReference('#reference', configuration(await response.json()))
  waiting.remove()
} else waiting.textContent = `openapi.json could not be loaded: ${response.status}.`
