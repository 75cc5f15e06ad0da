import { areaLine, fileAddress } from '../tidy/house.ts'
import { isNode, type Node, type Source, sourceOf } from '../tidy/source.ts'
import { architecturePath } from './paths.ts'

/** A member of what one server keeps in memory, and the first sentence of its comment. */
export type ServiceMember = {
  readonly path: string
  readonly line: number
  readonly area: string
  readonly name: string
  /** Undefined where neither the member nor its type has a comment. */
  readonly sentence: string | undefined
}

const begin = '<!-- Written by `npm run gen` from the declarations of Services. -->\n'
const end = '<!-- End of the table. -->\n'

/** The page of the architecture with the table of services as the source declares them. */
export function printServices(texts: ReadonlyMap<string, string>): Map<string, string> {
  const page = texts.get(architecturePath) ?? ''
  const [before, rest = ''] = page.split(begin)
  const after = rest.split(end)[1]
  if (after === undefined) throw new Error(`${architecturePath} has no place for the table of services.`)
  const rows = serviceMembers(texts).map(
    ({ area, name, sentence }) => `| ${area} | \`${name}\` | ${sentence ?? ''} |\n`,
  )
  const table = `| Area | Member | What it is |\n|---|---|---|\n${rows.join('')}`
  return new Map([[architecturePath, `${before}${begin}${table}${end}${after}`]])
}

/** The members that the areas declare, in the line of areas. */
export function serviceMembers(texts: ReadonlyMap<string, string>): ServiceMember[] {
  const declaring = [...texts].filter(([path, text]) => isOfServer(path) && text.includes('interface Services {'))
  const members = declaring.flatMap(([path, text]) => membersOf(sourceOf(path, text)))
  const position = ({ area }: ServiceMember) => areaLine.indexOf(area as (typeof areaLine)[number])
  return members.sort((a, b) => position(a) - position(b) || a.name.localeCompare(b.name))
}

function isOfServer(path: string): boolean {
  const { home, side, isTest } = fileAddress(path)
  return home === 'server' && side === 'src' && !isTest && path.endsWith('.ts')
}

function membersOf(file: Source): ServiceMember[] {
  const { area } = fileAddress(file.path)
  return file.nodes
    .filter((node) => node.type === 'TSInterfaceDeclaration' && nameOf(node.id) === 'Services')
    .flatMap(({ body }) => (isNode(body) ? (body.body as Node[]) : []))
    .map((member) => {
      const sentence = commentBefore(file, member.start) ?? commentOfType(file, member)
      return { path: file.path, line: file.lineOf(member.start), area, name: nameOf(member.key), sentence }
    })
}

/** The comment of the type that a member has, where the same file declares it. */
function commentOfType(file: Source, member: Node): string | undefined {
  const name = /:\s*(?:RememberedValue<)?(\w+)>?\s*$/.exec(file.text.slice(member.start, member.end))?.[1]
  const declared = file.nodes.find(({ type, id }) => type === 'TSTypeAliasDeclaration' && nameOf(id) === name)
  if (name === undefined || !declared) return undefined
  const isExported = file.text.slice(0, declared.start).endsWith('export ')
  return commentBefore(file, declared.start - (isExported ? 'export '.length : 0))
}

/** The first sentence of the comment that ends right before a place. */
function commentBefore(file: Source, start: number): string | undefined {
  const comment = file.comments.findLast((one) => one.end <= start)
  if (!comment || file.text.slice(comment.end, start).trim() !== '' || !comment.value.startsWith('*')) return undefined
  const text = comment.value
    .replaceAll(/\s*\n\s*\* ?/g, ' ')
    .replace(/^\*\s*/, '')
    .trim()
  return /^.*?[.:](?=\s+[A-Z`]|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text
}

function nameOf(node: unknown): string {
  return isNode(node) ? String(node.name) : ''
}
