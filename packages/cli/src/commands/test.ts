// `botstead test`: runs conversation scripts against a bot in this process. Exit code 1 if a script
// fails.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type ConversationScript,
  compileScripts,
  type FileResults,
  junitReport,
  parseScripts,
  runScript,
  ScriptError,
  textReport,
} from '@botstead/flows/testing'
import { toFlows } from '../documents/bot-document.ts'
import { CliError } from '../failure.ts'
import { toPrintable } from '../terminal/printable.ts'
import { readCheckedDocument } from './deploy-document.ts'

export async function testBot(
  path: string,
  scriptFiles: string[],
  { junit }: { junit?: string },
): Promise<void> {
  const document = toFlows(readCheckedDocument(path))
  const files = (scriptFiles.length ? scriptFiles : scriptsBeside(path)).map((file) => ({
    file,
    scripts: readScripts(file),
  }))
  const program = { document, scripts: compileScripts(document).scripts }
  const results: FileResults[] = []
  for (const { file, scripts } of files) {
    const ran: FileResults = { file, results: [] }
    // In sequence: a script replaces the clock of the process.
    for (const script of scripts) ran.results.push(await runScript(program, script))
    results.push(ran)
  }
  console.log(toPrintable(textReport(results)))
  if (junit) writeFileSync(junit, junitReport(results))
  if (results.some(({ results }) => results.some(({ failure }) => failure))) process.exitCode = 1
}

function scriptsBeside(path: string): string[] {
  const folder = join(dirname(path), 'tests')
  let names: string[] = []
  try {
    names = readdirSync(folder).sort()
  } catch {
    throw new CliError(
      `folder ${folder} does not exist: create it for the scripts, or pass their paths`,
    )
  }
  const found = names.filter((name) => /\.ya?ml$/.test(name)).map((name) => join(folder, name))
  if (found.length === 0) throw new CliError(`folder ${folder} has no scripts (*.yaml, *.yml)`)
  return found
}

function readScripts(file: string): ConversationScript[] {
  try {
    return parseScripts(readFileSync(file, 'utf8'), file)
  } catch (error) {
    if (error instanceof ScriptError) throw new CliError(`${file}, ${error.message}`)
    const { code } = error as NodeJS.ErrnoException
    throw code === undefined
      ? error
      : new CliError(
          code === 'ENOENT' ? `file ${file} does not exist` : `cannot read ${file} (${code})`,
        )
  }
}
