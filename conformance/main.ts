// Usage:
// - `npm run conformance -- --software [package[@version] …]` runs the official software and saves the
//   results (software.ts).
// - `npm run conformance -- --external <folder>` compares with the external documents in the folder, named
//   <family>.openapi.json, and writes report.md.
// The exit code is 1 if deviations.ts does not list a difference. Without external documents, the
// comparison is skipped with exit code 0.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  apiVersion,
  type Family,
  type FamilyName,
  families,
  toOpenApi,
} from '@botstead/contract'
import { deviations } from './deviations.ts'
import type { Json } from './normalize.ts'
import { compareFamilies, type Pair, writeReport } from './report.ts'
import { resultsFile, runSoftware } from './software.ts'
import { writeSoftware } from './software-report.ts'

const {
  values: { external, software },
  positionals,
} = parseArgs({
  options: { external: { type: 'string' }, software: { type: 'boolean' } },
  allowPositionals: true,
})
const all = Object.entries(families as Record<FamilyName, Family>) as [
  FamilyName,
  Family,
][]
const names = all.flatMap(([name, { own }]) => (own ? [] : [name]))
const ownFamilies = all.flatMap(([name, { own }]) => (own ? [name] : []))
const toFile = (folder: string, family: string) => join(folder, `${family}.openapi.json`)

if (software) process.exitCode = (await runSoftware(positionals)) ? 0 : 1
else if (
  external === undefined ||
  !names.some((name) => existsSync(toFile(external, name)))
)
  skip()
else compareWith(external)

function skip() {
  const remedy =
    external === undefined
      ? '; specify their folder with --external'
      : ` in "${external}"`
  console.log(`skipped: no external documents${remedy}`)
  console.log(
    `Not checked: operations, methods and paths of ${names.join(', ')}, request and response schemas,`,
  )
  console.log('and whether every listed deviation exists.')
}

function compareWith(folder: string) {
  const findings = compareFamilies(
    names.map((family) => toPair(family, folder)),
    deviations,
  )
  console.log(`Not compared: ${ownFamilies.join(', ')} (not in the external documents)`)
  for (const fault of findings.faults) console.error(fault)
  writeFileSync(
    fileURLToPath(new URL('../report.md', import.meta.url)),
    [
      writeReport(findings, apiVersion, ownFamilies),
      writeSoftware(JSON.parse(readFileSync(resultsFile, 'utf8'))),
    ].join('\n'),
  )
  const { length } = findings.faults
  const result = length === 0 ? 'no unlisted differences' : `${length} faults`
  console.log(`${findings.rows.length} operations compared; ${result}`)
  process.exitCode = length === 0 ? 0 : 1
}

function toPair(family: FamilyName, folder: string): Pair {
  const served = Object.values((families[family] as Family).served).flatMap((group) =>
    Object.keys(group),
  )
  const theirs: Json = JSON.parse(readFileSync(toFile(folder, family), 'utf8'))
  return {
    family,
    ours: { ...toOpenApi(family) },
    theirs,
    isServed: (id) => served.includes(id),
  }
}
