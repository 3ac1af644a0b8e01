// `botstead test`: runs conversation scripts, also those in `tests` of the document, against a bot in
// this process, and knowledge checks in a temporary server. Exit code 1 if one fails.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DocumentSyntaxError } from '@botstead/flows/document-text'
import {
  hasKnowledgeChecks,
  parseKnowledgeChecks,
  type WrittenCheck,
} from '@botstead/flows/knowledge-checks'
import {
  type ConversationScript,
  compileScripts,
  type FileResults,
  junitReport,
  parseScripts,
  runScript,
  ScriptError,
  textReport,
  toScripts,
} from '@botstead/flows/testing'
import { type ReadDocument, toFlows } from '../documents/bot-document.ts'
import { CliError } from '../failure.ts'
import type { Connecting } from '../server/connection.ts'
import { toPrintable } from '../terminal/printable.ts'
import { readCheckedDocument } from './deploy-document.ts'

type Check = WrittenCheck & { line: number }

type TestFile = { file: string } & (
  | { scripts: ConversationScript[] }
  | { checks: Check[] }
)

export async function testBot(
  path: string,
  testFiles: string[],
  { junit, ...connecting }: Connecting & { junit?: string },
): Promise<void> {
  const read = readCheckedDocument(path)
  const own = toScripts(toFlows(read))
  const paths = testFiles.length ? testFiles : testsBeside(path, own.length > 0)
  const files = paths.map(readTests)
  const written = files.filter((one) => 'scripts' in one)
  const scripts = own.length > 0 ? [{ file: path, scripts: own }, ...written] : written
  const checks = files.filter((one) => 'checks' in one)
  const results = await runScripts(read, scripts)
  // First, because the server of the checks may fail to start.
  if (scripts.length > 0) console.log(toPrintable(textReport(results)))
  if (checks.length > 0) {
    const checked = await runChecks(read, checks, connecting)
    const table = checked.table && `\n\n${checked.table}`
    console.log(toPrintable(textReport(checked.results, 'knowledge checks') + table))
    results.push(...checked.results)
  }
  if (junit) writeFileSync(junit, junitReport(results))
  if (results.some(({ results }) => results.some(({ failure }) => failure)))
    process.exitCode = 1
}

async function runScripts(
  read: ReadDocument,
  files: { file: string; scripts: ConversationScript[] }[],
): Promise<FileResults[]> {
  const document = toFlows(read)
  const program = { document, scripts: compileScripts(document).scripts }
  const results: FileResults[] = []
  for (const { file, scripts } of files) {
    const ran: FileResults = { file, results: [] }
    // In sequence: a script replaces the clock of the process.
    for (const script of scripts) ran.results.push(await runScript(program, script))
    results.push(ran)
  }
  return results
}

/** Loads the server only for checks. */
async function runChecks(
  read: ReadDocument,
  files: { file: string; checks: Check[] }[],
  connecting: Connecting,
) {
  const { testKnowledge } = await import('./test-knowledge.ts')
  return testKnowledge(read, files, connecting)
}

/** `mayBeNone`: the document has tests. */
function testsBeside(path: string, mayBeNone: boolean): string[] {
  const folder = join(dirname(path), 'tests')
  let names: string[] = []
  try {
    names = readdirSync(folder).sort()
  } catch {
    if (mayBeNone) return []
    throw new CliError(
      `folder ${folder} does not exist: create it for the scripts, pass their paths, or add "tests" ` +
        'to the document',
    )
  }
  const found = names
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => join(folder, name))
  if (found.length === 0 && !mayBeNone)
    throw new CliError(`folder ${folder} has no scripts (*.yaml, *.yml)`)
  return found
}

function readTests(file: string): TestFile {
  const text = readText(file)
  try {
    return hasKnowledgeChecks(text)
      ? { file, checks: parseKnowledgeChecks(text) }
      : { file, scripts: parseScripts(text, file) }
  } catch (error) {
    if (error instanceof ScriptError) throw new CliError(`${file}, ${error.message}`)
    if (error instanceof DocumentSyntaxError)
      throw new CliError(`${file}, line ${error.position.line}: ${error.message}`)
    throw error
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CliError(
      code === 'ENOENT' ? `file ${file} does not exist` : `cannot read ${file} (${code})`,
    )
  }
}
