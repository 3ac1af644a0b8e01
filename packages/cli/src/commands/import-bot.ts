// `botstead import-bot`: converts an export of another builder to a document. Needs no server, and runs no
// code of the file.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  ImportError,
  type ImportedBot,
  importBot,
  maxImportBytes,
  toDocumentText,
  toReportText,
} from '@botstead/flows/imports'
import { CliError, MissingError } from '../failure.ts'
import { toPrintable } from '../terminal/printable.ts'

interface ImportOptions {
  dryRun?: boolean
  out: string
  yaml?: boolean
  force?: boolean
  json?: boolean
}

export async function convertFile(
  path: string,
  { dryRun, out, yaml, force, json }: ImportOptions,
): Promise<void> {
  const { document, report, files: beside } = convert(path)
  const text = toReportText(report)
  if (dryRun) return print(json ? JSON.stringify(report) : text)
  const files = {
    [join(out, yaml ? 'bot.yaml' : 'bot.json')]: toDocumentText(
      document,
      yaml ? 'YAML' : 'JSON',
    ),
    [join(out, 'import-report.md')]: text,
    ...Object.fromEntries(
      Object.entries(beside).map(([file, content]) => [join(out, file), content]),
    ),
  }
  const [existing] = Object.keys(files).filter((file) => !force && existsSync(file))
  if (existing)
    throw new CliError(
      `${existing} exists already: choose another folder with --out, or pass --force`,
    )
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const { carried, changed, omitted } = report.counts
  if (json) return print(JSON.stringify({ ...report, files: Object.keys(files) }))
  print(`${carried} parts carried, ${changed} with a difference, ${omitted} not carried.`)
  print(Object.keys(files).join('\n'))
}

const print = (text: string) => console.log(toPrintable(text))

function convert(path: string): ImportedBot {
  try {
    return importBot(basename(path), read(path))
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    const place = error.position ? `:${error.position.line}:${error.position.column}` : ''
    throw new CliError(`${path}${place}: ${error.message}`)
  }
}

function read(path: string): Uint8Array {
  try {
    const { size } = statSync(path)
    if (size > maxImportBytes)
      throw new CliError(
        `${path} has more than ${maxImportBytes} bytes: export a smaller bot`,
      )
    return readFileSync(path)
  } catch (error) {
    if (error instanceof CliError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw code === 'ENOENT'
      ? new MissingError(`file ${path} does not exist`)
      : new CliError(`cannot read ${path} (${code})`)
  }
}
