// Compares a family with the external document of the same name, and writes down what was found: one row per operation.
import { assumptionLines } from './assumptions.ts'
import { compareOperations, type Difference, describesFailures } from './compare.ts'
import type { Deviation } from './deviations.ts'
import { inventoryFaults, type Named, operationsOf } from './documents.ts'
import type { Json } from './normalize.ts'

export interface Row {
  family: string
  id: string
  place: string
  served: boolean
  /** `compatible`: we accept more than is asked, or answer with less than is promised, and nothing else differs. */
  shape: 'equal' | 'compatible' | 'deviates' | 'not compared'
  deviations: Deviation[]
  /** Whether the external document says what a failure is answered with. */
  failuresDescribed: boolean
}

export interface Findings {
  rows: Row[]
  /** What fails the run, a sentence each. */
  faults: string[]
}

export interface Pair {
  family: string
  ours: Json
  theirs: Json
  isServed: (id: string) => boolean
}

export function compareFamilies(pairs: Pair[], accepted: Deviation[]): Findings {
  const unused = new Set(accepted)
  const findings = pairs.map((pair) => compareFamily(pair, accepted, unused))
  const leftOver = [...unused].map(
    ({ operation, path }) => `The deviation of ${operation} at ${path} fits no difference: remove it`,
  )
  return {
    rows: findings.flatMap(({ rows }) => rows),
    faults: [...findings.flatMap(({ faults }) => faults), ...leftOver],
  }
}

function compareFamily(
  { family, ours, theirs, isServed }: Pair,
  accepted: Deviation[],
  unused: Set<Deviation>,
): Findings {
  const external = operationsOf(theirs)
  const own = operationsOf(ours)
  const faults = inventoryFaults(family, own, external)
  const rows = external.flatMap((there) => {
    const here = own.find(({ id }) => id === there.id)
    if (!here) return []
    const { row, unlisted } = compareOne(family, here, there, isServed(here.id), accepted)
    for (const deviation of row.deviations) unused.delete(deviation)
    faults.push(
      ...unlisted.map(
        ({ path, ours: we, theirs: they }) =>
          `${family}.${here.id} differs at ${path}: ours is ${we}, theirs ${they}`,
      ),
    )
    return [row]
  })
  return { rows, faults }
}

function compareOne(family: string, here: Named, there: Named, served: boolean, accepted: Deviation[]) {
  const failuresDescribed = describesFailures(there)
  const row = { family, id: here.id, place: `${here.method} ${here.path}`, served, failuresDescribed }
  if (!served) return { row: { ...row, shape: 'not compared', deviations: [] } satisfies Row, unlisted: [] }
  const { differences, equal } = compareOperations(here, there)
  const fits = (one: Deviation, difference: Difference) =>
    one.operation === `${family}.${here.id}` &&
    one.path === difference.path &&
    one.ours === difference.ours &&
    one.theirs === difference.theirs
  const deviations = accepted.filter((one) => differences.some((difference) => fits(one, difference)))
  const unlisted = differences.filter((difference) => !deviations.some((one) => fits(one, difference)))
  const shape: Row['shape'] = differences.length > 0 ? 'deviates' : equal ? 'equal' : 'compatible'
  return { row: { ...row, shape, deviations }, unlisted }
}

/** `own`: families that only we have. */
export function writeReport({ rows }: Findings, version: string, own: string[] = []): string {
  const count = (fits: (row: Row) => boolean) => rows.filter(fits).length
  return [
    '# Conformance',
    '',
    `Our documents beside those of the external API, version ${version}. Written by \`npm run conformance\`; not to be edited.`,
    '',
    `${rows.length} operations are known, ${count(({ served }) => served)} of them served; the others answer 501. Of those served, ` +
      `${count(({ shape }) => shape === 'equal')} are equal, ${count(({ shape }) => shape === 'compatible')} compatible (we accept more than is asked, ` +
      `or answer with less than is promised), and ${count(({ shape }) => shape === 'deviates')} deviate on purpose.`,
    '',
    'Compared are parameters, bodies, the status of success and its answer, optional properties of answers that the server never sends, and which ' +
      'operations are experimental. ' +
      `Answers to failures are compared where the external documents describe them: for ${count(({ failuresDescribed }) => failuresDescribed)} operations. ` +
      `The other ${count(({ failuresDescribed }) => !failuresDescribed)} list no failure, or only a \`default\` answer that repeats the answer of success. ` +
      `Ours have one shape everywhere, \`{code, type, message, id, metadata?}\`, which the official clients parse.`,
    ...(own.length > 0
      ? ['', `Left out, because the external documents do not have them: ${own.join(', ')}.`]
      : []),
    '',
    '| Family | Operation | Place | Served | Shape | Deviation |',
    '|---|---|---|---|---|---|',
    ...rows.map(writeRow),
    '',
    ...assumptionLines(),
  ].join('\n')
}

function writeRow({ family, id, place, served, shape, deviations }: Row): string {
  const told = deviations
    .map(({ path, ours, theirs, reason }) => `\`${path}\`: ours ${ours}, theirs ${theirs}. ${reason}.`)
    .join(' ')
  return `| ${family} | ${id} | \`${place}\` | ${served ? 'yes' : 'no'} | ${shape} | ${told.replaceAll('|', '\\|')} |`
}
