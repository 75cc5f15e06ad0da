/** Packs the Helm chart: what is in ops/helm/bourse, with alerts and dashboards in place of links, and the release. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from 'tar'
import { readSourceDate, readVersion } from '../pack/commit.ts'
import { root, settleModes } from '../pack/program.ts'
import { imageName, indexDigest } from './image.ts'

/**
 * Packs the chart into a directory. Its versions are those of the release; it names the image by its digest where the
 * image lies in that directory. Returns its path.
 */
export async function packChart(directory: string): Promise<string> {
  const version = await readVersion()
  const place = await mkdtemp(join(tmpdir(), 'bourse-chart-'))
  try {
    const chart = join(place, 'bourse')
    await cp(join(root, 'ops/helm/bourse'), chart, { recursive: true, dereference: true })
    await settleModes(chart)
    await change(join(chart, 'Chart.yaml'), [
      [/^version: .*$/m, `version: ${version}`],
      [/^appVersion: .*$/m, `appVersion: "${version}"`],
    ])
    const names = await readdir(directory)
    if (names.includes(imageName(version))) {
      const digest = await indexDigest(join(directory, imageName(version)))
      await change(join(chart, 'values.yaml'), [[/^ {2}digest: ""$/m, `  digest: ${digest}`]])
    }
    const paths = await readdir(chart, { recursive: true, withFileTypes: true })
    const files = paths
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(place.length + 1))
      .sort()
    // npm has the name bourse-VERSION.tgz.
    const path = join(directory, `bourse-helm-${version}.tgz`)
    const mtime = new Date((await readSourceDate()) * 1000)
    await create({ cwd: place, file: path, gzip: true, portable: true, mtime }, files)
    return path
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function change(path: string, changes: readonly (readonly [from: RegExp, to: string])[]): Promise<void> {
  let text = await readFile(path, 'utf8')
  for (const [from, to] of changes) {
    if (!from.test(text)) throw new Error(`${path} no longer has a line like ${from}: change scripts/ship/chart.ts`)
    text = text.replace(from, to)
  }
  await writeFile(path, text)
}
