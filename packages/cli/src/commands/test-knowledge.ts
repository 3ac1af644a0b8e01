// The knowledge checks of `botstead test`: results for its reports, and a table of those that fail.
import type { WrittenCheck } from '@botstead/flows/knowledge-checks'
import type { FileResults } from '@botstead/flows/testing'
import type { ReadDocument } from '../documents/bot-document.ts'
import {
  type CheckedQuestion,
  rejectWithoutDocuments,
  runKnowledgeChecks,
  toName,
} from '../documents/knowledge-checks.ts'
import { openAdmin } from '../server/admin.ts'
import type { Connecting } from '../server/connection.ts'
import { withInterruption } from '../server/interruption.ts'
import { toPrintable } from '../terminal/printable.ts'
import { toTable } from '../terminal/printing.ts'

type Checked = CheckedQuestion<WrittenCheck & { line: number; file: string }>

interface KnowledgeResults {
  results: FileResults[]
  /** Empty if all checks pass. */
  table: string
}

/** Runs the checks in a temporary bot of a temporary server, or of the one that the options name. */
export async function testKnowledge(
  read: ReadDocument,
  files: { file: string; checks: (WrittenCheck & { line: number })[] }[],
  connecting: Connecting,
): Promise<KnowledgeResults> {
  rejectWithoutDocuments(read)
  const checks = files.flatMap(({ file, checks }) =>
    checks.map((check) => ({ ...check, file })),
  )
  const checked = await withInterruption(async ({ signal, interrupted }) => {
    if (connecting.server !== undefined)
      return runKnowledgeChecks(openAdmin(connecting), read, checks, interrupted)
    const { withTemporaryServer } = await import('../server/temporary-server.ts')
    return withTemporaryServer(signal, (admin) =>
      runKnowledgeChecks(admin, read, checks, interrupted),
    )
  })
  return {
    results: files.map(({ file }) => toResults(file, checked)),
    table: failures(checked),
  }
}

const toResults = (file: string, checked: Checked[]): FileResults => ({
  file,
  results: checked
    .filter(({ check }) => check.file === file)
    .map((one) => ({
      name: one.check.question,
      ms: one.ms,
      ...(!one.result.passed && { failure: toFailure(one) }),
    })),
})

const toFailure = (one: Checked) => ({
  line: one.check.line,
  message: `Expected ${expected(one)}\nFound ${found(one)}\nScore ${score(one)}`,
})

function failures(checked: Checked[]): string {
  const failed = checked.filter(({ result }) => !result.passed)
  if (failed.length === 0) return ''
  const rows = failed.map((one) =>
    [one.check.question, expected(one), found(one), score(one)].map(toCell),
  )
  return toTable(['question', 'expected', 'found', 'score'], rows, {
    terminal: tableWidth,
  })
}

/** Of all lines: the score is the last column, and logs of CI have no width. */
const tableWidth = 240
const maxCell = 60

function toCell(text: string): string {
  const line = toPrintable(text, 'line').trim()
  return line.length > maxCell ? `${line.slice(0, maxCell - 1).toWellFormed()}…` : line
}

const expected = ({ check: { expectedFile, expectedText } }: Checked) =>
  [expectedFile, expectedText === undefined ? undefined : `“${expectedText}”`]
    .filter((one) => one !== undefined)
    .join(' with ')

function found({ result, best }: Checked): string {
  const { found } = result
  if (found?.fileKey !== undefined)
    return `${toName(found.fileKey)}: ${quoted(found.text)}`
  if (found) return `curated answer ${quoted(found.text)}`
  return best ? `nothing; the best is ${toName(best.fileKey)}` : 'nothing'
}

const quoted = (text: string) => `“${text.replace(/\s+/g, ' ').trim()}”`

/** As the page of a search explains it. */
function score({ best }: Checked): string {
  if (!best) return 'none: no passage has a word of the question'
  const { score, minScore, matched, vectorScore } = best
  return [
    `${score.toFixed(2)} ${score < minScore ? 'is below' : 'is at least'} ${minScore}`,
    matched.length > 0 ? `matched ${matched.join(', ')}` : 'no word matched',
    ...(vectorScore === undefined ? [] : [`meaning ${vectorScore.toFixed(2)}`]),
  ].join('; ')
}
