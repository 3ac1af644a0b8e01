// `botstead doctor`: is this installation as it should be, and what to do where it is not.
import { examine, type Finding, readConfig } from '@botstead/server'

const signs = { good: '✓', advice: '!', bad: '✗' } as const

/** Exit code 1 when something is bad; advice is only that. */
export async function doctor({ json }: { json?: boolean }): Promise<void> {
  const findings = await examine(readConfig(process.env))
  if (json) console.log(JSON.stringify({ findings }, null, 2))
  else for (const finding of findings) console.log(lineOf(finding))
  if (findings.some(({ state }) => state === 'bad')) process.exitCode = 1
}

const lineOf = ({ about, what, state, advice }: Finding) =>
  `${signs[state]} ${about.padEnd(13)}${what}${advice && state !== 'good' ? `\n  ${' '.repeat(13)}→ ${advice}` : ''}`
