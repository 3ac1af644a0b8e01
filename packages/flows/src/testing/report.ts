// Formats the results of scripts as text and as JUnit XML.
import { basename } from 'node:path'
import type { ScriptResult } from './runner.ts'

export interface FileResults {
  file: string
  results: Omit<ScriptResult, 'visited'>[]
}

/** `kind`: of the results, in the plural. */
export function textReport(files: FileResults[], kind = 'scripts'): string {
  const lines = files.flatMap(({ file, results }) =>
    results.flatMap(({ name, ms, failure }) => {
      if (!failure) return [`ok    ${name} (${Math.round(ms)} ms)`]
      const trace = failure.trace ? [``, 'Trace of the last turn:', failure.trace] : []
      return [
        `FAIL  ${name}  ${file}:${failure.line}`,
        ...[failure.message, ...trace]
          .join('\n')
          .split('\n')
          .map((line) => (line ? `      ${line}` : '')),
      ]
    }),
  )
  const all = files.flatMap(({ results }) => results)
  const failed = all.filter(({ failure }) => failure).length
  return [...lines, `${all.length - failed} of ${all.length} ${kind} passed`].join('\n')
}

export function junitReport(files: FileResults[]): string {
  const suites = files.map(({ file, results }) => {
    const failures = results.filter(({ failure }) => failure).length
    const cases = results.map(({ name, ms, failure }) => {
      const head =
        `    <testcase name="${escaped(name)}" classname="${escaped(basename(file))}"` +
        ` file="${escaped(file)}" time="${(ms / 1000).toFixed(3)}"`
      if (!failure) return `${head}/>`
      const summary = escaped(
        `line ${failure.line}: ${failure.message.split('\n', 1)[0]}`,
      )
      const details = escaped([failure.message, failure.trace ?? ''].join('\n\n'))
      return `${head}>\n      <failure message="${summary}">${details}</failure>\n    </testcase>`
    })
    const head = `  <testsuite name="${escaped(file)}" tests="${results.length}" failures="${failures}">`
    return `${head}\n${cases.join('\n')}\n  </testsuite>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Characters that XML forbids even as entities. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/** Escapes text for XML. */
const escaped = (text: string) =>
  text.replace(forbidden, '\ufffd').replace(/[&<>"]/g, (sign) => entities[sign]!)
