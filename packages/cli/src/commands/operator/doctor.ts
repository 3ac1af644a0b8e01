// `botstead doctor`: checks this installation and prints what to change.
import { examine, readConfig } from '@botstead/server'

const signs = { good: '✓', advice: '!', bad: '✗' } as const

/** Sets exit code 1 if a finding is bad; advice does not change the exit code. */
export async function doctor({ json }: { json?: boolean }): Promise<void> {
  const findings = await examine(readConfig(process.env))
  if (json) console.log(JSON.stringify({ findings }, null, 2))
  else for (const finding of findings) console.log(toLine(finding))
  if (findings.some(({ state }) => state === 'bad')) process.exitCode = 1
}

type Finding = Awaited<ReturnType<typeof examine>>[number]

function toLine({ about, what, state, advice }: Finding): string {
  const remedy = advice && state !== 'good' ? `\n  ${' '.repeat(13)}→ ${advice}` : ''
  return `${signs[state]} ${about.padEnd(13)}${what}${remedy}`
}
