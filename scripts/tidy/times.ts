/** How the console writes times: in one way, so that a chart, a label and a table say the same of a moment. */
import type { Finding, Repository, Rule } from './source.ts'

export const timeRules: readonly Rule[] = [oneFormatOfTimes]

const ofConsole = /^packages\/console\/src\/(?!.*\.test\.ts)/
/** The one way, and the months of UTC that statements have. */
const formats = /\/(ui\/values|live\/months)\.rules\.ts$/
/** What an input of the browser takes is no text that people read, and which hour it is is none either. */
const inputs = /\/(ticket\/ticket|book\/heat-map)\.rules\.ts$/
const formatting = /Intl\.DateTimeFormat|\.toLocale(Date|Time)String|\.get(Hours|Minutes)\(/

/** No other format of times than those of `ui/values.rules.ts`. */
export function oneFormatOfTimes({ files }: Repository): Finding[] {
  const message = 'times are written by packages/console/src/ui/values.rules.ts, in one language and one clock'
  return files
    .filter(({ path }) => ofConsole.test(path) && !formats.test(path) && !inputs.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => (formatting.test(line) ? [{ path, line: index + 1, message }] : [])),
    )
}
