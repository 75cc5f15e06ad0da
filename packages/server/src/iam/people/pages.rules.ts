/**
 * The pages by which people sign in: HTML without inline scripts and styles. Their forms work without a script; the one
 * script of the server asks authenticators, which nothing else can.
 */

/** A page: a heading, paragraphs, at most one form that posts to the page's own address, and further parts. */
export type HtmlPage = {
  readonly title: string
  readonly lines: readonly string[]
  readonly form?: PageForm
  readonly parts?: readonly PagePart[]
  /** The path before those of this server, from its public URL. */
  readonly base?: string
  /** Loads the script for passkeys, which reads these. */
  readonly script?: { readonly return_to: string; readonly is_step_up: boolean }
  /** An address to go on to at once. */
  readonly next?: string
}

/** A part of a page under a heading of its own. */
export type PagePart = {
  readonly title?: string
  readonly lines?: readonly string[]
  /** Shown letter by letter: codes and commands. */
  readonly code?: readonly string[]
  readonly links?: readonly { readonly href: string; readonly label: string }[]
  readonly forms?: readonly PageForm[]
  /** A place for the script to write to, and the elements that only it can use. */
  readonly id?: string
  readonly is_hidden?: boolean
}

type PageForm = {
  readonly fields: readonly PageField[]
  /** The buttons, by the value that they send as `answer`. */
  readonly buttons: Readonly<Record<string, string>>
  /** Where it posts to. Default: the page's own address. */
  readonly action?: string
  /** What stands before its buttons, in one line with them. */
  readonly line?: string
  /** The form is for the script, which finds it by this. */
  readonly id?: string
  readonly is_plain?: boolean
}

/** A text that a person types, or a value that the form only passes on. */
type PageField =
  | { readonly name: string; readonly label: string; readonly length?: number; readonly kind?: 'code' | 'text' }
  | { readonly name: string; readonly value: string }

/** Where the files that pages load are. */
export const stylePath = '/sign_in/style.css'
export const scriptPath = '/sign_in/passkeys.js'

/** The headers of a page. No other page may show it in a frame, and nothing on it may load or send elsewhere. */
export function pageHeaders({ script }: Pick<HtmlPage, 'script'> = {}): readonly string[] {
  const scripts = script ? "script-src 'self'; connect-src 'self'; " : ''
  return [
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self'; ${scripts}form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'X-Frame-Options',
    'DENY',
    'Referrer-Policy',
    'same-origin',
    'Cross-Origin-Opener-Policy',
    'same-origin',
    'Cache-Control',
    'no-store',
  ]
}

/** The HTML of a page. Every text may come from others. */
export function pageHtml({ title, lines, form, parts = [], base = '', script, next }: HtmlPage): string {
  const loaded = script
    ? `\n<script src="${escaped(base + scriptPath)}" defer data-base="${escaped(base)}" data-return-to="${escaped(
        script.return_to,
      )}" data-step-up="${script.is_step_up}"></script>`
    : ''
  const onward = next === undefined ? '' : `\n<meta http-equiv="refresh" content="0; url=${escaped(next)}">`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">${onward}
<link rel="stylesheet" href="${escaped(base + stylePath)}">${loaded}</head>
<body><main><p class="brand">Bourse</p><h1>${escaped(title)}</h1>
${paragraphs(lines)}
${form ? formHtml(form) : ''}${parts.map(partHtml).join('')}</main></body>
</html>
`
}

function partHtml({ title, lines = [], code = [], links = [], forms = [], id, is_hidden }: PagePart): string {
  const own = `${id === undefined ? '' : ` id="${escaped(id)}"`}${is_hidden ? ' hidden' : ''}`
  const heading = title === undefined ? '' : `<h2>${escaped(title)}</h2>\n`
  const codes = code.map((line) => `<li><code>${escaped(line)}</code></li>`).join('\n')
  const list = codes === '' ? '' : `<ul class="codes">\n${codes}\n</ul>\n`
  const ways = links.map(({ href, label }) => `<p><a href="${escaped(href)}">${escaped(label)}</a></p>`).join('\n')
  return `<section${own}>\n${heading}${paragraphs(lines)}\n${list}${ways}${forms.map(formHtml).join('')}</section>\n`
}

function paragraphs(lines: readonly string[]): string {
  return lines.map((line) => `<p>${escaped(line)}</p>`).join('\n')
}

function formHtml({ fields, buttons, action, line, id, is_plain }: PageForm): string {
  const inputs = fields.map(fieldHtml)
  const ends = Object.entries(buttons).map(
    ([value, label]) => `<button name="answer" value="${escaped(value)}">${escaped(label)}</button>`,
  )
  const own = [
    action === undefined ? '' : ` action="${escaped(action)}"`,
    id === undefined ? '' : ` id="${escaped(id)}"`,
    is_plain ? ' class="plain"' : '',
  ].join('')
  const text = line === undefined ? [] : [`<span class="line">${escaped(line)}</span>`]
  return `<form method="post" autocomplete="off"${own}>\n${[...text, ...inputs, ...ends].join('\n')}\n</form>\n`
}

function fieldHtml(field: PageField): string {
  const name = escaped(field.name)
  if ('value' in field) return `<input type="hidden" name="${name}" value="${escaped(field.value)}">`
  const { label, length = 32, kind = 'code' } = field
  const own = kind === 'code' ? ' class="code" autocapitalize="characters" spellcheck="false"' : ''
  return `<label>${escaped(label)} <input name="${name}" required maxlength="${length}"${own}></label>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] as string)
}
