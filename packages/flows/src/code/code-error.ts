// Errors of the author's code, with file, line and the line's text.
import type { Source } from '../document/program.ts'
import type { RealmFailure } from './realm.ts'

/**
 * `syntax`: does not compile. `thrown`: threw. `time`: exceeded its timeout. `value`: left a value
 * that is not JSON.
 */
export type CodeFault = 'syntax' | RealmFailure['fault']

interface Position {
  line: number
  column?: number
}

export class CodeError extends Error {
  override readonly name = 'CodeError'
  readonly fault: CodeFault
  /** The message without the position. */
  readonly bareMessage: string
  readonly file: string
  /** Counts from 1; absent if unknown. */
  readonly line?: number
  readonly column?: number
  readonly sourceLine?: string

  constructor(
    fault: CodeFault,
    bareMessage: string,
    { file, code }: Source,
    at: Position | undefined,
  ) {
    const sourceLine = at && code.split(/\r\n|\r|\n/, at.line)[at.line - 1]?.slice(0, 500)
    const quoted = sourceLine?.trim()
    const quotation = quoted ? `\n  > ${quoted}` : ''
    super(`${bareMessage.slice(0, 5_000)} (${locationIn(file, at)})${quotation}`)
    this.fault = fault
    this.bareMessage = bareMessage.slice(0, 5_000)
    this.file = file
    if (at) this.line = at.line
    if (at?.column) this.column = at.column
    if (sourceLine !== undefined) this.sourceLine = sourceLine
    // The stack of the engine does not help an author.
    this.stack = `${this.name}: ${this.message}`
  }
}

function locationIn(file: string, at: Position | undefined): string {
  if (!at) return file
  return at.column ? `${file}:${at.line}:${at.column}` : `${file}:${at.line}`
}

/** Takes the line from the first line of V8's stack, `file:line`. */
export function compileError(error: unknown, source: Source): CodeError {
  const { message, stack = '' } = error as Error
  const [first = ''] = stack.split('\n', 1)
  const line = first.startsWith(`${source.file}:`)
    ? Number(first.slice(source.file.length + 1))
    : Number.NaN
  return new CodeError(
    'syntax',
    `SyntaxError: ${message}`,
    source,
    Number.isInteger(line) ? { line } : undefined,
  )
}

export function runtimeError(
  { fault, stack = '', ...thrown }: RealmFailure,
  source: Source,
): CodeError {
  return new CodeError(fault, toErrorText(thrown), source, positionIn(stack, source.file))
}

export function toErrorText({
  name,
  message,
  code,
}: {
  name?: string | undefined
  message: string
  code?: string | undefined
}): string {
  if (code === 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING')
    return 'Code cannot import modules. Use the globals, such as `axios` and `luxon`'
  return name && name !== 'Error' ? `${name}: ${message}` : message
}

/** Returns the position of the topmost stack frame in the author's file. */
function positionIn(stack: string, file: string): Position | undefined {
  for (const frame of stack.slice(0, 20_000).split('\n')) {
    const found = frame.lastIndexOf(`${file}:`)
    const [, line, column] =
      (found >= 0 && /^(\d{1,7}):(\d{1,7})/.exec(frame.slice(found + file.length + 1))) ||
      []
    if (line && column) return { line: Number(line), column: Number(column) }
  }
}
