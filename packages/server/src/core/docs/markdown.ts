/**
 * Renders a Markdown document as HTML. HTML in the document is shown as text, so a page contains no other markup.
 * Comments of a line are left out: they are for those who change the document.
 */
import MarkdownIt, { type StateBlock, type Token } from 'markdown-it'

/** A heading with the anchor that links name: as GitHub makes it. */
export type Heading = { readonly level: number; readonly text: string; readonly anchor: string }

/** The text between a heading and the next one. The first section stands under the title. */
type Section = { readonly heading: Heading; readonly text: string }

/** A rendered document. */
export type Document = {
  readonly title: string
  /** The text of the first paragraph. */
  readonly lead: string
  readonly html: string
  readonly sections: readonly Section[]
}

/** The address of a link as the document writes it; undefined where there is nothing to link to. */
type ResolveLink = (written: string) => string | undefined

/** The address of text that is marked as code; undefined for most. */
type CodeLink = (code: string) => string | undefined

type DocumentLinks = {
  readonly resolve: ResolveLink
  /** The address of a picture. One without an address is shown as its text. */
  readonly resolvePicture?: ResolveLink
  readonly linkCode: CodeLink
}

/** Renders a document. */
export function renderMarkdown(text: string, links: DocumentLinks): Document {
  const markdown = new MarkdownIt({ html: false })
  markdown.block.ruler.before('paragraph', 'comment', skipComment, { alt: ['paragraph'] })
  const tokens = markdown.parse(text, {})
  const sections = readSections(tokens)
  for (const token of tokens) if (token.children) token.children = resolveLinks(token.children, links)
  markdown.renderer.rules.table_open = () => '<div class="table"><table>\n'
  markdown.renderer.rules.table_close = () => '</table></div>\n'
  return {
    title: sections[0]?.heading.text ?? '',
    lead: leadOf(tokens),
    html: markdown.renderer.render(tokens, markdown.options, {}),
    sections,
  }
}

/** Skips a line that is nothing but a comment. */
function skipComment(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  const line = state.getLines(startLine, startLine + 1, state.blkIndent, false)
  if (!/^ {0,3}<!--.*--> *$/.test(line)) return false
  if (!silent) state.line = startLine + 1
  return true
}

/** Gives each heading its anchor, and returns the text under each. */
function readSections(tokens: readonly Token[]): Section[] {
  const sections: { heading: Heading; texts: string[] }[] = []
  const used = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = plainText(tokens[index + 1])
      const anchor = anchorOf(text, used)
      token.attrSet('id', anchor)
      sections.push({ heading: { level: Number(token.tag.slice(1)), text, anchor }, texts: [] })
    } else if (tokens[index - 1]?.type !== 'heading_open') {
      const text = plainText(token)
      if (text !== '') sections.at(-1)?.texts.push(text)
    }
  }
  return sections.map(({ heading, texts }) => ({ heading, text: texts.join('\n') }))
}

function anchorOf(text: string, used: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
  const times = used.get(slug) ?? 0
  used.set(slug, times + 1)
  return times === 0 ? slug : `${slug}-${times}`
}

function leadOf(tokens: readonly Token[]): string {
  const at = tokens.findIndex(({ type }) => type === 'paragraph_open')
  return plainText(tokens[at + 1])
}

function plainText(token: Token | undefined): string {
  if (token === undefined) return ''
  if (token.type === 'fence' || token.type === 'code_block') return token.content.trim()
  if (token.type !== 'inline') return ''
  return (token.children ?? []).map(({ type, content }) => (/break$/.test(type) ? ' ' : content)).join('')
}

/** Addresses of links are resolved. A link to nowhere becomes text, and code that names something becomes a link. */
function resolveLinks(tokens: readonly Token[], { resolve, resolvePicture, linkCode }: DocumentLinks) {
  const resolved: Token[] = []
  const open: boolean[] = []
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = resolve(String(token.attrGet('href') ?? ''))
      open.push(target !== undefined)
      if (target === undefined) continue
      token.attrSet('href', target)
    } else if (token.type === 'link_close') {
      if (!open.pop()) continue
    } else if (token.type === 'image') {
      resolved.push(pictureOrText(token, resolvePicture?.(String(token.attrGet('src') ?? ''))))
      continue
    } else if (token.type === 'code_inline' && open.length === 0) {
      const target = linkCode(token.content)
      if (target !== undefined) {
        resolved.push(...linked(token, target))
        continue
      }
    }
    resolved.push(token)
  }
  return resolved
}

function pictureOrText(token: Token, src: string | undefined): Token {
  if (src !== undefined) {
    token.attrSet('src', src)
    return token
  }
  const text = new MarkdownIt.Token('text', '', 0)
  text.content = token.content
  return text
}

function linked(token: Token, href: string): Token[] {
  const opening = new MarkdownIt.Token('link_open', 'a', 1)
  opening.attrSet('href', href)
  return [opening, token, new MarkdownIt.Token('link_close', 'a', -1)]
}
