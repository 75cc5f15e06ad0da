/** The pages by which people sign in: plain HTML without scripts, so that nothing but their own button can act. */
import { createHash } from 'node:crypto'

/** A page: a heading, paragraphs, and at most one form, which posts to the page's own address. */
export type Page = {
  readonly title: string
  readonly lines: readonly string[]
  readonly form?: PageForm
}

export type PageForm = {
  readonly fields: readonly PageField[]
  /** The buttons, by the value that they send as `answer`. */
  readonly buttons: Readonly<Record<string, string>>
}

/** A text that a person types, or a value that the form only passes on. */
export type PageField =
  | { readonly name: string; readonly label: string }
  | { readonly name: string; readonly value: string }

const style = `
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 12vh auto; padding: 0 1rem }
h1 { font-size: 1.4rem }
p { overflow-wrap: anywhere }
button, input { font: inherit; padding: .5rem 1rem; margin: 0 .5rem .5rem 0 }
input { letter-spacing: .1em; text-transform: uppercase; width: 12rem }
label { display: block }
`
const styleHash = createHash('sha256').update(style).digest('base64')

/** The headers of every page. No other page may show it in a frame, and nothing on it may load or send elsewhere. */
export const pageHeaders: readonly string[] = [
  'Content-Security-Policy',
  `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'same-origin',
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Cache-Control',
  'no-store',
]

/** The HTML of a page. Every text may come from others. */
export function pageHtml({ title, lines, form }: Page): string {
  const paragraphs = lines.map((line) => `<p>${escaped(line)}</p>`).join('\n')
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>${style}</style></head>
<body><main><h1>${escaped(title)}</h1>
${paragraphs}
${form ? formHtml(form) : ''}</main></body>
</html>
`
}

function formHtml({ fields, buttons }: PageForm): string {
  const inputs = fields.map(fieldHtml)
  const ends = Object.entries(buttons).map(
    ([value, label]) => `<button name="answer" value="${escaped(value)}">${escaped(label)}</button>`,
  )
  return `<form method="post" autocomplete="off">\n${[...inputs, ...ends].join('\n')}\n</form>\n`
}

function fieldHtml(field: PageField): string {
  const name = escaped(field.name)
  if ('value' in field) return `<input type="hidden" name="${name}" value="${escaped(field.value)}">`
  return `<label>${escaped(field.label)} <input name="${name}" required maxlength="32" autofocus></label>`
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
