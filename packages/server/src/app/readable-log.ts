// The log as sentences for a person who looks at the output, instead of JSON for log collectors.
import { type Logger, pino } from 'pino'
import { logOptions } from '../core/telemetry/index.ts'

interface Line {
  level: number
  msg?: string
  reason?: unknown
  err?: { message?: string; stack?: string }
}

const errorLevel = 50

/** Logs warnings and errors to `write`, by default to the standard error output. */
export function openReadableLog(
  write: (text: string) => void = (text) => process.stderr.write(text),
): Logger {
  return pino(
    { ...logOptions, level: 'warn' },
    { write: (line) => write(toText(JSON.parse(line))) },
  )
}

/** Errors with their stack, because only their place tells what to correct. */
function toText({ level, msg = '', reason, err }: Line): string {
  const isError = level >= errorLevel
  const cause = err?.message ?? (typeof reason === 'string' ? reason : '')
  const text = [msg, cause].filter(Boolean).join(': ')
  const stack = isError && err?.stack ? `\n${err.stack}` : ''
  return `  ${isError ? 'Error' : 'Warning'}: ${text}${stack}\n`
}
