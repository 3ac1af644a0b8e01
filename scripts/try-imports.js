// Imports all exports of other builders in a folder, and prints the share of parts that were carried, by
// file, and the kinds that were not. Requires a build.
// node scripts/try-imports.js <folder>
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ImportError, importBot } from '../packages/flows/dist/imports.js'

const folder = process.argv[2]
if (!folder) throw new Error('Pass the folder with the exports')

const isExport = /\.(json|ya?ml|vf|bpa|tgz|zip|ts|py)$/i
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => isExport.test(name))
  .sort()

/** @type {Map<string, { count: number, note: string }>} */
const missing = new Map()
const total = { carried: 0, changed: 0, omitted: 0 }

for (const name of files) {
  try {
    const { report } = importBot(name, readFileSync(join(folder, name)))
    for (const result of /** @type {const} */ (['carried', 'changed', 'omitted']))
      total[result] += report.counts[result]
    for (const { result, kind, note = '' } of report.entries)
      if (result === 'omitted')
        missing.set(kind, { note, count: (missing.get(kind)?.count ?? 0) + 1 })
    console.log(`${toShare(report.counts)}  ${name} (${report.source})`)
  } catch (error) {
    if (!(error instanceof ImportError))
      throw new Error(`${name} fails`, { cause: error })
    console.log(` error  ${name}: ${error.message}`)
  }
}

console.log(`\n${toShare(total)} of all: ${JSON.stringify(total)}`)
for (const [kind, { count, note }] of [...missing].sort(
  ([, a], [, b]) => b.count - a.count,
))
  console.log(`${String(count).padStart(4)} ${kind}: ${note}`)

/** @param {typeof total} counts */
function toShare({ carried, changed, omitted }) {
  const all = carried + changed + omitted
  return `${String(all === 0 ? 0 : Math.round(((carried + changed) / all) * 100)).padStart(4)} %`
}
