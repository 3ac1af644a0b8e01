// `npm run conformance -- --software [package[@version] …]` runs the official software and keeps the results (software.ts).
// `npm run conformance -- --external <folder>`: the folder holds the external documents, <family>.openapi.json. Writes report.md beside the sources.
// Ends with 0 when nothing differs that deviations.ts does not list, 1 otherwise, and 0 after saying so when there is nothing to compare with.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { apiVersion, type Family, type FamilyName, families, toOpenApi } from '@botstead/contract'
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
const all = Object.entries(families as Record<FamilyName, Family>) as [FamilyName, Family][]
const names = all.flatMap(([name, { own }]) => (own ? [] : [name]))
const ours = all.flatMap(([name, { own }]) => (own ? [name] : []))
const fileOf = (folder: string, family: string) => join(folder, `${family}.openapi.json`)

if (software) process.exitCode = (await runSoftware(positionals)) ? 0 : 1
else if (external === undefined || !names.some((name) => existsSync(fileOf(external, name)))) skip()
else compareWith(external)

function skip() {
  console.log(
    `skipped: no external documents${external === undefined ? ' (name their folder with --external)' : ` in ${external}`}`,
  )
  console.log(
    `Not checked: that the operations of ${names.join(', ')} are all there, under their methods and paths,`,
  )
  console.log(
    'that we accept what callers of the external API send, that we answer as it promises, and that every deviation listed is one.',
  )
}

function compareWith(folder: string) {
  const findings = compareFamilies(
    names.map((family) => pairOf(family, folder)),
    deviations,
  )
  console.log(`Not compared: ${ours.join(', ')}, which the external documents do not have`)
  for (const fault of findings.faults) console.error(fault)
  writeFileSync(
    fileURLToPath(new URL('../report.md', import.meta.url)),
    `${writeReport(findings, apiVersion, ours)}\n${writeSoftware(JSON.parse(readFileSync(resultsFile, 'utf8')))}`,
  )
  const { length } = findings.faults
  console.log(
    `${findings.rows.length} operations compared; ${length === 0 ? 'nothing differs that is not listed' : `${length} faults`}`,
  )
  process.exitCode = length === 0 ? 0 : 1
}

function pairOf(family: FamilyName, folder: string): Pair {
  const served = Object.values((families[family] as Family).served).flatMap((group) => Object.keys(group))
  const theirs: Json = JSON.parse(readFileSync(fileOf(folder, family), 'utf8'))
  return { family, ours: { ...toOpenApi(family) }, theirs, isServed: (id) => served.includes(id) }
}
