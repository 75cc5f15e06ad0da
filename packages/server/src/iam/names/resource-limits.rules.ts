/**
 * The resources to which a token can be limited: ids and paths, in which one `*` stands for any part of the name. A
 * path matches what has it now, an id the same resource under every name (docs/concepts/tokens.md, "Resources").
 */
import { type IdKind, idPattern, kinds } from '@bourse/api/kit/ids.ts'

/** A resource as limits see it. Kinds without names, and deleted resources, have no path. */
type LimitedResource = { readonly id: string; readonly path: string | undefined }

const segment = '[a-zA-Z0-9._-]+'
const namePattern = /^[a-zA-Z0-9._-]*\*?[a-zA-Z0-9._-]*$/
const idPatterns = (Object.keys(kinds) as IdKind[]).map((kind) => new RegExp(idPattern(kind)))
const headPatterns = (Object.keys(kinds) as IdKind[])
  .filter((kind) => kinds[kind].path_segments > 0)
  .map(
    (kind) =>
      new RegExp(
        `^svc:${kind}:${Array(kinds[kind].path_segments - 1)
          .fill(segment)
          .join(':')}:$`,
      ),
  )

/** The canonical text of an id or pattern; undefined if it is none. */
export function readLimitedResource(text: string): string | undefined {
  if (idPatterns.some((pattern) => pattern.test(text))) return text.replace(/^vmi_/, 'image_')
  const { head, name } = partsOf(text)
  return name !== '' && namePattern.test(name) && headPatterns.some((pattern) => pattern.test(head)) ? text : undefined
}

/** Whether a resource is among those of a limit. */
export function isAmong(limit: readonly string[], { id, path }: LimitedResource): boolean {
  return limit.some((entry) => entry === id || (path !== undefined && matchesPath(entry, path)))
}

/** The first entry of a limit that allows more than another limit; undefined if there is none. */
export function findBeyond(outer: readonly string[], inner: readonly string[]): string | undefined {
  return inner.find((entry) => !outer.some((wider) => wider === entry || matchesPath(wider, entry)))
}

/** The paths of a limit as patterns of `like`. */
export function likePatterns(limit: readonly string[]): string[] {
  return limit.filter((entry) => entry.startsWith('svc:')).map(likePattern)
}

/** A text in which `*` stands for any characters, as a pattern of `like`. */
export function likePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&').replaceAll('*', '%')
}

/** Whether a path, or all paths of a narrower pattern, match a pattern. */
function matchesPath(entry: string, path: string): boolean {
  const [wider, narrower] = [partsOf(entry), partsOf(path)]
  if (wider.head !== narrower.head) return false
  const [start, end] = wider.name.split('*')
  if (end === undefined) return wider.name === narrower.name
  const { name } = narrower
  const isLongEnough = name.replace('*', '').length >= (start as string).length + end.length
  const [first = '', last = name] = name.split('*')
  return isLongEnough && first.startsWith(start as string) && last.endsWith(end)
}

/** A path as what precedes its name, and its name. */
function partsOf(path: string): { head: string; name: string } {
  const at = path.lastIndexOf(':') + 1
  return { head: path.slice(0, at), name: path.slice(at) }
}
